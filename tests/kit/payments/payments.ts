import { randomBytes } from 'node:crypto';
import { Stripe } from 'stripe';
import { PAYMENTS } from '../arrangements.js';
import { asAdmin, call, graphql, type Json, type Reply } from '../platform.js';
import { stripeClient } from './sandbox.js';
import type { SignedIn } from '../accounts/wallet.js';

/** The current and the previous webhook secret; both are accepted. */
export const [NEW_SECRET = '', OLD_SECRET = ''] = PAYMENTS.PAYPROC_WEBHOOK_SECRET.split(',');

/** Creates an id in the format of the processor. */
export function processorId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** Returns Unix time in seconds, with an offset from now. */
export function seconds(offset = 0): number {
  return Math.floor(Date.now() / 1000) + offset;
}

/** Creates an event of the processor for an object. */
export function eventOf(type: string, object: Json, created = seconds()): Json {
  return { id: processorId('evt'), object: 'event', type, created, livemode: false, data: { object } };
}

interface DeliveryOptions {
  readonly secret?: string;
  /** Age of the signature in seconds; negative: in the future. */
  readonly age?: number;
  readonly url?: string;
}

/** Delivers a signed event as the processor does. */
export function deliver(event: Json, { secret = NEW_SECRET, age = 0, url }: DeliveryOptions = {}): Promise<Reply> {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds(-age) });
  return call('POST /api/billing/payproc/webhook/', {
    rawBody: payload,
    headers: { 'stripe-signature': signature },
    ...(url !== undefined && { url }),
  });
}

/** An open payment page and its future payment. */
export interface OpenPage {
  readonly id: string;
  readonly sessionId: string;
  readonly transactionId: string;
  readonly intentId: string;
  readonly cents: number;
}

const OPEN = `mutation ($amount: Decimal!) {
  createCheckoutSession(amount: $amount) { id sessionId transactionId checkoutUrl }
}`;

/** Opens a page for a one-time payment. @param amount whole dollars */
export async function openPage(user: SignedIn, amount: number, url?: string): Promise<OpenPage> {
  const { data, errors } = await graphql(OPEN, {
    token: user.token,
    variables: { amount },
    ...(url !== undefined && { url }),
  });
  if (errors) throw new Error(JSON.stringify(errors));
  return { ...data.createCheckoutSession, intentId: processorId('pi'), cents: amount * 100 };
}

/** Returns the checkout session of the page, as the processor sends it. */
export function sessionOf(page: OpenPage, more: Json = {}): Json {
  return {
    id: page.sessionId,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    amount_total: page.cents,
    currency: 'usd',
    customer: null,
    payment_intent: page.intentId,
    metadata: { checkout_id: page.id, transaction_id: page.transactionId },
    ...more,
  };
}

/** Returns the payment intent of the page, as the processor sends it. */
export function intentOf(page: OpenPage, more: Json = {}): Json {
  return {
    id: page.intentId,
    object: 'payment_intent',
    status: 'succeeded',
    amount: page.cents,
    amount_received: page.cents,
    currency: 'usd',
    metadata: { checkout_id: page.id, transaction_id: page.transactionId },
    ...more,
  };
}

/** Returns the charge of the page with this refunded amount. */
export function chargeOf(page: OpenPage, refundedCents: number): Json {
  return {
    id: processorId('ch'),
    object: 'charge',
    amount: page.cents,
    amount_refunded: refundedCents,
    payment_intent: page.intentId,
    metadata: { transaction_id: page.transactionId },
  };
}

/** Returns a dispute of the charge of the page. */
export function disputeOf(page: OpenPage, id: string, status: string, cents = page.cents): Json {
  return { id, object: 'dispute', amount: cents, payment_intent: page.intentId, status };
}

/** Pays on a page: delivers the webhook of the payment. */
export async function pay(page: OpenPage): Promise<void> {
  await deliver(eventOf('checkout.session.completed', sessionOf(page), seconds(-60)));
}

/** Returns the balance of the user. */
export async function balanceOf(user: SignedIn, url?: string): Promise<string> {
  const at = url === undefined ? {} : { url };
  const { body } = await call('GET /api/billing/credits/balance/', { token: user.token, ...at });
  return body.balance;
}

/** Returns the details of a transaction of the user. */
export async function transactionOf(user: SignedIn, id: string, url?: string): Promise<Json> {
  const at = url === undefined ? {} : { url };
  const { body } = await call(`GET /api/billing/transactions/${id}/`, { token: user.token, ...at });
  return body;
}

/** Adds a customer record at the processor. @returns its id there */
export async function addCustomer(): Promise<string> {
  return (await stripeClient().customers.create({})).id;
}

/** Links a customer record to a user, as an administrator. */
export function linkCustomer(user: SignedIn, customerId: string): Promise<Json> {
  return asAdmin(
    'mutation ($to: String!, $id: String!) { adminLinkCustomer(substrateAddress: $to, customerId: $id) { replayed } }',
    { to: user.substrateAddress, id: customerId },
  );
}
