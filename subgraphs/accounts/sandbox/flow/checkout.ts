import type Stripe from 'stripe';
import type { SandboxStore, Entry } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeCustomer } from '../objects/customer.js';
import type { Method } from '../objects/method.rules.js';
import type { NewPaymentIntent } from '../objects/payment.js';
import { customerDetails } from '../objects/session.js';
import { refuse } from '../refusal.js';
import { emit } from '../webhook/post-event.js';
import { settleInvoice } from './invoice.js';
import { createCharge, openIntent, settleIntent } from './payment.js';
import { updateStatus, startSubscription } from './subscription.js';

type Session = Stripe.Checkout.Session;

/** Seconds until a delayed payment settles. */
const SETTLEMENT_DELAY_SECONDS = 3 * 86_400;

/**
 * Pays an open session. A complete session is not paid again; after a decline it stays open. @throws Refusal (400) if the session
 * has expired
 */
export async function paySession(
  store: SandboxStore,
  entry: Entry<'checkout.session'>,
  method: Method,
): Promise<Session> {
  const { object: session } = entry;
  if (session.status === 'complete') return session;
  if (session.status === 'expired') throw refuse({ message: 'This Checkout Session has expired.', param: 'id' });
  await identifyCustomer(store, session);
  const isDone = await (session.mode === 'subscription' ? subscribe : payWithIntent)(store, entry, method);
  if (isDone) {
    session.status = 'complete';
    session.url = null;
    session.customer_details = customerDetails(session.customer_details?.email ?? session.customer_email);
  }
  const customer = idOf(session.customer);
  await store.save(session, customer);
  if (!isDone) return session;
  await store.schedule(
    session.id,
    session.payment_status === 'unpaid' ? (await store.timeOf(customer)) + SETTLEMENT_DELAY_SECONDS : null,
  );
  await emit(store, 'checkout.session.completed', session);
  return session;
}

async function identifyCustomer(store: SandboxStore, session: Session): Promise<void> {
  if (session.customer !== null || session.customer_creation !== 'always') return;
  const email = session.customer_details?.email ?? session.customer_email;
  const customer = makeCustomer({ email, name: null, description: null, metadata: {} }, store.seconds());
  await store.add(customer, { customer: customer.id });
  session.customer = customer.id;
  await emit(store, 'customer.created', customer);
}

async function payWithIntent(
  store: SandboxStore,
  { object: session, internal }: Entry<'checkout.session'>,
  method: Method,
) {
  const intent = internal.paymentIntent
    ? (await store.get('payment_intent', internal.paymentIntent)).object
    : await openSessionIntent(store, session, { description: null, metadata: internal.paymentMetadata ?? {} });
  await store.saveInternal(session.id, { paymentIntent: intent.id });
  if (internal.delivery) await store.saveInternal(intent.id, { delivery: internal.delivery });
  await createCharge(store, intent, method);
  if (method.outcome === 'declines') return false;
  session.payment_intent = intent.id;
  session.payment_status = method.outcome === 'succeeds' ? 'paid' : 'unpaid';
  return true;
}

async function subscribe(
  store: SandboxStore,
  { object: session, internal }: Entry<'checkout.session'>,
  method: Method,
) {
  const [line] = internal.lines ?? [];
  const customer = idOf(session.customer);
  if (!line?.price || customer === null) throw new Error('a session for a subscription has no price or customer');
  if (method.outcome === 'declines') return declineFirst(store, session, method);
  const { subscription, invoice } = await startSubscription(
    store,
    {
      customer,
      price: line.price,
      quantity: line.quantity ?? 1,
      metadata: internal.subscriptionMetadata ?? {},
      trialDays: internal.trialDays ?? 0,
      method: method.type,
    },
    method,
  );
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  session.payment_status = statusOf(invoice);
  return true;
}

function statusOf({ amount_due, status }: Stripe.Invoice): Session['payment_status'] {
  if (amount_due === 0) return 'no_payment_required';
  return status === 'paid' ? 'paid' : 'unpaid';
}

/** A subscription is created with its first successful payment; before that there is only the failed attempt. */
async function declineFirst(store: SandboxStore, session: Session, method: Method): Promise<boolean> {
  const intent = await openSessionIntent(store, session, { description: 'Subscription creation', metadata: {} });
  await createCharge(store, intent, method);
  return false;
}

function openSessionIntent(
  store: SandboxStore,
  { amount_total, currency, customer, payment_method_types: methods }: Session,
  purpose: Pick<NewPaymentIntent, 'description' | 'metadata'>,
): Promise<Stripe.PaymentIntent> {
  const price = { amount: amount_total ?? 0, currency: currency ?? 'usd' };
  return openIntent(store, { ...price, ...purpose, customer: idOf(customer), methods });
}

/** Settles the delayed payment of a session. @throws Refusal (400) if none is pending */
export async function settleSession(store: SandboxStore, session: Session, succeeds: boolean): Promise<Session> {
  if (!(await isPaymentPending(store, session))) {
    throw refuse({ message: 'This Checkout Session has no pending delayed payment.', param: 'id' });
  }
  if (session.mode === 'subscription') await settleSubscription(store, session, succeeds);
  else {
    const { object: intent } = await store.get('payment_intent', idOf(session.payment_intent) ?? '');
    await settleIntent(store, intent, succeeds);
  }
  if (succeeds) session.payment_status = 'paid';
  await store.save(session);
  await store.schedule(session.id, null);
  await emit(store, `checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, session);
  return session;
}

/** Whether a delayed payment is pending. A failed delayed payment leaves its session unpaid. */
export async function isPaymentPending(store: SandboxStore, session: Session): Promise<boolean> {
  if (session.status !== 'complete' || session.payment_status !== 'unpaid') return false;
  if (session.mode === 'subscription') {
    const { object: invoice } = await store.get('invoice', idOf(session.invoice) ?? '');
    return invoice.status === 'open' && invoice.next_payment_attempt === null;
  }
  const { object: intent } = await store.get('payment_intent', idOf(session.payment_intent) ?? '');
  return intent.status === 'processing';
}

async function settleSubscription(store: SandboxStore, session: Session, succeeds: boolean): Promise<void> {
  const { object: invoice } = await store.get('invoice', idOf(session.invoice) ?? '');
  await settleInvoice(store, invoice, succeeds);
  const { object: subscription } = await store.get('subscription', idOf(session.subscription) ?? '');
  await updateStatus(store, subscription, invoice);
}

/** Expires an open session. @throws Refusal (400) if it is not open */
export async function expireSession(store: SandboxStore, session: Session): Promise<Session> {
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This one has a status of ${session.status}.`;
    throw refuse({ message, param: 'id' });
  }
  session.status = 'expired';
  session.url = null;
  await store.save(session);
  await store.schedule(session.id, null);
  await emit(store, 'checkout.session.expired', session);
  return session;
}
