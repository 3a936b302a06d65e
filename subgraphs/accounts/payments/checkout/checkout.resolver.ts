import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { queryBeforeWebhook } from '../processor-events/reconciliation.actions.js';
import { centsOf, CHECKOUT_CENTS } from '../transaction/amount.rules.js';
import { checkoutOf, openCheckout } from './checkout.actions.js';
import { CheckoutSession, CustomerPortal } from './checkout.js';
import { openPortal } from './portal.actions.js';
import { offeredPlan } from '../plan/plan.actions.js';
import { processorOf } from '../processor/open-processor.js';
import { paymentMethods, priceId as checkedPriceId, returnUrl } from './request.rules.js';

@Resolver()
export class CheckoutResolver {
  @Mutation(() => CheckoutSession, {
    description:
      'Creates a checkout page for a one-time purchase of credits. Repeating the request while the page is open returns the same page. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.',
  })
  createCheckoutSession(
    @Arg('amount', () => Decimal, { description: 'US dollars, 20 to 10000, at most 2 decimal places.' }) amount: string,
    @Arg('successUrl', () => String, { nullable: true, description: 'URL to return to after the payment.' })
    successUrl: string | null,
    @Arg('cancelUrl', () => String, { nullable: true, description: 'URL to return to if the payer cancels.' })
    cancelUrl: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<CheckoutSession> {
    const { userId } = requireUser(context.viewer);
    const cents = centsOf(amount, CHECKOUT_CENTS);
    const urls = urlsOf(context, successUrl, cancelUrl);
    return openCheckout(context, { userId, cents, ...urls, what: { mode: 'onetime' } });
  }

  @Mutation(() => CheckoutSession, {
    description:
      'Creates a checkout page for a one-time purchase or a subscription. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.',
  })
  createPayment(
    @Arg('paymentType', () => String, { nullable: true, description: 'Required: `subscription` or `onetime`.' })
    paymentType: string | null,
    @Arg('priceId', () => String, {
      nullable: true,
      description: 'Required for a subscription: the price id of the plan.',
    })
    priceId: string | null,
    @Arg('amount', () => Decimal, { nullable: true, description: 'Required for onetime: US dollars, 20 to 10000.' })
    amount: string | null,
    @Arg('successUrl', () => String, { nullable: true, description: 'URL to return to after the payment.' })
    successUrl: string | null,
    @Arg('cancelUrl', () => String, { nullable: true, description: 'URL to return to if the payer cancels.' })
    cancelUrl: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<CheckoutSession> {
    requireUser(context.viewer);
    if (paymentType === 'subscription') return this.createSubscription(priceId, null, successUrl, cancelUrl, context);
    if (paymentType !== 'onetime') throw badRequest('`payment_type` must be subscription or onetime.');
    if (amount == null) throw badRequest('`amount` is required for a one-time payment.');
    return this.createCheckoutSession(amount, successUrl, cancelUrl, context);
  }

  @Mutation(() => CheckoutSession, {
    description: 'Creates a checkout page for a subscription. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.',
  })
  async createSubscription(
    @Arg('priceId', () => String, { nullable: true, description: 'Required: the price id of the plan.' })
    priceId: string | null,
    @Arg('paymentMethodTypes', () => [String], {
      nullable: true,
      description: 'Payment methods, at most 5; default: card.',
    })
    paymentMethodTypes: string[] | null,
    @Arg('successUrl', () => String, { nullable: true, description: 'URL to return to after the payment.' })
    successUrl: string | null,
    @Arg('cancelUrl', () => String, { nullable: true, description: 'URL to return to if the payer cancels.' })
    cancelUrl: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<CheckoutSession> {
    const { userId } = requireUser(context.viewer);
    const id = checkedPriceId(priceId);
    const methods = paymentMethods(paymentMethodTypes);
    const urls = urlsOf(context, successUrl, cancelUrl);
    const plan = await offeredPlan(context, userId, id);
    if (!plan) throw badRequest('`price_id` is not an available plan; see subscription-plans.');
    return openCheckout(context, {
      userId,
      cents: plan.cents,
      ...urls,
      what: { mode: 'subscription', priceId: id, methods },
    });
  }

  @Mutation(() => CustomerPortal, {
    description:
      'Creates a link to the customer portal, where you manage cards and subscriptions. Errors BAD_REQUEST if you never had a subscription, RATE_LIMITED above 30 per minute, UNAVAILABLE.',
  })
  async openCustomerPortal(
    @Arg('returnUrl', () => String, { nullable: true, description: 'URL to return to from the portal.' })
    url: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<CustomerPortal> {
    const { userId } = requireUser(context.viewer);
    return {
      portalUrl: await openPortal(context, userId, returnUrl(url, 'return_url', `${context.publicUrl}/billing`)),
    };
  }

  @Query(() => CheckoutSession, {
    description: 'One of your checkout pages, with its current state at the payment processor. Error NOT_FOUND.',
  })
  async checkoutSession(
    @Arg('id', () => String, { description: 'Id of the page, or its session id at the payment processor.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<CheckoutSession> {
    const { userId } = requireUser(context.viewer);
    await processorOf(context);
    await queryBeforeWebhook(context, userId, id);
    const session = await checkoutOf(context, userId, id);
    if (!session) throw notFound('There is no such page.');
    return session;
  }
}

function urlsOf({ publicUrl }: AccountsContext, successUrl: string | null, cancelUrl: string | null) {
  return {
    successUrl: returnUrl(successUrl, 'success_url', `${publicUrl}/billing?checkout=success`),
    cancelUrl: returnUrl(cancelUrl, 'cancel_url', `${publicUrl}/billing?checkout=cancelled`),
  };
}
