import { chargeNamed } from '../api/payment.js';
import { boolean, integer, oneOf, requiredText, text } from '../form.rules.js';
import { advanceClock } from '../flow/clock.js';
import { expireSession, paySession, settleSession } from '../flow/checkout.js';
import { closeDispute, endRefund, openDispute, refundCharge } from '../flow/reversal.js';
import { settleIntent } from '../flow/payment.js';
import { idOf } from '../sandbox-objects.js';
import { methodFor } from '../objects/method.rules.js';
import { itemOf } from '../objects/subscription.js';
import { refuse } from '../refusal.js';
import type { Handler, Routes } from '../route.js';
import { DELIVERY_ROUTES } from './delivery.js';

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['seconds', 1],
] as const;

/** Advances a customer's clock. */
const advanceCustomer: Handler = async (store, { id, form }) => {
  await store.get('customer', id);
  const now = await store.timeOf(id);
  const ahead = UNITS.reduce((sum, [unit, seconds]) => sum + (integer(form, unit) ?? 0) * seconds, 0);
  await advanceClock(store, id, integer(form, 'to') ?? now + ahead);
  return { object: 'sandbox.clock', customer: id, now: await store.timeOf(id) };
};

/**
 * Advances the clock of a subscription's customer to the end of its period, once or several times, so that it renews.
 */
const renew: Handler = async (store, { id, form }) => {
  const amount = integer(form, 'amount');
  if (amount !== undefined) await store.saveInternal(id, { nextAmount: amount });
  for (let times = integer(form, 'times') ?? 1; times > 0; times -= 1) {
    const { object: subscription } = await store.get('subscription', id);
    if (subscription.status === 'canceled') throw refuse({ message: 'The subscription has ended.', param: 'id' });
    const customer = idOf(subscription.customer) ?? '';
    const end = itemOf(subscription).current_period_end;
    await advanceClock(store, customer, Math.max(end, await store.timeOf(customer)));
  }
  return (await store.get('subscription', id)).object;
};

/** Pays a session like the hosted page. */
const pay: Handler = async (store, { id, form }) => {
  const entry = await store.get('checkout.session', id);
  const outcome = oneOf(form, 'outcome', ['succeeds', 'declines', 'is pending']) ?? 'succeeds';
  const type = methodFor(entry.object.payment_method_types, outcome === 'is pending');
  return paySession(store, entry, { type, outcome });
};

const settle: Handler = async (store, { id, form }) =>
  settleSession(store, (await store.get('checkout.session', id)).object, boolean(form, 'succeeds') ?? true);

const settlePayment: Handler = async (store, { id, form }) => {
  const { object: intent } = await store.get('payment_intent', id);
  if (intent.status !== 'processing') throw refuse({ message: `The payment is ${intent.status}.`, param: 'id' });
  await settleIntent(store, intent, boolean(form, 'succeeds') ?? true);
  return intent;
};

/** Sets whether the customer's card declines from now on. */
const setCard: Handler = async (store, { id, form }) => {
  await store.get('customer', id);
  const declines = boolean(form, 'declines') ?? false;
  await store.saveInternal(id, { declines });
  return { object: 'sandbox.card', customer: id, declines };
};

const refund: Handler = async (store, { form }) => {
  const charge = await chargeNamed(store, form);
  const status = oneOf(form, 'status', ['succeeded', 'pending']) ?? 'succeeded';
  return refundCharge(store, charge, { amount: integer(form, 'amount'), reason: null, metadata: {}, status });
};

const dispute: Handler = async (store, { form }) => {
  const charge = await chargeNamed(store, form);
  return openDispute(store, charge, { amount: integer(form, 'amount'), reason: text(form, 'reason') ?? 'fraudulent' });
};

/** Test API: acts as payer or bank, for tests of sandbox clients. */
export const TEST_ROUTES: Routes = {
  'POST /v1/test_helpers/sandbox/customers/{id}/advance': advanceCustomer,
  'POST /v1/test_helpers/sandbox/customers/{id}/card': setCard,
  'POST /v1/test_helpers/sandbox/subscriptions/{id}/renew': renew,
  'POST /v1/test_helpers/sandbox/sessions/{id}/pay': pay,
  'POST /v1/test_helpers/sandbox/sessions/{id}/settle': settle,
  'POST /v1/test_helpers/sandbox/sessions/{id}/expire': async (store, { id }) =>
    expireSession(store, (await store.get('checkout.session', id)).object),
  'POST /v1/test_helpers/sandbox/payment_intents/{id}/settle': settlePayment,
  'POST /v1/test_helpers/sandbox/refunds': refund,
  'POST /v1/test_helpers/sandbox/refunds/{id}/end': async (store, { id, form }) =>
    endRefund(
      store,
      (await store.get('refund', id)).object,
      oneOf(form, 'outcome', ['succeeded', 'failed']) !== 'failed',
    ),
  'POST /v1/test_helpers/sandbox/disputes': dispute,
  'POST /v1/test_helpers/sandbox/disputes/{id}/close': async (store, { id, form }) => {
    requiredText(form, 'outcome');
    return closeDispute(
      store,
      (await store.get('dispute', id)).object,
      oneOf(form, 'outcome', ['won', 'lost']) ?? 'lost',
    );
  },
  ...DELIVERY_ROUTES,
};
