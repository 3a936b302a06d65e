import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { readInstance } from '../instance/instance.actions.js';
import { VmInstance } from '../instance/instance.js';
import type { InfrastructureContext } from '../../services.js';
import { readBilling, setWarning } from './billing.actions.js';
import { VmBilling } from './billing.js';

/** Maximum warning threshold: minutes of a month. */
const MAX_MINUTES = 31 * 24 * 60;

@Resolver(() => VmInstance)
export class VmBillingResolver {
  @Mutation(() => VmInstance, {
    description:
      'Sets how many minutes before credits run out you are warned. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for a terminated machine.',
  })
  async setVmWarning(
    @Arg('id', () => ID, { description: 'Id or uuid of the machine.' }) id: string,
    @Arg('minutes', () => Int, { description: 'Warning threshold in minutes, 0 to 44640; initially 60.' })
    minutes: number,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<VmInstance> {
    const { userId } = requireUser(viewer);
    if (minutes < 0 || minutes > MAX_MINUTES) throw badRequest(`\`minutes\` must be from 0 to ${MAX_MINUTES}.`);
    const { id: instanceId } = await readInstance(database, userId, id);
    await setWarning(database, { userId, id: instanceId, minutes });
    return readInstance(database, userId, instanceId);
  }

  @FieldResolver(() => VmBilling, { description: 'Its cost and billing state.' })
  billing(@Root() instance: VmInstance, @Ctx() context: InfrastructureContext): Promise<VmBilling> {
    return readBilling(context, instance);
  }
}
