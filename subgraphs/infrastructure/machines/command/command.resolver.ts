import { Arg, Args, ArgsType, Ctx, Field, ID, Int, Mutation, Resolver } from 'type-graphql';
import { requireBetaUser, requireUser } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { VmInstance } from '../instance/instance.js';
import { checkIdempotencyKey, readName } from '../instance/instance.rules.js';
import { checkSshKey } from '../instance/ssh-key.rules.js';
import { commandInstance } from './command.actions.js';
import { spawnInstance } from './spawn.actions.js';

@ArgsType()
class SpawnArgs {
  @Field(() => Int, { description: 'Id of an available flavor.' })
  flavorId!: number;

  @Field(() => Int, { description: 'Id of an available image.' })
  imageId!: number;

  @Field(() => String, {
    description: 'An OpenSSH public key: ed25519, RSA of at least 2048 bits, ECDSA on a NIST curve, or sk- forms.',
  })
  sshPublicKey!: string;

  @Field(() => Int, { nullable: true, description: 'Id of an available application to install at the first boot.' })
  applicationId?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name, at most 63 characters. The host name is made from its letters, digits and dashes. Omitted: flavor name and id.',
  })
  name?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether it joins your private network at its first boot. The network must be provisioned before.',
  })
  joinNetwork!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key, 1 to 255 printable ASCII characters. Repeating a request with the same key returns the same machine.',
  })
  idempotencyKey?: string | null;
}

const ID_DESCRIPTION = 'Id or uuid of the machine.';

@Resolver()
export class VmCommandResolver {
  @Mutation(() => VmInstance, {
    description:
      'Creates and starts a virtual machine. Requires the role BETA and 10 credits. Errors: FORBIDDEN; BAD_REQUEST; PAYMENT_REQUIRED; CONFLICT for an idempotency key of another request and for more than 100 machines.',
  })
  spawnVm(@Args(() => SpawnArgs) args: SpawnArgs, @Ctx() context: InfrastructureContext): Promise<VmInstance> {
    const { userId } = requireBetaUser(context.viewer);
    const { flavorId, imageId, applicationId = null, idempotencyKey = null } = args;
    const name = readName(args.name ?? null);
    if (idempotencyKey !== null) checkIdempotencyKey(idempotencyKey);
    const sshPublicKey = checkSshKey(args.sshPublicKey);
    const joins = args.joinNetwork ? ({ joinsNetwork: true } as const) : {};
    const input = { flavorId, imageId, applicationId, sshPublicKey, name, ...joins, idempotencyKey };
    return spawnInstance(context, userId, input);
  }

  @Mutation(() => VmInstance, {
    description:
      'Starts a stopped machine. Errors: NOT_FOUND, CONFLICT, PAYMENT_REQUIRED when credits do not cover one hour.',
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
    description:
      'Terminates a machine and deletes its disk. This cannot be undone. Repeating it has no further effect. Error NOT_FOUND.',
  })
  terminateVm(
    @Arg('id', () => ID, { description: ID_DESCRIPTION }) id: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<VmInstance> {
    return commandInstance(context, { userId: requireUser(context.viewer).userId, id, command: 'terminate' });
  }
}
