import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { requirePlatform, requireUser } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { readConsole } from './console.actions.js';
import { lookSoon } from './host.actions.js';
import { findInstance, instanceChanges, listInstances, readInstance } from './instance.actions.js';
import { VmInstance } from './instance.js';

const ID_DESCRIPTION = 'The id of the machine, or its uuid.';

@Resolver(() => VmInstance)
export class VmInstanceResolver {
  @Query(() => [VmInstance], {
    description: 'Your virtual machines, newest first; terminated ones for an hour after their end.',
  })
  vmInstances(@Ctx() { viewer, database, now }: InfrastructureContext): Promise<VmInstance[]> {
    return listInstances(database, requireUser(viewer).userId, now());
  }

  @Query(() => VmInstance, { description: 'A virtual machine of yours. Error NOT_FOUND.' })
  vmInstance(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<VmInstance> {
    return readInstance(database, requireUser(viewer).userId, id);
  }

  @Directive('@inaccessible')
  @Query(() => ID, {
    nullable: true,
    description:
      'The uuid of a machine of a user that is neither gone nor on its way to, for other parts of the platform; null where it is none.',
  })
  async vmOfUser(
    @Arg('userId', () => Int, { description: 'The user.' }) userId: number,
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<string | null> {
    requirePlatform(viewer);
    const found = await findInstance(database, userId, id);
    return found && found.status !== 'terminated' && found.status !== 'terminating' ? found.uuid : null;
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description:
      'Has a machine looked at soon, as another part of the platform knows that it changed; true also where there is none.',
  })
  async lookAtVm(
    @Arg('uuid', () => ID, { description: 'Of the machine.' }) uuid: string,
    @Ctx() { viewer, database, jobs }: InfrastructureContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    await database.change((transaction) => lookSoon(transaction, jobs, uuid));
    return true;
  }

  @Query(() => String, {
    nullable: true,
    description:
      'The end of what a machine wrote to its console; null where its host keeps none. Errors: NOT_FOUND, BAD_REQUEST for the size.',
  })
  vmConsoleLog(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Arg('kib', () => Int, { defaultValue: 64, description: 'So many KiB of it at most: 1 to 256.' }) kib: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<string | null> {
    return readConsole(context, { userId: requireUser(context.viewer).userId, id, kib });
  }

  @Subscription(() => VmInstance, {
    description: 'Each virtual machine of yours after each of its changes.',
    subscribe: ({ context }: { context: InfrastructureContext }) => instanceChanges(context),
  })
  vmInstanceChanged(@Root() instance: VmInstance): VmInstance {
    return instance;
  }
}
