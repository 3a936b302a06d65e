import { randomUUID } from 'node:crypto';
import type { Transaction as Change } from '../../../../kernel/database/database.js';
import { uuidOf } from '../../../../kernel/text.js';
import { dollarsOf } from './amount.rules.js';
import type { InvoiceEvent } from '../processor/processor-event-data.js';
import { planOf } from './plan.actions.js';
import type { ProcessorPlan } from '../processor/processor.js';
import {
  completePayment,
  failPayment,
  flagPayment,
  lockPayment,
  nameIntent,
  type LockedPayment,
  type SettlementDependencies,
} from './settlement.actions.js';

/**
 * Grants an invoice of a subscription that was paid, in proportion to the money: a renewal all that the plan gives, a
 * change of plans its part, nothing for nothing.
 * @returns why it was not granted
 */
export async function settleInvoice(
  change: Change,
  fact: InvoiceEvent,
  door: SettlementDependencies & { readonly userId: number },
): Promise<string | undefined> {
  if (fact.state === 'open' || fact.cents === 0) return undefined;
  const plan = await planOf(change, fact.priceId);
  const payment = await keepInvoice(change, fact, { ...door, plan });
  if (fact.paymentIntentId !== null)
    await nameIntent(change, payment, { intentId: fact.paymentIntentId, jobs: door.jobs });
  if (payment.reference !== null) return undefined;
  if (fact.state === 'failed') {
    await failPayment(change, payment, { ...door, key: fact.invoiceId });
    return undefined;
  }
  const fault = await faultOf(change, fact, plan);
  if (fault === undefined) await completePayment(change, payment, { ...door, reference: fact.invoiceId });
  else await flagPayment(change, payment, { reason: fault, now: door.now });
  return fault;
}

/** What of an invoice is not what was created, in words for administrators. */
async function faultOf(
  change: Change,
  fact: InvoiceEvent,
  plan: ProcessorPlan | undefined,
): Promise<string | undefined> {
  if (fact.currency !== 'usd') return `currency ${fact.currency} instead of usd`;
  if (!plan) return `price ${fact.priceId ?? 'unknown'} is no plan of ours`;
  if (!fact.isFirst || fact.checkoutId === null) return undefined;
  const [checkout] = await change.execute<{ priceId: string; cents: number }>(
    `SELECT price_id AS "priceId", cents::float8 AS cents FROM accounts.checkout
      WHERE id = $1 AND mode = 'subscription'`,
    [uuidOf(fact.checkoutId)],
  );
  if (!checkout) return undefined;
  if (checkout.priceId !== plan.priceId) return `price ${plan.priceId} instead of ${checkout.priceId}`;
  if (checkout.cents !== fact.cents) return `${dollarsOf(fact.cents)} USD instead of ${dollarsOf(checkout.cents)} USD`;
  return undefined;
}

/** The one payment of an invoice with what it now comes to; two events at once make one. */
async function keepInvoice(
  change: Change,
  fact: InvoiceEvent,
  { userId, plan, now }: SettlementDependencies & { readonly userId: number; readonly plan: ProcessorPlan | undefined },
): Promise<LockedPayment> {
  const [added] = await change.execute<{ id: string }>(
    `INSERT INTO accounts.payment (transaction_id, invoice_id, subscription_id, cents, credits)
     VALUES ($1, $2, $3, 0, 0) ON CONFLICT (invoice_id) DO NOTHING RETURNING transaction_id AS id`,
    [randomUUID(), fact.invoiceId, fact.subscriptionId],
  );
  if (added) {
    await change.execute(
      `INSERT INTO accounts.transaction (id, user_id, payment_type, amount, currency, credits, created_at, updated_at)
       VALUES ($1, $2, 'payproc', 0, 'USD', 0, $3, $3)`,
      [added.id, userId, now],
    );
  }
  await change.execute(
    `WITH priced AS (
       UPDATE accounts.payment SET cents = $2, credits = trunc($3::numeric * $2::bigint / $4::bigint, 18)
        WHERE invoice_id = $1 AND reference IS NULL RETURNING transaction_id, credits)
     UPDATE accounts.transaction t SET amount = $5::numeric, credits = floor(priced.credits)::integer
       FROM priced WHERE t.id = priced.transaction_id`,
    [fact.invoiceId, fact.cents, plan?.credits ?? 0, plan?.cents ?? 100, dollarsOf(fact.cents)],
  );
  const payment = await lockPayment(change, { invoiceId: fact.invoiceId });
  if (!payment) throw new Error('an invoice that was just kept is gone');
  return payment;
}
