import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { dollarsOf } from '../transaction/amount.rules.js';
import type { InvoiceEvent } from '../processor/processor-event-data.js';
import { addTransaction } from '../transaction/transaction.actions.js';
import { planOf } from '../plan/plan.actions.js';
import type { ProcessorPlan } from '../processor/processor.js';
import {
  completePayment,
  failPayment,
  flagPayment,
  lockPayment,
  storePaymentIntentId,
  type LockedPayment,
} from './settlement.actions.js';
import type { SettlementDependencies } from './reversal.actions.js';

/** The user of an invoice, and the dependencies of its settlement. */
export interface InvoiceDependencies extends SettlementDependencies {
  readonly userId: number;
  /** Whether the processor takes test money. */
  readonly isSimulated: boolean;
}

/**
 * Grants credits for a paid subscription invoice, in proportion to the money: the full plan for a renewal, a part for a
 * change of plans, none for a payment of 0. @returns why nothing was granted
 */
export async function settleInvoice(
  change: DatabaseTransaction,
  event: InvoiceEvent,
  dependencies: InvoiceDependencies,
): Promise<string | undefined> {
  if (event.state === 'open' || event.cents === 0) return undefined;
  const plan = await planOf(change, event.priceId);
  const payment = await storeInvoice(change, event, { ...dependencies, plan });
  if (event.paymentIntentId !== null)
    await storePaymentIntentId(change, payment, { intentId: event.paymentIntentId, jobs: dependencies.jobs });
  if (payment.reference !== null) return undefined;
  if (event.state === 'failed') {
    await failPayment(change, payment, { ...dependencies, key: event.invoiceId });
    return undefined;
  }
  const mismatch = await mismatchOf(change, event, plan);
  if (mismatch === undefined) await completePayment(change, payment, { ...dependencies, reference: event.invoiceId });
  else await flagPayment(change, payment, { ...dependencies, reason: mismatch });
  return mismatch;
}

const CHECKOUT = query('invoice-checkout', (db: Tables, value: { id: string | null }) =>
  db
    .selectFrom('checkout')
    .select(['priceId', sql<number>`cents::float8`.as('cents')])
    .where('id', '=', value.id)
    .where('mode', '=', 'subscription'),
);

/** How an invoice differs from its plan and checkout, as text for administrators. */
async function mismatchOf(
  change: DatabaseTransaction,
  event: InvoiceEvent,
  plan: ProcessorPlan | undefined,
): Promise<string | undefined> {
  if (event.currency !== 'usd') return `currency ${event.currency} instead of usd`;
  if (!plan) return `price ${event.priceId ?? 'unknown'} is not one of our plans`;
  if (!event.isFirst || event.checkoutId === null) return undefined;
  const [checkout] = await change.run(CHECKOUT, { id: uuidOf(event.checkoutId) });
  if (!checkout) return undefined;
  if (checkout.priceId !== plan.priceId) return `price ${plan.priceId} instead of ${checkout.priceId}`;
  if (checkout.cents !== event.cents)
    return `${dollarsOf(event.cents)} USD instead of ${dollarsOf(checkout.cents)} USD`;
  return undefined;
}

interface NewInvoice {
  readonly userId: number;
  readonly id: string;
  readonly invoiceId: string;
  readonly subscriptionId: string | null;
  readonly isSimulated: boolean;
}

const ADD_PAYMENT = query('invoice-add-payment', (db: Tables, value: NewInvoice) =>
  db
    .insertInto('payment')
    .values({
      userId: value.userId,
      transactionId: value.id,
      invoiceId: value.invoiceId,
      subscriptionId: value.subscriptionId,
      isSimulated: value.isSimulated,
      cents: '0',
      credits: '0',
    })
    .onConflict((on) => on.column('invoiceId').doNothing())
    .returning('transactionId as id'),
);

interface InvoicePrice extends Pick<InvoiceEvent, 'invoiceId' | 'cents' | 'chargedCents'> {
  readonly isPaid: boolean;
  readonly planCredits: number;
  readonly planCents: number;
  readonly dollars: string;
}

/** A flagged payment has arrived: a failure that is reported later does not change its amount. */
const PRICE_INVOICE = query(
  'invoice-price',
  (_: Tables, { invoiceId, isPaid, cents, chargedCents, planCredits, planCents, dollars }: InvoicePrice) => sql<object>`
  WITH priced AS (
    UPDATE accounts.payment
       SET cents = ${cents}, charged_cents = ${chargedCents},
           credits = trunc(${planCredits}::numeric * ${cents}::bigint / ${planCents}::bigint, 18)
     WHERE invoice_id = ${invoiceId} AND reference IS NULL AND (${isPaid} OR flag_reason IS NULL)
    RETURNING user_id, transaction_id, credits)
  UPDATE accounts.transaction t SET amount = ${dollars}::numeric, credits = floor(priced.credits)::integer
    FROM priced WHERE t.user_id = priced.user_id AND t.id = priced.transaction_id`,
);

/** Adds the payment of an invoice, once also under concurrent events, updates its amount and locks it. */
async function storeInvoice(
  change: DatabaseTransaction,
  event: InvoiceEvent,
  { userId, plan, isSimulated, now }: InvoiceDependencies & { readonly plan: ProcessorPlan | undefined },
): Promise<LockedPayment> {
  const { invoiceId, subscriptionId, cents, chargedCents } = event;
  const [added] = await change.run(ADD_PAYMENT, {
    userId,
    id: randomUUID(),
    invoiceId,
    subscriptionId,
    isSimulated,
  });
  const card = { paymentType: 'payproc', currency: 'USD', amount: '0', credits: 0 };
  if (added) await addTransaction(change, { id: added.id, userId, ...card }, now);
  const { credits: planCredits = 0, cents: planCents = 100 } = plan ?? {};
  const isPaid = event.state === 'paid';
  const price = { invoiceId, isPaid, cents, chargedCents, planCredits, planCents, dollars: dollarsOf(cents) };
  await change.run(PRICE_INVOICE, price);
  const payment = await lockPayment(change, { invoiceId });
  if (!payment) throw new Error('the payment of the invoice is missing after its insert');
  return payment;
}
