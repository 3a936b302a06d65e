import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { badRequest } from '../../../../kernel/errors.js';
import { IntegerOrString } from '../../../../kernel/scalars/scalars.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { VM_OF_USER } from '../../calls.js';
import type { NetworkContext } from '../../services.js';
import { deleteInfra, enrollInfra, listInfra } from './infra.actions.js';
import { issueInfraKey } from './infra-key.actions.js';
import { InfraEnrollment, InfraSetupKey } from './infra.js';

@Resolver(() => InfraEnrollment)
export class InfraResolver {
  @Mutation(() => InfraEnrollment, {
    description:
      'Attaches a machine that the platform runs. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for the name and for a VM instance or group that is not yours, CONFLICT when the name is taken, the VM instance is already attached or no address is left.',
  })
  async enrollInfra(
    @Arg('name', () => String, { description: '1 to 128 characters.' }) name: string,
    @Arg('vmInstance', () => IntegerOrString, {
      nullable: true,
      description: 'One of your VM instances, by id or uuid. Default: a managed gateway.',
    })
    vmInstance: number | string | null | undefined,
    @Arg('groupId', () => Int, { nullable: true, description: 'One of your groups, as an additional group.' })
    groupId: number | null,
    @Ctx() { viewer, database, jobs, now, callSubgraph, requestId }: NetworkContext,
  ): Promise<InfraEnrollment> {
    const user = requireUser(viewer);
    const key = { userId: user.userId, id: String(vmInstance) };
    const uuid = vmInstance == null ? null : await callSubgraph(VM_OF_USER, key, requestId);
    if (uuid === '') throw badRequest('`vm_instance` is not one of your VM instances.');
    return enrollInfra(
      { database, jobs },
      { viewer: user, now: now() },
      { name, vm: { uuid, sent: vmInstance ?? null }, groupId },
    );
  }

  @Mutation(() => InfraSetupKey, {
    description:
      'Creates the setup key for the machine of an enrollment, valid for 24 hours. An earlier unused key is revoked. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT after its machine has joined or its peer was deleted, UNAVAILABLE when the server that creates keys does not respond or refuses.',
  })
  async issueInfraSetupKey(
    @Arg('id', () => Int, { description: 'The enrollment.' }) id: number,
    @Ctx() { viewer, database, publicUrl, now, log, services: { engine } }: NetworkContext,
  ): Promise<InfraSetupKey> {
    const change = { viewer: requireUser(viewer), now: now() };
    return issueInfraKey({ database, publicUrl, log, now, engine }, change, id);
  }

  @Query(() => [InfraEnrollment], {
    description:
      'Machines of the platform in your network, oldest first. Error FORBIDDEN until your private network is provisioned.',
  })
  infraEnrollments(@Ctx() { viewer, database, now }: Context): Promise<InfraEnrollment[]> {
    return listInfra(database, requireUser(viewer), now());
  }

  @Mutation(() => Boolean, {
    description:
      'Detaches a machine and deletes its peer. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.',
  })
  async deleteInfraEnrollment(
    @Arg('id', () => Int, { description: 'The enrollment.' }) id: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<boolean> {
    await deleteInfra(database, { viewer: requireUser(viewer), now: now() }, id);
    return true;
  }
}
