import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { NetworkContext } from '../../services.js';
import { COMPILES } from '../../views/costs.js';
import { planUndo } from './network-plan.actions.js';
import { NetworkPlan } from './network-plan.js';

@Resolver(() => NetworkPlan)
export class NetworkPlanResolver {
  @Directive(COMPILES)
  @Query(() => NetworkPlan, {
    description:
      'What reverting a change and all later ones would change, allow and block, without doing it. Changes that are undone, and undos, are skipped, as `undoLastChange` does. Errors: FORBIDDEN until your private network is provisioned; CONFLICT when there is no such change, it is undone, or one of the changes cannot be reverted; BAD_REQUEST when there are too many policies to plan it; UNAVAILABLE when the network takes too long to compile; RATE_LIMITED when too many of these requests are waiting.',
  })
  async planUndo(
    @Arg('id', () => String, { description: 'The oldest change to revert.' }) id: string,
    @Ctx() { viewer, database, services, now }: NetworkContext,
  ): Promise<NetworkPlan> {
    const user = requireUser(viewer);
    const planner = { database, compiler: services.compiler };
    return services.reading.take(`${user.userId}`, () => planUndo(planner, { viewer: user, now: now() }, id));
  }
}
