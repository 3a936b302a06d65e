/** State of a checkout page. */
export interface CheckoutEvent {
  readonly kind: 'checkout';
  readonly sessionId: string;
  readonly checkoutId: string | null;
  readonly state: 'open' | 'complete' | 'expired' | 'failed';
  readonly isPaid: boolean;
  readonly cents: number;
  readonly currency: string;
  readonly customerId: string | null;
  readonly paymentIntentId: string | null;
}

/** State of a one-time payment. */
export interface PaymentEvent {
  readonly kind: 'payment';
  readonly paymentIntentId: string;
  /** Null for payments that this platform did not open, such as payments of invoices. */
  readonly transactionId: string | null;
  /** `expired`: canceled because nobody paid it. */
  readonly state: 'succeeded' | 'failed' | 'expired' | 'pending';
  readonly cents: number;
  readonly currency: string;
}

/** State of a subscription invoice. */
export interface InvoiceEvent {
  readonly kind: 'invoice';
  readonly invoiceId: string;
  readonly customerId: string;
  readonly checkoutId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentIntentId: string | null;
  readonly priceId: string | null;
  readonly state: 'paid' | 'failed' | 'open';
  readonly isFirst: boolean;
  /** The amount paid without taxes; if the payment failed, the amount due. */
  readonly cents: number;
  /** The same with taxes. */
  readonly chargedCents: number;
  readonly currency: string;
}

/** The invoice of a payment. */
export interface InvoicePaymentEvent {
  readonly kind: 'invoice-payment';
  readonly invoiceId: string;
  readonly paymentIntentId: string;
}

export interface SubscriptionEvent {
  readonly kind: 'subscription';
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly checkoutId: string | null;
  readonly priceId: string;
  readonly status: string;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** Total refunds of a payment. */
export interface RefundEvent {
  readonly kind: 'refund';
  readonly paymentIntentId: string;
  readonly transactionId: string | null;
  /** All refunds together. */
  readonly cents: number;
}

/** A refund that did not reach the customer. */
export interface FailedRefundEvent {
  readonly kind: 'failed-refund';
  readonly refundId: string;
  readonly paymentIntentId: string;
  readonly cents: number;
  /** When the refund was made, to the second; the start of 1970 if unknown. */
  readonly createdAt: Date;
}

export interface DisputeEvent {
  readonly kind: 'dispute';
  readonly disputeId: string;
  readonly paymentIntentId: string;
  readonly cents: number;
  readonly state: 'open' | 'won' | 'lost';
}

/** Processor events in our own format. */
export type ProcessorEventData =
  | CheckoutEvent
  | PaymentEvent
  | InvoiceEvent
  | InvoicePaymentEvent
  | SubscriptionEvent
  | RefundEvent
  | FailedRefundEvent
  | DisputeEvent;

/** Final states of a subscription. */
export const ENDED_STATES = ['canceled', 'incomplete_expired'];
