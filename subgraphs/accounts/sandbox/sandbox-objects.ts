import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** The objects of the processor's API by their `object` field. */
export interface SandboxObjects {
  readonly product: Stripe.Product;
  readonly price: Stripe.Price;
  readonly customer: Stripe.Customer;
  readonly 'checkout.session': Stripe.Checkout.Session;
  readonly payment_intent: Stripe.PaymentIntent;
  readonly charge: Stripe.Charge;
  readonly refund: Stripe.Refund;
  readonly dispute: Stripe.Dispute;
  readonly subscription: Stripe.Subscription;
  readonly invoice: Stripe.Invoice;
  readonly invoice_payment: Stripe.InvoicePayment;
  readonly event: Stripe.Event;
  readonly 'billing_portal.session': Stripe.BillingPortal.Session;
}
export type SandboxObjectName = keyof SandboxObjects;
export type SandboxObject = SandboxObjects[SandboxObjectName];

/** Internal data of an object that the API does not return. */
export interface InternalData {
  /** Seconds by which a customer's clock is ahead of ours. */
  readonly offsetSeconds?: number;
  /** Whether the customer's card declines. */
  readonly declines?: boolean;
  /** How events of a customer are delivered. */
  readonly delivery?: DeliveryRule;
  /** Metadata for the payment intent or subscription that a checkout session creates. */
  readonly paymentMetadata?: Record<string, string>;
  readonly subscriptionMetadata?: Record<string, string>;
  readonly trialDays?: number;
  readonly lines?: readonly Stripe.LineItem[];
  /** The payment intent of an open session after a declined attempt. */
  readonly paymentIntent?: string;
  /** The invoice that waits for a delayed payment. */
  readonly invoice?: string;
  /** Lines that a subscription's next invoice adds. */
  readonly pending?: readonly Stripe.InvoiceLineItem[];
  /** Amount of a subscription's next invoice in cents, instead of its price. */
  readonly nextAmount?: number;
}

/** How events are delivered. Default: one delivery, immediately, signed with the newest secret, to the platform. */
export interface DeliveryRule {
  /** Only events of these types; empty for all. */
  readonly types?: readonly string[];
  readonly url?: string;
  /** Kept until released. */
  readonly hold?: boolean;
  readonly drop?: boolean;
  /** How often each event is sent, 1 to 50. */
  readonly copies?: number;
  /** Whether copies are sent in parallel. */
  readonly atOnce?: boolean;
  /** `old`: the oldest secret that is still accepted, `wrong`: an invalid signature, `whsec_…`: this secret. */
  readonly secret?: string;
  /** Age of the signature's timestamp. */
  readonly ageSeconds?: number;
  /** Attempts that are dropped before one is sent. */
  readonly failTimes?: number;
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a new id: the prefix, then letters and digits. */
export function newId(prefix: string, length = 24): string {
  let id = prefix;
  for (const byte of randomBytes(length)) id += LETTERS[byte % LETTERS.length];
  return id;
}

/** A list with all items on one page. */
export function wholeList<Item>(data: Item[], url: string): Stripe.ApiList<Item> {
  return { object: 'list', data, has_more: false, url };
}

/** The id in a field, expanded or not. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  return typeof value === 'object' ? (value?.id ?? null) : (value ?? null);
}
