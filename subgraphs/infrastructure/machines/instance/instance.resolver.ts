import {
  Arg,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { requirePlatform, requireUser } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { readConsole } from './console.actions.js';
import { enqueuePoll } from './host.actions.js';
import { findInstance, instanceChanges, listInstances, readInstance } from './instance.actions.js';
import { VmInstance } from './instance.js';

const ID_DESCRIPTION = 'Id or uuid of the machine.';

@Resolver(() => VmInstance)
export class VmInstanceResolver {
  @Query(() => [VmInstance], {
    description: 'Your virtual machines, newest first. Terminated machines are listed for one hour.',
  })
  vmInstances(@Ctx() { viewer, database, now }: InfrastructureContext): Promise<VmInstance[]> {
    return listInstances(database, requireUser(viewer).userId, now());
  }

  @Query(() => VmInstance, { description: 'One of your virtual machines. Error NOT_FOUND.' })
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
      'Internal. Returns the uuid of a machine of the user, or null if there is none or it is terminated or terminating.',
  })
  async vmOfUser(
    @Arg('userId', () => Int, { description: 'Id of the user.' }) userId: number,
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
      'Internal. Schedules a check of a machine because another subgraph saw it change. Returns true even if there is no such machine.',
  })
  async lookAtVm(
    @Arg('uuid', () => ID, { description: 'Uuid of the machine.' }) uuid: string,
    @Ctx() { viewer, database, jobs }: InfrastructureContext,
  ): Promise<boolean> {
    requirePlatform(viewer);
    await database.change((transaction) => enqueuePoll(transaction, jobs, uuid));
    return true;
  }

  @Query(() => String, {
    nullable: true,
    description:
      'The last part of the console output of a machine; null if its host keeps none. Errors: NOT_FOUND, BAD_REQUEST for the size.',
  })
  vmConsoleLog(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Arg('kib', () => Int, { defaultValue: 64, description: 'Maximum size in KiB, 1 to 256.' }) kib: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<string | null> {
    return readConsole(context, { userId: requireUser(context.viewer).userId, id, kib });
  }

  @FieldResolver(() => Boolean, {
    description: 'True if no host runs the machine (`VM_PROVIDER=simulated`). Its addresses do not answer.',
  })
  isSimulated(@Ctx() { services }: InfrastructureContext): boolean {
    return services.isSimulated;
  }

  @Query(() => Boolean, {
    description: 'True if no host runs the machines (`VM_PROVIDER=simulated`). No sign-in required.',
  })
  areMachinesSimulated(@Ctx() { services }: InfrastructureContext): boolean {
    return services.isSimulated;
  }

  @Subscription(() => VmInstance, {
    description: 'Sends one of your virtual machines after each of its changes.',
    subscribe: ({ context }: { context: InfrastructureContext }) => instanceChanges(context),
  })
  vmInstanceChanged(@Root() instance: VmInstance): VmInstance {
    return instance;
  }
}
