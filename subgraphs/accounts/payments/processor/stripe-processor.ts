import type Stripe from 'stripe';
import { badRequest, errorCode, unavailable } from '../../../../kernel/errors.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { ProcessorEventData } from './processor-event-data.js';
import { eventDataOfObject } from './processor-event-data.rules.js';
import type { CheckoutRequest, OpenedCheckout, Processor, ProcessorEvent, ProcessorPlan } from './processor.js';
import { planOfPrice } from './stripe-plan.rules.js';
import { asEvent, readSignedEvent } from './stripe-webhook.js';

/** Event types that are processed, also by reconciliation. */
const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice.payment_failed',
  'invoice_payment.paid',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** Events that are read at once. The processor lists the newest first. */
const EVENTS_AT_ONCE = 5_000;

/** Dependencies of the adapter. */
export interface StripeDependencies {
  readonly stripe: Stripe;
  readonly webhookSecrets: () => Promise<readonly string[]>;
  readonly circuitBreaker: CircuitBreaker;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** A processor with Stripe's API: Stripe itself, the sandbox of this process, or another compatible server. */
export class StripeProcessor implements Processor {
  constructor(private readonly dependencies: StripeDependencies) {}

  async openCheckout(request: CheckoutRequest): Promise<OpenedCheckout> {
    const { checkoutId, item } = request;
    const open = (parameters: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
      this.send((stripe) => stripe.checkout.sessions.create(parameters, { idempotencyKey }));
    // The processor refuses a key with another customer.
    const key = item.mode === 'subscription' ? `${checkoutId}-${item.customerId}` : checkoutId;
    const session = await open(sessionParameters(request), `checkout-${key}`).catch((error: unknown) => {
      if (errorCode(error) !== 'BAD_REQUEST' || item.mode !== 'onetime' || item.email === null) throw error;
      const withoutEmail = sessionParameters({ ...request, item: { ...item, email: null } });
      return open(withoutEmail, `checkout-bare-${checkoutId}`);
    });
    if (session.url == null) throw unavailable('The payment processor did not create a page.');
    return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
  }

  async openPayment({ transactionId, cents }: { transactionId: string; cents: number }) {
    const intent = await this.send((stripe) =>
      stripe.paymentIntents.create(
        {
          amount: cents,
          currency: 'usd',
          automatic_payment_methods: { enabled: true },
          metadata: { transaction_id: transactionId },
        },
        { idempotencyKey: `payment-${transactionId}` },
      ),
    );
    if (intent.client_secret == null) throw unavailable('The payment processor did not create a payment.');
    return { paymentIntentId: intent.id, clientSecret: intent.client_secret };
  }

  async addCustomer({ rowId, userId }: { rowId: string; userId: number }) {
    // Without the e-mail, which the user may change: Stripe refuses a key with other parameters. `customer-` was sent with it.
    const { id } = await this.send((stripe) =>
      stripe.customers.create({ metadata: { user_id: String(userId) } }, { idempotencyKey: `customer-bare-${rowId}` }),
    );
    return id;
  }

  async setCustomerEmail(customerId: string, email: string): Promise<void> {
    await this.send((stripe) => stripe.customers.update(customerId, { email }));
  }

  async hasCustomer(customerId: string): Promise<boolean> {
    try {
      const { deleted } = await this.send((stripe) => stripe.customers.retrieve(customerId));
      return deleted !== true;
    } catch (error) {
      if (errorCode(error) === 'BAD_REQUEST') return false;
      throw error;
    }
  }

  async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const portal = await this.send((stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }),
    );
    return portal.url;
  }

  async plans(): Promise<ProcessorPlan[]> {
    const prices = await this.send((stripe) =>
      stripe.prices
        .list({ active: true, type: 'recurring', expand: ['data.product'], limit: 100 })
        .autoPagingToArray({ limit: 500 }),
    );
    return prices.flatMap((price) => planOfPrice(price) ?? []).toSorted((a, b) => a.cents - b.cents);
  }

  async eventDataOfCheckout(sessionId: string): Promise<ProcessorEventData[]> {
    const session = await this.send((stripe) =>
      stripe.checkout.sessions.retrieve(sessionId, { expand: ['subscription', 'invoice'] }),
    );
    return [session, session.subscription, session.invoice].flatMap(eventDataIn);
  }

  async eventDataOfPayment(paymentIntentId: string): Promise<ProcessorEventData[]> {
    return eventDataIn(await this.send((stripe) => stripe.paymentIntents.retrieve(paymentIntentId)));
  }

