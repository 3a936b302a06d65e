import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/viewer.js';
import type { NetworkContext } from '../../services.js';
import { enrollPeer, listSetupKeys, revokeSetupKey } from './enrollment.actions.js';
import { Enrollment, SetupKey } from './enrollment.js';

@Resolver()
export class EnrollmentResolver {
  @Mutation(() => Enrollment, {
    description:
      'Adds a peer and makes the key with which one machine joins as it. Errors: FORBIDDEN until provisioned, BAD_REQUEST for the terms and for a group that is not yours, CONFLICT when no address is left, UNAVAILABLE where a server that makes keys does not answer.',
  })
  async enrollPeer(
    @Arg('vmLabel', () => String, {
      nullable: true,
      description: 'Any text of 1 to 100 characters; `vm-<peer>` when it is left out or empty.',
    })
    vmLabel: string | null,
    @Arg('groupId', () => Int, { nullable: true, description: 'One of your groups; the default one when left out.' })
    groupId: number | null,
    @Arg('vmTicketRef', () => String, { nullable: true, description: 'The order ticket of the VM.' })
    vmTicketRef: string | null,
    @Ctx() { viewer, database, publicUrl, now, log, services: { engine } }: NetworkContext,
  ): Promise<Enrollment> {
    const change = { viewer: requireUser(viewer), now: now() };
    return enrollPeer({ database, publicUrl, log, now, engine }, change, { vmLabel, groupId, vmTicketRef });
  }

  @Query(() => [SetupKey], { description: 'Your setup keys, oldest first. Error FORBIDDEN until provisioned.' })
  setupKeys(@Ctx() { viewer, database, now }: Context): Promise<SetupKey[]> {
    return listSetupKeys(database, requireUser(viewer), now());
  }

  @Mutation(() => Boolean, {
    description:
      'Makes a setup key useless; one that was used stays used, and its machine a peer. Errors: FORBIDDEN until provisioned, NOT_FOUND.',
  })
  async revokeSetupKey(
    @Arg('id', () => Int, { description: 'The setup key.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await revokeSetupKey(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
