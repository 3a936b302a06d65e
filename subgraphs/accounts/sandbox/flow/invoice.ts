import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { idOf } from '../sandbox-objects.js';
import { makeInvoice, makeInvoicePayment, type NewInvoice } from '../objects/invoice.js';
import type { Method } from '../objects/method.rules.js';
import { emit } from '../webhook/post-event.js';
import { charge, openIntent, settleIntent } from './payment.js';

const DAY_SECONDS = 86_400;

/** Days after a failed attempt at which the next is made; after the last the subscription ends. */
const RETRY_DAYS = [3, 5, 7] as const;

/** Drafts an invoice and takes it into the books; what it leaves of the customer's balance is kept there. */
export async function draftInvoice(desk: SandboxStore, wanted: NewInvoice): Promise<Stripe.Invoice> {
  const { customer, subscription } = wanted;
  const invoice = makeInvoice(wanted, await desk.timeOf(customer.id));
  customer.balance = invoice.starting_balance + invoice.total - invoice.amount_due;
  invoice.ending_balance = customer.balance;
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 0) + 1;
  await desk.save(customer);
  subscription.latest_invoice = invoice.id;
  await desk.add(invoice, { customer: customer.id });
  await emit(desk, 'invoice.created', invoice);
  return invoice;
}

/** Finalizes a draft and has it paid. */
export async function finalizeInvoice(
  desk: SandboxStore,
  invoice: Stripe.Invoice,
  method: Method,
): Promise<Stripe.Invoice> {
  invoice.status = 'open';
  invoice.effective_at = invoice.created;
  invoice.status_transitions.finalized_at = invoice.created;
  await desk.save(invoice);
  await emit(desk, 'invoice.finalized', invoice);
  return payInvoice(desk, invoice, method);
}

/** Makes one attempt to have an open invoice paid; what is free is paid at once. */
export async function payInvoice(desk: SandboxStore, invoice: Stripe.Invoice, method: Method): Promise<Stripe.Invoice> {
  invoice.attempted = true;
  if (invoice.amount_due === 0) return markPaid(desk, invoice);
  const intent = await intentOf(desk, invoice);
  invoice.attempt_count += 1;
  await charge(desk, intent, method);
  if (method.outcome === 'succeeds') return markPaid(desk, invoice);
  if (method.outcome === 'declines') return markFailed(desk, invoice);
  await desk.save(invoice);
  return invoice;
}

/** Ends the delayed payment of an invoice. */
export async function settleInvoice(
  desk: SandboxStore,
  invoice: Stripe.Invoice,
  succeeds: boolean,
): Promise<Stripe.Invoice> {
  await settleIntent(desk, await intentOf(desk, invoice), succeeds);
  return succeeds ? markPaid(desk, invoice) : markFailed(desk, invoice);
}

/** The payment intent of an invoice: the one there is, else a new one. */
async function intentOf(desk: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent> {
  const [known] = await desk.all('invoice_payment', { invoice: invoice.id });
  const id = idOf(known?.payment.payment_intent ?? null);
  if (id !== null) return (await desk.take('payment_intent', id)).object;
  const customer = idOf(invoice.customer);
  const intent = await openIntent(desk, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer,
    description: 'Subscription',
    metadata: {},
    methods: ['card'],
  });
  await desk.add(makeInvoicePayment(invoice, intent.id, intent.created), { customer });
  return intent;
}

async function markPaid(desk: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const at = await desk.timeOf(idOf(invoice.customer));
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.auto_advance = false;
  invoice.status_transitions.paid_at = at;
  await desk.save(invoice);
  await desk.due(invoice.id, null);
  for (const payment of await desk.all('invoice_payment', { invoice: invoice.id })) {
    const status_transitions = { ...payment.status_transitions, paid_at: at };
    const paid = { ...payment, status: 'paid', amount_paid: invoice.amount_paid, status_transitions };
    await desk.save(paid);
    await emit(desk, 'invoice_payment.paid', paid);
  }
  await emit(desk, 'invoice.paid', invoice);
  await emit(desk, 'invoice.payment_succeeded', invoice);
  return invoice;
}

async function markFailed(desk: SandboxStore, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const at = await desk.timeOf(idOf(invoice.customer));
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  invoice.next_payment_attempt = days === undefined ? null : at + days * DAY_SECONDS;
  await desk.save(invoice);
  await desk.due(invoice.id, invoice.next_payment_attempt);
  await emit(desk, 'invoice.payment_failed', invoice);
  return invoice;
}
