import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { requireBetaUser, requirePlatform, requireUser } from '../../../../kernel/viewer.js';
import { readBilling } from '../billing/billing.actions.js';
import { VmBilling } from '../billing/billing.js';
import type { InfrastructureContext } from '../../services.js';
import { commandInstance } from './command.actions.js';
import { readConsole } from './console.actions.js';
import { lookSoon } from './host.actions.js';
import { findInstance, instanceChanges, listInstances, readInstance } from './instance.actions.js';
import { VmInstance } from './instance.js';
import { checkIdempotencyKey, readName } from './instance.rules.js';
import { spawnInstance } from './spawn.actions.js';
import { checkSshKey } from './ssh-key.rules.js';

@ArgsType()
class SpawnArgs {
  @Field(() => Int, { description: 'A flavor on offer.' })
  flavorId!: number;

  @Field(() => Int, { description: 'An image on offer.' })
  imageId!: number;

  @Field(() => String, {
    description: 'An OpenSSH public key: ed25519, RSA of at least 2048 bits, ECDSA on a NIST curve, or sk- forms.',
  })
  sshPublicKey!: string;

  @Field(() => Int, { nullable: true, description: 'An application on offer to start with.' })
  applicationId?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'At most 63 characters; its letters, digits and dashes make the host name. Made of flavor and id when left out.',
  })
  name?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether it joins your private network when it first starts; your network must be provisioned.',
  })
  joinNetwork!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The same key with the same request again is the same machine: 1 to 255 printable characters.',
  })
  idempotencyKey?: string | null;
}

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

  @Mutation(() => VmInstance, {
    description:
      'Has a virtual machine made; it comes up by itself. Needs the role BETA and 10 credits. Errors: FORBIDDEN, BAD_REQUEST, PAYMENT_REQUIRED, CONFLICT for the idempotency key and for more than 100 machines.',
  })
  spawnVm(@Args(() => SpawnArgs) args: SpawnArgs, @Ctx() context: InfrastructureContext): Promise<VmInstance> {
    const { userId } = requireBetaUser(context.viewer);
    const { flavorId, imageId, applicationId = null, idempotencyKey = null } = args;
    const name = readName(args.name ?? null);
    if (idempotencyKey !== null) checkIdempotencyKey(idempotencyKey);
    const sshPublicKey = checkSshKey(args.sshPublicKey);
    const joins = args.joinNetwork ? ({ joinsNetwork: true } as const) : {};
    const asked = { flavorId, imageId, applicationId, sshPublicKey, name, ...joins, idempotencyKey };
    return spawnInstance(context, userId, asked);
  }

  @Mutation(() => VmInstance, {
    description: 'Starts a stopped machine. Errors: NOT_FOUND, CONFLICT, PAYMENT_REQUIRED without credits for an hour.',
  })
  startVm(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<VmInstance> {
    return commandInstance(context, { userId: requireUser(context.viewer).userId, id, command: 'start' });
  }

  @Mutation(() => VmInstance, { description: 'Shuts a running machine down. Errors: NOT_FOUND, CONFLICT.' })
  stopVm(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<VmInstance> {
    return commandInstance(context, { userId: requireUser(context.viewer).userId, id, command: 'stop' });
  }

  @Mutation(() => VmInstance, { description: 'Reboots a running machine. Errors: NOT_FOUND, CONFLICT.' })
  rebootVm(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<VmInstance> {
    return commandInstance(context, { userId: requireUser(context.viewer).userId, id, command: 'reboot' });
  }

  @Mutation(() => VmInstance, {
    description: 'Ends a machine for ever, with its disk; again is the same. Error NOT_FOUND.',
  })
  terminateVm(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<VmInstance> {
    return commandInstance(context, { userId: requireUser(context.viewer).userId, id, command: 'terminate' });
  }

  @Subscription(() => VmInstance, {
    description: 'Each virtual machine of yours after each of its changes.',
    subscribe: ({ context }: { context: InfrastructureContext }) => instanceChanges(context),
  })
  vmInstanceChanged(@Root() instance: VmInstance): VmInstance {
    return instance;
  }

  @FieldResolver(() => VmBilling, { description: 'What it costs.' })
  billing(@Root() instance: VmInstance, @Ctx() context: InfrastructureContext): Promise<VmBilling> {
    return readBilling(context, instance);
  }
}
