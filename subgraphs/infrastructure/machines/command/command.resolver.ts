import { Arg, Args, ArgsType, Ctx, Field, ID, Int, Mutation, Resolver } from 'type-graphql';
import { requireBetaUser, requireUser } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { VmInstance } from '../instance/instance.js';
import { checkIdempotencyKey, readName } from '../instance/instance.rules.js';
import { checkSshKey } from '../instance/ssh-key.rules.js';
import { commandInstance } from './command.actions.js';
import { spawnInstance } from './spawn.actions.js';

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

@Resolver()
export class VmCommandResolver {
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
}
