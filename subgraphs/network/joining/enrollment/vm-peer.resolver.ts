import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { requirePlatform } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { findTenant } from '../../graph/tenant/tenant.actions.js';
import { dropVmPeer, enrollVm, findVmAddresses, findVmPeer } from './vm-peer.actions.js';
import { VmAddress, VmEnrollment, VmPeer } from './vm-peer.js';

const USER = 'The owner of the machine.';
const UUID = 'The machine.';

@Resolver()
export class VmPeerResolver {
  @Directive('@inaccessible')
  @Query(() => Boolean, { description: 'Whether a user has a private network, for other parts of the platform.' })
  async hasPrivateNetwork(
    @Arg('userId', () => Int, { description: 'The user.' }) userId: number,
    @Ctx() { viewer, database }: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    return (await findTenant(database, userId)) !== undefined;
  }

  @Directive('@inaccessible')
  @Mutation(() => VmEnrollment, {
    description:
      'Creates a peer for a virtual machine in its owner’s network. Safe to repeat. Errors: FORBIDDEN until that network is provisioned, CONFLICT when no address is left, UNAVAILABLE.',
  })
  enrollVm(
    @Arg('userId', () => Int, { description: USER }) userId: number,
    @Arg('uuid', () => ID, { description: UUID }) uuid: string,
    @Arg('label', () => String, { description: 'Label of the peer: 1 to 100 characters without control characters.' })
    label: string,
    @Ctx() { viewer, database, services: { secretBox, engine }, publicUrl, log, now }: NetworkContext,
  ): Promise<VmEnrollment> {
    requirePlatform(viewer);
    return enrollVm({ database, secretBox, engine, publicUrl, log, now }, { userId, uuid, label });
  }

  // For the previous version of infrastructure; the next one removes it.
  @Directive('@inaccessible')
  @Query(() => VmPeer, { nullable: true, description: 'The peer of a virtual machine; null if it has none.' })
  vmPeer(
    @Arg('userId', () => Int, { description: USER }) userId: number,
    @Arg('uuid', () => ID, { description: UUID }) uuid: string,
    @Ctx() { viewer, database }: NetworkContext,
  ): Promise<VmPeer | null> {
    requirePlatform(viewer);
    return findVmPeer(database, { userId, uuid });
  }

  @Directive('@inaccessible')
  @Query(() => [VmAddress], {
    description:
      'The overlay addresses of virtual machines that have joined their owner’s network; others are omitted.',
  })
  vmAddresses(
    @Arg('userIds', () => [Int], { description: 'The owners of the machines.' }) userIds: number[],
    @Arg('uuids', () => [ID], { description: 'The machines.' }) uuids: string[],
    @Ctx() { viewer, database }: NetworkContext,
  ): Promise<VmAddress[]> {
    requirePlatform(viewer);
    return findVmAddresses(database, { userIds, uuids });
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description: 'Deletes the peer of a virtual machine that was deleted. Safe to repeat.',
  })
  async dropVmPeer(
    @Arg('userId', () => Int, { description: USER }) userId: number,
    @Arg('uuid', () => ID, { description: UUID }) uuid: string,
    @Ctx() { viewer, database, now }: NetworkContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    await dropVmPeer(database, { userId, uuid }, now());
    return true;
  }
}
