import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { boolean, pathsOf, integer, mergeMetadata, oneOf, requiredText, text, type Form } from '../form.rules.js';
import { changePlan, PRORATIONS } from '../flow/plan-change.js';
import { endSubscription, retryInvoice } from '../flow/subscription.js';
import { idOf } from '../sandbox-objects.js';
import { itemOf } from '../objects/subscription.js';
import { noSuch, refuse } from '../refusal.js';
import type { Handler, Routes } from '../route.js';
import { emit } from '../webhook/post-event.js';
import { equal, listRoute, type Filters } from './list.js';

/** Statuses of subscriptions that have not ended. */
const LIVE = ['active', 'trialing', 'past_due', 'incomplete', 'unpaid', 'paused'] as const;

function filters(form: Form): Filters {
  const status = text(form, 'status');
  const price = text(form, 'price');
  const fields = {
    ...equal(form, 'customer', 'collection_method'),
    ...(price !== undefined && { items: { data: [{ price: { id: price } }] } }),
  };
  if (status === 'all') return { fields };
  if (status === 'ended') return { fields, statuses: ['canceled', 'incomplete_expired'] };
  return { fields, statuses: status === undefined ? LIVE : [status] };
}

const updateSubscription: Handler = async (store, { id, form }) => {
  const entry = await store.get('subscription', id);
  const { object: subscription } = entry;
  if (subscription.status === 'canceled') {
    throw refuse({ message: 'A canceled subscription can only update its cancellation_details and metadata.' });
  }
  const { metadata } = subscription;
  subscription.metadata = mergeMetadata(metadata, form);
  await changeItem(store, entry, form);
  const cancels = boolean(form, 'cancel_at_period_end');
  if (cancels !== undefined) await setCancellation(store, subscription, cancels);
  else if (subscription.metadata !== metadata && form.metadata !== undefined) {
    await store.save(subscription);
    await emit(store, 'customer.subscription.updated', subscription, { metadata });
  }
  return subscription;
};

async function changeItem(store: SandboxStore, entry: Entry<'subscription'>, form: Form): Promise<void> {
  const [path] = pathsOf(form, 'items');
  if (path === undefined) return;
  const item = itemOf(entry.object);
  const named = requiredText(form, `${path}[id]`);
  if (named !== item.id) throw noSuch('subscription_item', named, `${path}[id]`);
  const id = text(form, `${path}[price]`) ?? item.price.id;
  const { object: price } = await store.get('price', id, `${path}[price]`);
  if (price.type !== 'recurring') throw refuse({ message: 'The price is not recurring.', param: `${path}[price]` });
  const quantity = integer(form, `${path}[quantity]`) ?? item.quantity ?? 1;
  if (price.id === item.price.id && quantity === item.quantity) return;
  const proration = oneOf(form, 'proration_behavior', PRORATIONS) ?? 'create_prorations';
  await changePlan(store, entry, { price, quantity, proration });
}

/** Sets or clears `cancel_at_period_end`. */
export async function setCancellation(
  store: SandboxStore,
  subscription: Stripe.Subscription,
  cancels: boolean,
): Promise<void> {
  const { cancel_at_period_end, cancel_at, canceled_at, cancellation_details } = subscription;
  if (cancel_at_period_end === cancels) return;
  subscription.cancel_at_period_end = cancels;
  subscription.cancel_at = cancels ? itemOf(subscription).current_period_end : null;
  subscription.canceled_at = cancels ? await store.timeOf(idOf(subscription.customer)) : null;
  const reason = cancels ? 'cancellation_requested' : null;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  await store.save(subscription);
  const previous = { cancel_at_period_end, cancel_at, canceled_at, cancellation_details };
  await emit(store, 'customer.subscription.updated', subscription, previous);
}

const cancelSubscription: Handler = async (store, { id }) => {
  const { object: subscription } = await store.get('subscription', id);
  if (subscription.status === 'canceled') throw refuse({ message: `No such subscription: '${id}'`, param: 'id' });
  await endSubscription(store, subscription, 'cancellation_requested');
  return subscription;
};

/** Routes of subscriptions and invoices. */
export const SUBSCRIPTION_ROUTES: Routes = {
  'GET /v1/subscriptions': listRoute('subscription', '/v1/subscriptions', filters),
  'GET /v1/subscriptions/{id}': async (store, { id }) => (await store.get('subscription', id)).object,
  'POST /v1/subscriptions/{id}': updateSubscription,
  'DELETE /v1/subscriptions/{id}': cancelSubscription,
  'GET /v1/invoices': listRoute('invoice', '/v1/invoices', (form) => {
    const subscription = text(form, 'subscription');
    const parent = subscription === undefined ? {} : { parent: { subscription_details: { subscription } } };
    return { fields: { ...equal(form, 'customer', 'status'), ...parent } };
  }),
  'GET /v1/invoices/{id}': async (store, { id }) => (await store.get('invoice', id)).object,
  'GET /v1/invoices/{id}/lines': async (store, { id }) => (await store.get('invoice', id)).object.lines,
  'POST /v1/invoices/{id}/pay': async (store, { id }) => {
    const { object: invoice } = await store.get('invoice', id);
    if (invoice.status !== 'open')
      throw refuse({ message: `Invoice is ${invoice.status}.`, code: 'invoice_not_editable' });
    return retryInvoice(store, invoice);
  },
  'GET /v1/invoice_payments': listRoute('invoice_payment', '/v1/invoice_payments', (form) => {
    const intent = text(form, 'payment[payment_intent]');
    const payment = intent === undefined ? {} : { payment: { payment_intent: intent } };
    return { fields: { ...equal(form, 'invoice', 'status'), ...payment } };
  }),
  'GET /v1/invoice_payments/{id}': async (store, { id }) => (await store.get('invoice_payment', id)).object,
};
