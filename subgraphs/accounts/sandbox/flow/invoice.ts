import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeInvoice, makeInvoicePayment, type NewInvoice } from '../objects/invoice.js';
import type { Method } from '../objects/method.rules.js';
import { emit } from '../webhook/post-event.js';
import { createCharge, openIntent, settleIntent } from './payment.js';

const DAY_SECONDS = 86_400;

/** Days from one failed attempt to the next; after the last one the subscription ends. */
const RETRY_DAYS = [3, 5, 7] as const;

/** Creates a draft invoice and updates the customer's balance. */
export async function draftInvoice(store: SandboxStore, input: NewInvoice): Promise<Stripe.Invoice> {
  const { customer, subscription } = input;
  const invoice = makeInvoice(input, await store.timeOf(customer.id));
  customer.balance = invoice.starting_balance + invoice.total - invoice.amount_due;
  invoice.ending_balance = customer.balance;
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 0) + 1;
  await store.save(customer);
  subscription.latest_invoice = invoice.id;
  await store.add(invoice, { customer: customer.id });
  await emit(store, 'invoice.created', invoice);
  return invoice;
}

/** Finalizes a draft and pays it. */
export async function finalizeInvoice(
  store: SandboxStore,
  invoice: Stripe.Invoice,
  method: Method,
): Promise<Stripe.Invoice> {
  invoice.status = 'open';
  invoice.effective_at = invoice.created;
  invoice.status_transitions.finalized_at = invoice.created;
  await store.save(invoice);
  await emit(store, 'invoice.finalized', invoice);
  return payInvoice(store, invoice, method);
}

/** Tries once to pay an open invoice. An amount of 0 is paid at once. */
export async function payInvoice(
  store: SandboxStore,
  invoice: Stripe.Invoice,
  method: Method,
): Promise<Stripe.Invoice> {
  invoice.attempted = true;
  if (invoice.amount_due === 0) return markPaid(store, invoice);
  const intent = await intentOf(store, invoice);
  invoice.attempt_count += 1;
  await createCharge(store, intent, method);
  if (method.outcome === 'succeeds') return markPaid(store, invoice);
  if (method.outcome === 'declines') return markFailed(store, invoice);
  await store.save(invoice);
  return invoice;
}

/** Settles the delayed payment of an invoice. */
export async function settleInvoice(
  store: SandboxStore,
  invoice: Stripe.Invoice,
  succeeds: boolean,
): Promise<Stripe.Invoice> {
  await settleIntent(store, await intentOf(store, invoice), succeeds);
  return succeeds ? markPaid(store, invoice) : markFailed(store, invoice);
}

/** The payment intent of an invoice; creates it if there is none. */
async function intentOf(store: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent> {
  const [known] = await store.all('invoice_payment', { invoice: invoice.id });
  const id = idOf(known?.payment.payment_intent ?? null);
  if (id !== null) return (await store.get('payment_intent', id)).object;
  const customer = idOf(invoice.customer);
  const intent = await openIntent(store, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer,
    description: 'Subscription',
    metadata: {},
    methods: ['card'],
  });
  await store.add(makeInvoicePayment(invoice, intent.id, intent.created), { customer });
  return intent;
}

async function markPaid(store: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const at = await store.timeOf(idOf(invoice.customer));
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.auto_advance = false;
  invoice.status_transitions.paid_at = at;
  await store.save(invoice);
  await store.schedule(invoice.id, null);
  for (const payment of await store.all('invoice_payment', { invoice: invoice.id })) {
    const status_transitions = { ...payment.status_transitions, paid_at: at };
    const paid = { ...payment, status: 'paid', amount_paid: invoice.amount_paid, status_transitions };
    await store.save(paid);
    await emit(store, 'invoice_payment.paid', paid);
  }
  await emit(store, 'invoice.paid', invoice);
  await emit(store, 'invoice.payment_succeeded', invoice);
  return invoice;
}

async function markFailed(store: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const at = await store.timeOf(idOf(invoice.customer));
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  invoice.next_payment_attempt = days === undefined ? null : at + days * DAY_SECONDS;
  await store.save(invoice);
  await store.schedule(invoice.id, invoice.next_payment_attempt);
  await emit(store, 'invoice.payment_failed', invoice);
  return invoice;
}
