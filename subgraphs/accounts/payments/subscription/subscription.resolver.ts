import { Arg, Args, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import { PageArguments, listSize } from '../../../../kernel/paging/page.js';
import { pageRequest } from '../../../../kernel/paging/paging.js';
import { requireRole, requireSignedIn, requireUser } from '../../../../kernel/security/viewer.js';
import { dollarsOf } from '../transaction/amount.rules.js';
import { offeredPlans } from '../plan/plan.actions.js';
import { processorOf } from '../processor/open-processor.js';
import type { AccountsContext } from '../../services.js';
import { queryBeforeWebhook } from '../processor-events/reconciliation.actions.js';
import { activeSubscription, listSubscriptions, subscriptionById } from './subscription.actions.js';
import { ActiveSubscription, CreditSubscription, SubscriptionPage, SubscriptionPlans } from './subscription.js';
import { recommendPlan } from './subscription.rules.js';

const PER_PAGE = 50;

@Resolver()
export class SubscriptionResolver {
  @Query(() => SubscriptionPlans, { description: 'The available subscription plans. Error UNAVAILABLE.' })
  async subscriptionPlans(@Ctx() context: AccountsContext): Promise<SubscriptionPlans> {
    requireSignedIn(context.viewer);
    const plans = await offeredPlans(context);
    return {
      plans: plans.map(({ productId, cents, credits, ...plan }) => ({
        ...plan,
        id: productId,
        amount: Number(dollarsOf(cents)),
        creditsPerBilling: credits,
      })),
      recommendation: recommendPlan(plans),
    };
  }

  @Query(() => ActiveSubscription, { description: 'Your subscription, if you have one. Error UNAVAILABLE.' })
  async activeSubscription(@Ctx() context: AccountsContext): Promise<ActiveSubscription> {
    const { userId } = requireUser(context.viewer);
    await processorOf(context);
    let subscription = await activeSubscription(context.database, userId);
    if (!subscription) {
      await queryBeforeWebhook(context, userId);
      subscription = await activeSubscription(context.database, userId);
    }
    if (subscription) return { subscription, hasSubscription: true, message: null };
    return { subscription: null, hasSubscription: false, message: 'You have no subscription; see subscription-plans.' };
  }

  @Directive(listSize('pageSize'))
  @Query(() => SubscriptionPage, {
    description: 'The subscriptions of all users. Requires the role MARKETING, else FORBIDDEN.',
  })
  subscriptions(
    @Arg('status', () => String, { nullable: true, description: 'Returns only subscriptions with this status.' })
    status: string | null,
    @Arg('processorSubscriptionId', () => String, {
      nullable: true,
      description: 'Returns only the subscription with this id at the payment processor.',
    })
    processorSubscriptionId: string | null,
    @Arg('search', () => String, {
      nullable: true,
      description: 'Search text: part of a user name, an address, a plan or an id.',
    })
    search: string | null,
    @Arg('ordering', () => String, {
      nullable: true,
      description: 'Field name as in REST; prefix it with - for descending order. Unknown names are ignored.',
    })
    ordering: string | null,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<SubscriptionPage> {
    requireRole(viewer, 'MARKETING');
    const query = { status, processorSubscriptionId, search, ordering };
    return listSubscriptions(database, query, pageRequest(page, pageSize, PER_PAGE));
  }

  @Query(() => CreditSubscription, {
    description: 'A subscription. Requires the role MARKETING, else FORBIDDEN. Error NOT_FOUND.',
  })
  subscription(
    @Arg('id', () => Int, { description: 'The id of the subscription.' }) id: number,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<CreditSubscription> {
    requireRole(viewer, 'MARKETING');
    return subscriptionById(database, id);
  }
}
