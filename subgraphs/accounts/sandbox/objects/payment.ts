import type Stripe from 'stripe';
import { newId } from '../sandbox-objects.js';
import type { Method } from './method.rules.js';

export interface NewPaymentIntent {
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description: string | null;
  readonly metadata: Record<string, string>;
  readonly methods: readonly string[];
}

/** Fields that all payment intents of the sandbox share. */
const BLANK = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  capture_method: 'automatic_async',
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} as const satisfies Partial<Stripe.PaymentIntent>;

export function makePaymentIntent(
  { amount, currency, customer, description, metadata, methods }: NewPaymentIntent,
  created: number,
): Stripe.PaymentIntent {
  const id = newId('pi_');
  return {
    ...BLANK,
    id,
    amount,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('', 25)}`,
    created,
    currency,
    customer,
    description,
    last_payment_error: null,
    latest_charge: null,
    metadata,
    payment_method: null,
    payment_method_types: [...methods],
    status: 'requires_payment_method',
  };
}

/** The charge of a payment intent. Refunds and disputes refer to it. */
export function makeCharge(intent: Stripe.PaymentIntent, method: Method, created: number): Stripe.Charge {
  const { amount, currency, metadata, description } = intent;
  const declined = method.outcome === 'declines';
  const status = { succeeds: 'succeeded', declines: 'failed', 'is pending': 'pending' }[method.outcome];
  return {
    id: newId('ch_'),
    object: 'charge',
    amount,
    amount_captured: declined ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: declined ? null : newId('txn_'),
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'SANDBOX',
    captured: !declined,
    created,
    currency,
    customer: intent.customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: declined ? 'card_declined' : null,
    failure_message: declined ? DECLINED : null,
    fraud_details: {},
    livemode: false,
    metadata,
    on_behalf_of: null,
    outcome: outcomeOf(declined),
    paid: !declined,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    payment_method_details: detailsOf(method),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: status,
    transfer_data: null,
    transfer_group: null,
  };
}

export const DECLINED = 'Your card was declined.';

function outcomeOf(declined: boolean): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: declined ? 'declined_by_network' : 'approved_by_network',
    reason: declined ? 'generic_decline' : null,
    risk_level: 'normal',
    risk_score: 5,
    seller_message: declined ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: declined ? 'issuer_declined' : 'authorized',
  };
}

function detailsOf({ type }: Method): Stripe.Charge.PaymentMethodDetails {
  const known: Partial<Record<Method['type'], object>> = {
    card: { brand: 'visa', country: 'US', exp_month: 12, exp_year: 2034, funding: 'credit', last4: '4242' },
    sepa_debit: { bank_code: '37040044', branch_code: '', country: 'DE', last4: '3000' },
  };
  return { type, [type]: known[type] ?? {} } satisfies Stripe.Charge.PaymentMethodDetails;
}

export interface NewRefund {
  readonly amount: number;
  readonly reason: string | null;
  readonly metadata: Record<string, string>;
  readonly status: 'succeeded' | 'pending';
}

export function makeRefund(charge: Stripe.Charge, refund: NewRefund, created: number): Stripe.Refund {
  const { amount, reason, metadata, status } = refund;
  return {
    id: newId('re_'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn_'),
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { type: 'card' },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
}

export function makeDispute(
  charge: Stripe.Charge,
  { amount, reason }: { amount: number; reason: string },
  created: number,
): Stripe.Dispute {
  return {
    id: newId('du_'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    } as Stripe.Dispute.EvidenceDetails,
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  };
}
