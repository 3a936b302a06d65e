import type Stripe from 'stripe';
import { idOf, newId, wholeList } from '../sandbox-objects.js';
import { itemOf, type Period } from './subscription.js';

export interface NewLine {
  readonly amount: number;
  readonly description: string;
  readonly period: Period;
  readonly price: Stripe.Price;
  readonly isProration?: boolean;
}

/** An invoice line for the only item of a subscription; the id of the invoice is set later. */
export function makeLine(subscription: Stripe.Subscription, line: NewLine): Stripe.InvoiceLineItem {
  const { amount, description, period, price, isProration = false } = line;
  const item = itemOf(subscription);
  return {
    id: newId('il_'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { ...period },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: String(item.quantity ?? 1) as never, // text on the wire
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

export interface NewInvoice {
  readonly customer: Stripe.Customer;
  readonly subscription: Stripe.Subscription;
  readonly reason: Stripe.Invoice.BillingReason;
  readonly lines: readonly Stripe.InvoiceLineItem[];
  readonly period: Period;
}

/** Fields that all invoices of the sandbox share. */
const BLANK = {
  object: 'invoice',
  account_country: 'US',
  account_name: 'Sandbox',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
} as const satisfies Partial<Stripe.Invoice>;

/** A draft with its totals, minus the customer's balance. */
export function makeInvoice(input: NewInvoice, created: number): Stripe.Invoice {
  const { customer, subscription, reason, period } = input;
  const id = newId('in_');
  const lines = input.lines.map((line) => ({ ...line, invoice: id }));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total + customer.balance);
  return {
    ...BLANK,
    id,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    billing_reason: reason,
    created,
    currency: subscription.currency,
    ...customerFields(customer),
    effective_at: null,
    ending_balance: null,
    issuer: { type: 'self' },
    lines: wholeList(lines, `/v1/invoices/${id}/lines`),
    next_payment_attempt: null,
    number: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    webhooks_delivered_at: created,
  };
}

function customerFields(customer: Stripe.Customer) {
  return {
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
  } satisfies Partial<Stripe.Invoice>;
}

/** Links an invoice with the payment intent that pays it. */
export function makeInvoicePayment(invoice: Stripe.Invoice, intent: string, created: number): Stripe.InvoicePayment {
  return {
    id: newId('inpay_'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