  async closeUnpaid(paymentIntentId: string): Promise<ProcessorEventData[]> {
    const intent = await this.send((stripe) => stripe.paymentIntents.retrieve(paymentIntentId));
    if (!isAbandoned(intent)) return eventDataIn(intent);
    const options = { idempotencyKey: `cancel-${paymentIntentId}` };
    try {
      return eventDataIn(
        await this.send((stripe) =>
          stripe.paymentIntents.cancel(paymentIntentId, { cancellation_reason: 'abandoned' }, options),
        ),
      );
    } catch (error) {
      // It was confirmed in between.
      if (errorCode(error) === 'BAD_REQUEST') return this.eventDataOfPayment(paymentIntentId);
      throw error;
    }
  }

  async eventDataOfSubscription(subscriptionId: string): Promise<ProcessorEventData[]> {
    return eventDataIn(await this.send((stripe) => stripe.subscriptions.retrieve(subscriptionId)));
  }

  async eventDataOfInvoicePayment(paymentIntentId: string): Promise<ProcessorEventData[]> {
    const { data } = await this.send((stripe) =>
      stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: paymentIntentId } }),
    );
    return data.flatMap(eventDataIn);
  }

  async *eventsSince(since: Date): AsyncIterableIterator<ProcessorEvent> {
    const list = { created: { gte: Math.floor(since.getTime() / 1000) }, types: EVENT_TYPES, limit: 100 };
    let last: string | undefined;
    let events: Stripe.Event[];
    do {
      const part = { ...list, ...(last !== undefined && { starting_after: last }) };
      events = await this.send((stripe) => stripe.events.list(part).autoPagingToArray({ limit: EVENTS_AT_ONCE }));
      last = events.at(-1)?.id;
      yield* events.map((event) => asEvent(event, JSON.stringify(event))).toReversed();
    } while (events.length === EVENTS_AT_ONCE);
  }

  async readWebhook(body: string, signature: string): Promise<ProcessorEvent> {
    const { stripe, webhookSecrets, now } = this.dependencies;
    return readSignedEvent(stripe, { body, signature, secrets: await webhookSecrets() }, now());
  }

  private async send<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    const { stripe, circuitBreaker, now, log } = this.dependencies;
    try {
      return await circuitBreaker.call(() => work(stripe), { now, isOutage });
    } catch (error) {
      if (errorCode(error)) throw error;
      log[isOutage(error) ? 'error' : 'warn'](refusalOf(error), 'the payment processor failed or refused a request');
      if (isOutage(error)) throw unavailable('The payment processor is not responding.');
      if (isBusy(error)) throw unavailable('The payment processor is busy; try again.');
      throw badRequest('The payment processor rejected this request.');
    }
  }
}

/** What the log says of an error of the processor: without its headers, and without a key that its message repeats. */
function refusalOf(error: unknown) {
  const { type, code, statusCode, param, requestId, message } = error as Partial<Stripe.errors.StripeError>;
  const text = String(message)
    .replaceAll(/[a-z]+_(?:live|test)_[\w*]+/g, '[key]')
    .slice(0, MAX_MESSAGE_LENGTH);
  return { type, code, status: statusCode, param, processorRequestId: requestId, reason: text };
}

/** Maximum length of a message of the processor in the log. */
const MAX_MESSAGE_LENGTH = 300;

/** Whether an error is an outage: any error except a refused request and too many of them. */
function isOutage(error: unknown): boolean {
  const { statusCode: status } = error as { statusCode?: number };
  return !(status === 400 || status === 402 || status === 404 || isBusy(error));
}

/** Whether the processor answers, but has too many requests, or the same one in progress. */
function isBusy(error: unknown): boolean {
  const { statusCode: status } = error as { statusCode?: number };
  return status === 409 || status === 429;
}

/** Whether nobody pays any more: no method was given, or the payer did not return from the page of the bank. A voucher may be paid days later. */
function isAbandoned({ status, next_action: action }: Stripe.PaymentIntent): boolean {
  if (status === 'requires_action') return action?.type === 'redirect_to_url' || action?.type === 'use_stripe_sdk';
  return status === 'requires_payment_method' || status === 'requires_confirmation';
}

function eventDataIn(object: unknown): ProcessorEventData[] {
  return typeof object === 'object' && object !== null ? eventDataOfObject(object as Record<string, unknown>) : [];
}

function sessionParameters(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { checkoutId, transactionId, item } = request;
  const metadata = { checkout_id: checkoutId, ...(transactionId !== null && { transaction_id: transactionId }) };
  const both = {
    client_reference_id: checkoutId,
    metadata,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  };
  if (item.mode === 'subscription') {
    return {
      ...both,
      mode: 'subscription',
      customer: item.customerId,
      allowed_payment_method_types: [...item.methods] as Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[],
      line_items: [{ price: item.priceId, quantity: 1 }],
      subscription_data: { metadata },
    };
  }
  const price = { currency: 'usd', unit_amount: item.cents, product_data: { name: 'Platform credits' } };
  return {
    ...both,
    mode: 'payment',
    ...(item.email !== null && { customer_email: item.email }),
    line_items: [{ price_data: price, quantity: 1 }],
    payment_intent_data: { metadata },
  };
}
