import type Stripe from 'stripe';
import { newId } from '../sandbox-objects.js';

export interface NewSession {
  readonly mode: 'payment' | 'subscription';
  readonly lines: readonly Stripe.LineItem[];
  readonly methods: readonly string[];
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly customer: string | null;
  readonly email: string | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly expiresAt: number;
  readonly alwaysCustomer: boolean;
  readonly publicUrl: string;
}

/** Fields that all sessions of the sandbox share. */
const BLANK = {
  object: 'checkout.session',
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  ui_mode: 'hosted_page',
  wallet_options: null,
} as const satisfies Partial<Stripe.Checkout.Session>;

export function makeSession(input: NewSession, created: number): Stripe.Checkout.Session {
  const { mode, lines, methods, customer, email, metadata } = input;
  const id = newId('cs_test_', 58);
  const total = lines.reduce((sum, { amount_total }) => sum + amount_total, 0);
  return {
    ...BLANK,
    id,
    adaptive_pricing: { enabled: false },
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: input.cancelUrl,
    client_reference_id: input.reference,
    created,
    currency: lines[0]?.currency ?? 'usd',
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer,
    customer_creation: mode === 'subscription' || input.alwaysCustomer ? 'always' : 'if_required',
    customer_details: email === null ? null : customerDetails(email),
    customer_email: customer === null ? email : null,
    expires_at: input.expiresAt,
    invoice: null,
    metadata,
    mode,
    payment_intent: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_types: [...methods],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: input.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: `${input.publicUrl}/sandbox/checkout/${id}`,
  };
}

export function customerDetails(email: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

export function makeLineItem(price: Stripe.Price, quantity: number, description: string): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newId('li_'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description,
    metadata: null,
    price,
    quantity,
  };
}
