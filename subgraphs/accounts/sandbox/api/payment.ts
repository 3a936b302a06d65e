import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { currencyAt, integer, mergeMetadata, requiredText, text, type Form } from '../form.rules.js';
import { createCharge, openIntent } from '../flow/payment.js';
import { refundCharge } from '../flow/reversal.js';
import { idOf, wholeList } from '../sandbox-objects.js';
import type { Method } from '../objects/method.rules.js';
import { DECLINED } from '../objects/payment.js';
import { missing, refuse } from '../refusal.js';
import { SandboxAnswer, type Handler, type Routes } from '../route.js';
import { emit } from '../webhook/post-event.js';
import { checkAmount, readMethods } from './checkout.js';
import { equal, listRoute } from './list.js';

const createIntent: Handler = async (store, request) => {
  const { form } = request;
  const customer = text(form, 'customer') ?? null;
  if (customer !== null) await store.get('customer', customer, 'customer');
  const amount = integer(form, 'amount');
  if (amount === undefined) throw missing('amount');
  checkAmount(amount);
  const intent = await openIntent(store, {
    amount,
    currency: currencyAt(form, 'currency'),
    customer,
    description: text(form, 'description') ?? null,
    metadata: mergeMetadata({}, form),
    methods: readMethods(form),
  });
  return text(form, 'confirm') === 'true' ? confirm(store, intent, form) : intent;
};

/** Outcomes of the processor's test payment methods; any other method succeeds. */
function methodOf(form: Form): Method {
  const name = text(form, 'payment_method') ?? 'pm_card_visa';
  if (/sepa/i.test(name)) return { type: 'sepa_debit', outcome: 'is pending' };
  return { type: 'card', outcome: /decline|fail/i.test(name) ? 'declines' : 'succeeds' };
}

/**
 * Confirms a payment. A decline is committed and answered with 402. @throws for a payment that is not open, which rolls
 * back
 */
async function confirm(store: SandboxStore, intent: Stripe.PaymentIntent, form: Form): Promise<object> {
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation') {
    const message = `This PaymentIntent's status is ${intent.status}: it cannot be confirmed.`;
    throw refuse({ message, code: 'payment_intent_unexpected_state', payment_intent: intent });
  }
  const method = methodOf(form);
  const charge = await createCharge(store, intent, method);
  if (method.outcome !== 'declines') return intent;
  const error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: DECLINED };
  return new SandboxAnswer(402, { error: { ...error, charge: charge.id, payment_intent: intent } });
}

const cancelIntent: Handler = async (store, { id, form }) => {
  const { object: intent } = await store.get('payment_intent', id);
  // The bank has not decided yet; the payment can still succeed.
  if (!intent.status.startsWith('requires_')) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
    throw refuse({ message, code: 'payment_intent_unexpected_state', payment_intent: intent });
  }
  intent.status = 'canceled';
  intent.canceled_at = await store.timeOf(idOf(intent.customer));
  intent.cancellation_reason = text(form, 'cancellation_reason') ?? null;
  await store.save(intent);
  await emit(store, 'payment_intent.canceled', intent);
  return intent;
};

const createRefund: Handler = async (store, { form }) => {
  const charge = await chargeNamed(store, form);
  const status = text(form, 'metadata[sandbox_status]') === 'pending' ? 'pending' : 'succeeded';
  const input = { amount: integer(form, 'amount'), reason: text(form, 'reason') ?? null };
  return refundCharge(store, charge, { ...input, metadata: mergeMetadata({}, form), status });
};

/** The charge that `charge` or `payment_intent` names. @throws if neither is given */
export async function chargeNamed(store: SandboxStore, form: Form): Promise<Stripe.Charge> {
  const id = text(form, 'charge');
  if (id !== undefined) return (await store.get('charge', id, 'charge')).object;
  const { object: intent } = await store.get('payment_intent', requiredText(form, 'payment_intent'), 'payment_intent');
  const charged = idOf(intent.latest_charge);
  if (charged === null) {
    throw refuse({
      message: `This PaymentIntent (${intent.id}) does not have a successful charge.`,
      param: 'payment_intent',
    });
  }
  return (await store.get('charge', charged)).object;
}

const updateDispute: Handler = async (store, { id, form }) => {
  const { object: dispute } = await store.get('dispute', id);
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw refuse({ message: 'This dispute is closed.', param: 'id' });
  }
  const { metadata, status } = dispute;
  dispute.metadata = mergeMetadata(metadata, form);
  if (form.evidence !== undefined) {
    dispute.evidence_details.has_evidence = true;
    dispute.evidence_details.submission_count += 1;
    dispute.status = 'under_review';
  }
  await store.save(dispute);
  await emit(store, 'charge.dispute.updated', dispute, { metadata, status });
  return dispute;
};

/** Routes of payments, refunds and disputes. */
export const PAYMENT_ROUTES: Routes = {
  'POST /v1/payment_intents': createIntent,
  'GET /v1/payment_intents': listRoute('payment_intent', '/v1/payment_intents', (form) => ({
    fields: equal(form, 'customer'),
  })),
  'GET /v1/payment_intents/{id}': async (store, { id }) => (await store.get('payment_intent', id)).object,
  'POST /v1/payment_intents/{id}': async (store, { id, form }) => {
    const { object: intent } = await store.get('payment_intent', id);
    intent.metadata = mergeMetadata(intent.metadata, form);
    await store.save(intent);
    return intent;
  },
  'POST /v1/payment_intents/{id}/confirm': async (store, { id, form }) =>
    confirm(store, (await store.get('payment_intent', id)).object, form),
  'POST /v1/payment_intents/{id}/cancel': cancelIntent,
  'GET /v1/charges': listRoute('charge', '/v1/charges', (form) => ({
    fields: equal(form, 'customer', 'payment_intent'),
  })),
  'GET /v1/charges/{id}': async (store, { id }) => (await store.get('charge', id)).object,
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds': listRoute('refund', '/v1/refunds', (form) => ({
    fields: equal(form, 'charge', 'payment_intent'),
  })),
  'GET /v1/refunds/{id}': async (store, { id }) => (await store.get('refund', id)).object,
  'GET /v1/disputes': listRoute('dispute', '/v1/disputes', (form) => ({
    fields: equal(form, 'charge', 'payment_intent'),
  })),
  'GET /v1/disputes/{id}': async (store, { id }) => (await store.get('dispute', id)).object,
  'POST /v1/disputes/{id}': updateDispute,
  'GET /v1/charges/{id}/refunds': async (store, { id }) =>
    wholeList((await store.all('refund', { charge: id })).toReversed(), `/v1/charges/${id}/refunds`),
};
