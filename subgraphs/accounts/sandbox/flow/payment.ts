import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { idOf, newId } from '../sandbox-objects.js';
import type { Method } from '../objects/method.rules.js';
import { DECLINED, makeCharge, makePaymentIntent, type NewPaymentIntent } from '../objects/payment.js';
import { emit } from '../webhook/post-event.js';

/** Creates a payment intent; nothing is charged yet. */
export async function openIntent(store: SandboxStore, input: NewPaymentIntent): Promise<Stripe.PaymentIntent> {
  const intent = makePaymentIntent(input, await store.timeOf(input.customer));
  await store.add(intent, { customer: input.customer });
  await emit(store, 'payment_intent.created', intent);
  return intent;
}

/** Charges the payment once by this method and returns the outcome. */
export async function createCharge(
  store: SandboxStore,
  intent: Stripe.PaymentIntent,
  method: Method,
): Promise<Stripe.Charge> {
  const customer = idOf(intent.customer);
  intent.payment_method ??= newId('pm_');
  const charge = makeCharge(intent, method, await store.timeOf(customer));
  await store.add(charge, { customer });
  intent.latest_charge = charge.id;
  if (method.outcome === 'succeeds') await succeed(store, intent, charge);
  else if (method.outcome === 'declines') await fail(store, intent, charge);
  else {
    intent.status = 'processing';
    await store.save(intent);
    await emit(store, 'charge.pending', charge);
    await emit(store, 'payment_intent.processing', intent);
  }
  return charge;
}

/** Settles a delayed payment. */
export async function settleIntent(
  store: SandboxStore,
  intent: Stripe.PaymentIntent,
  succeeds: boolean,
): Promise<void> {
  const { object: charge } = await store.get('charge', idOf(intent.latest_charge) ?? '');
  charge.status = succeeds ? 'succeeded' : 'failed';
  charge.paid = succeeds;
  charge.captured = succeeds;
  charge.failure_code = succeeds ? null : 'payment_intent_payment_attempt_failed';
  charge.failure_message = succeeds ? null : 'The bank did not pay.';
  await store.save(charge);
  await (succeeds ? succeed(store, intent, charge) : fail(store, intent, charge));
}

async function succeed(store: SandboxStore, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Promise<void> {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.last_payment_error = null;
  await store.save(intent);
  await emit(store, 'charge.succeeded', charge);
  await emit(store, 'payment_intent.succeeded', intent);
}

async function fail(store: SandboxStore, intent: Stripe.PaymentIntent, charge: Stripe.Charge): Promise<void> {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_payment_error = {
    charge: charge.id,
    code: charge.failure_code ?? 'card_declined',
    decline_code: 'generic_decline',
    doc_url: 'https://stripe.com/docs/error-codes/card-declined',
    message: charge.failure_message ?? DECLINED,
    type: 'card_error',
  };
  await store.save(intent);
  await emit(store, 'charge.failed', charge);
  await emit(store, 'payment_intent.payment_failed', intent);
}
