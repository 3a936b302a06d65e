import type { ProcessorEventData } from './processor-event-data.js';

/** A checkout page to open. */
export interface CheckoutRequest {
  /** Id of our row; used as idempotency key. */
  readonly checkoutId: string;
  /** The transaction that a one-time payment will complete. */
  readonly transactionId: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly item:
    | { readonly mode: 'onetime'; readonly cents: number; readonly email: string | null }
    | {
        readonly mode: 'subscription';
        readonly priceId: string;
        readonly customerId: string;
        readonly methods: readonly string[];
      };
}

/** An open hosted page. */
export interface OpenedCheckout {
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** A recurring price that users can subscribe to. */
export interface ProcessorPlan {
  readonly priceId: string;
  readonly productId: string;
  readonly name: string;
  readonly description: string;
  readonly cents: number;
  /** Lower case. */
  readonly currency: string;
  readonly interval: string;
  readonly intervalCount: number;
  /** Credits for each billing period. */
  readonly credits: number;
}

/** A processor event with its raw payload. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** The JSON as received. */
  readonly payload: string;
}

/**
 * A payment processor. Each call has a timeout. Ids of our own rows are idempotency keys. @throws UNAVAILABLE when it
 * does not answer or is busy, BAD_REQUEST when it refuses the input
 */
export interface Processor {
  /** Opens a page; without the e-mail if it is refused. */
  openCheckout(request: CheckoutRequest): Promise<OpenedCheckout>;
  /** Opens a payment that the client confirms with the secret. */
  openPayment(payment: {
    readonly transactionId: string;
    readonly cents: number;
  }): Promise<{ readonly paymentIntentId: string; readonly clientSecret: string }>;
  /** @returns the id of the customer record, the same for the same row */
  addCustomer(customer: { readonly rowId: string; readonly userId: number }): Promise<string>;
  setCustomerEmail(customerId: string, email: string): Promise<void>;
  /** Whether a customer record with this id exists and was not deleted. */
  hasCustomer(customerId: string): Promise<boolean>;
  /** @returns the URL of the page where a customer changes cards and subscriptions */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  /** All recurring prices on offer, the cheapest first. */
  plans(): Promise<ProcessorPlan[]>;
  /** The state of a hosted page, with its payment, subscription and first invoice. */
  eventDataOfCheckout(sessionId: string): Promise<ProcessorEventData[]>;
  eventDataOfPayment(paymentIntentId: string): Promise<ProcessorEventData[]>;
  /** Cancels a one-time payment that nobody pays any more. @returns its state, which is unchanged if it is paid or in process */
  closeUnpaid(paymentIntentId: string): Promise<ProcessorEventData[]>;
  eventDataOfSubscription(subscriptionId: string): Promise<ProcessorEventData[]>;
  /** The invoice of a payment; empty for one-time payments. */
  eventDataOfInvoicePayment(paymentIntentId: string): Promise<ProcessorEventData[]>;
  /** Events since this time, in batches of 5,000: the newest batch first, each batch oldest first. */
  eventsSince(since: Date): AsyncIterable<ProcessorEvent>;
  /** Parses the event of a webhook. @throws BAD_REQUEST unless one of our secrets signed it recently */
  readWebhook(body: string, signature: string): Promise<ProcessorEvent>;
}
