import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { processorOf } from '../processor/open-processor.js';
import { transitionTransaction } from '../transaction/transaction.actions.js';
import { emptyIfUnknown } from './checkout-page.actions.js';
import { applyQuery } from './event.actions.js';

/** How long a payment without a hosted page can be paid, in milliseconds: as long as a hosted page. */
const TTL_MS = 24 * 3_600_000;

interface Due {
  readonly now: Date;
  readonly createdBefore: Date;
  readonly limit: number;
}

interface UnpaidPayment {
  readonly userId: number;
  readonly transactionId: string;
  readonly intentId: string | null;
}

/** Least recently queried first, so that payments that stay open, e.g. a transfer on its way, do not block the others. */
const UNPAID = query(
  'payments-unpaid',
  (_: Tables, { now, createdBefore, limit }: Due) => sql<UnpaidPayment>`
  WITH due AS (
    SELECT p.user_id, p.transaction_id FROM accounts.transaction t
      JOIN accounts.payment p ON p.user_id = t.user_id AND p.transaction_id = t.id
     WHERE t.status = 'pending' AND t.payment_type = 'payproc' AND t.created_at <= ${createdBefore}
       AND p.invoice_id IS NULL AND p.subscription_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM accounts.checkout c WHERE c.user_id = t.user_id AND c.transaction_id = t.id)
     ORDER BY p.queried_at NULLS FIRST, t.created_at LIMIT ${limit})
  UPDATE accounts.payment p SET queried_at = ${now} FROM due
   WHERE p.user_id = due.user_id AND p.transaction_id = due.transaction_id
  RETURNING p.user_id AS "userId", p.transaction_id AS "transactionId", p.payment_intent_id AS "intentId"`,
);

/** Payments without a hosted page that were not paid in a day, at most `limit`; they count as queried now. */
export function unpaidPayments({ database, now }: AccountsRuntime, limit: number): Promise<UnpaidPayment[]> {
  const createdBefore = new Date(now().getTime() - TTL_MS);
  return database.run(UNPAID, { now: now(), createdBefore, limit });
}

/**
 * Cancels the payment at the processor unless it is paid or in process, and expires its transaction. A payment that was never opened,
 * or that the processor does not know, expires too; if it is paid after all, it is granted. @throws UNAVAILABLE
 */
export async function closeUnpaid(
  runtime: AccountsRuntime,
  { userId, transactionId, intentId }: UnpaidPayment,
): Promise<void> {
  let isKnown = false;
  if (intentId !== null) {
    const processor = await processorOf(runtime);
    await applyQuery(runtime, async () => {
      const events = await emptyIfUnknown(processor.closeUnpaid(intentId));
      isKnown = events.length > 0;
      return events;
    });
  }
  const { database, now } = runtime;
  if (isKnown) return;
  await database.change((change) => transitionTransaction(change, { userId, id: transactionId, to: 'expired' }, now()));
}
