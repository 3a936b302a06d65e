import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { requireUser } from '../../../../kernel/viewer.js';
import { readInstance } from '../instance/instance.actions.js';
import { VmInstance } from '../instance/instance.js';
import type { InfrastructureContext } from '../../services.js';
import { readBilling, setWarning } from './billing.actions.js';
import { VmBilling } from './billing.js';

/** Minutes of a month: nobody wants to be warned earlier. */
const MAX_MINUTES = 31 * 24 * 60;

@Resolver(() => VmInstance)
export class VmBillingResolver {
  @Mutation(() => VmInstance, {
    description:
      'Sets when you are warned that credits for a machine end. Errors: BAD_REQUEST, NOT_FOUND, CONFLICT for one that is terminated.',
  })
  async setVmWarning(
    @Arg('id', () => ID, { description: 'The id of the machine, or its uuid.' }) id: string,
    @Arg('minutes', () => Int, { description: 'Minutes of running left, 0 to 44640; 60 unless set.' }) minutes: number,
    @Ctx() { viewer, database }: InfrastructureContext,
  ): Promise<VmInstance> {
    const { userId } = requireUser(viewer);
    if (minutes < 0 || minutes > MAX_MINUTES) throw badRequest(`\`minutes\` must be from 0 to ${MAX_MINUTES}.`);
    const instance = await readInstance(database, userId, id);
    await setWarning(database, { id: instance.id, minutes });
    return instance;
  }

  @FieldResolver(() => VmBilling, { description: 'What it costs.' })
  billing(@Root() instance: VmInstance, @Ctx() context: InfrastructureContext): Promise<VmBilling> {
    return readBilling(context, instance);
  }
}
