import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { enrollPeer, listSetupKeys, revokeSetupKey } from './enrollment.actions.js';
import { Enrollment, SetupKey } from './enrollment.js';

@Resolver()
export class EnrollmentResolver {
  @Mutation(() => Enrollment, {
    description:
      'Creates a peer and a setup key, with which one machine joins as this peer. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for the fields and for a group that is not yours, CONFLICT when no address is left, UNAVAILABLE when the server that creates keys does not respond or refuses.',
  })
  async enrollPeer(
    @Arg('vmLabel', () => String, {
      nullable: true,
      description: '1 to 100 characters without control characters. Omitted or empty: `vm-<peer id>`.',
    })
    vmLabel: string | null,
    @Arg('groupId', () => Int, { nullable: true, description: 'One of your groups. Default: the default group.' })
    groupId: number | null,
    @Arg('vmTicketRef', () => String, {
      nullable: true,
      description: 'Id of the order for the VM, 1 to 256 characters.',
    })
    vmTicketRef: string | null,
    @Ctx() { viewer, database, publicUrl, now, log, services: { engine } }: NetworkContext,
  ): Promise<Enrollment> {
    const change = { viewer: requireUser(viewer), now: now() };
    return enrollPeer({ database, publicUrl, log, now, engine }, change, { vmLabel, groupId, vmTicketRef });
  }

  @Query(() => [SetupKey], {
    description:
      'Your setup keys, oldest first. Above 5,000, the oldest that are revoked or have lost their peer are deleted, but never those of the platform’s virtual machines. Error FORBIDDEN until your private network is provisioned.',
  })
  setupKeys(@Ctx() { viewer, database, now }: Context): Promise<SetupKey[]> {
    return listSetupKeys(database, requireUser(viewer), now());
  }

  @Mutation(() => Boolean, {
    description:
      'Revokes a setup key. Revoking a used key does not remove the machine that joined with it. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async revokeSetupKey(
    @Arg('id', () => Int, { description: 'The setup key.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await revokeSetupKey(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
