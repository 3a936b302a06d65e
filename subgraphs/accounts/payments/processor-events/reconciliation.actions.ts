import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/text.js';
import { processorOf } from '../processor/open-processor.js';
import type { AccountsRuntime } from '../../services.js';
import { learn, receiveEvent, replayEvents } from './event.actions.js';
import { followPage, known, type AskedPage } from './checkout-page.actions.js';

/** Overlap in milliseconds, because the processor may list events late. */
const OVERLAP_MS = 15 * 60_000;

/** Range of the first run in milliseconds: as long as the processor keeps checkout sessions. */
const FIRST_POLL_MS = 3 * 24 * 3_600_000;

/** Maximum pages per run. */
const MAX_PAGES = 200;

/** Minimum milliseconds between two queries for the same page. */
const ASK_EVERY_MS = 2_000;

const SEEN = { name: 'reconciliation-seen', text: 'SELECT seen_until AS "seenUntil" FROM accounts.reconciliation' };
/** Least recently queried pages first, so that failing pages do not block the others. */
const OVERDUE = {
  name: 'checkout-overdue',
  text: `UPDATE accounts.checkout SET asked_at = $1
          WHERE id IN (SELECT id FROM accounts.checkout WHERE status IN ('opening', 'open') AND expires_at <= $1
                        ORDER BY asked_at NULLS FIRST, expires_at LIMIT $2)
         RETURNING id, session_id AS "sessionId"`,
};
const STRANGE_PAYMENTS = {
  name: 'event-strange-payments',
  text: `SELECT DISTINCT waits_for AS "intentId" FROM accounts.processor_event
          WHERE status = 'parked' AND waits_for LIKE 'pi\\_%' AND received_at > $1 LIMIT $2`,
};

/**
 * Reconciles with the processor: applies missed events, closes expired pages and
 * retries parked events. @returns the number of replayed events. @throws UNAVAILABLE
 */
export async function reconcile(runtime: AccountsRuntime): Promise<number> {
  let replayed = 0;
  const replay = async () => void (replayed = await replayEvents(runtime, {}));
  await forEach([catchUp, closeOverdue, placeStrangePayments, replay], (step) => step(runtime));
  return replayed;
}

/** Runs the work for every item, even after failures. @throws the first failure, at the end */
async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0] as Error;
}

async function catchUp(runtime: AccountsRuntime): Promise<void> {
  const { database, now } = runtime;
  const startedAt = now();
  const [seen] = await database.rows<{ seenUntil: Date }>(SEEN);
  const since = seen ? seen.seenUntil.getTime() - OVERLAP_MS : startedAt.getTime() - FIRST_POLL_MS;
  const processor = await processorOf(runtime);
  // A failed event is retried in the next run.
  await forEach(await processor.eventsSince(new Date(since)), (event) => receiveEvent(runtime, event));
  await database.change((change) =>
    change.execute(
      `INSERT INTO accounts.reconciliation AS r (seen_until) VALUES ($1)
       ON CONFLICT (id) DO UPDATE SET seen_until = greatest(r.seen_until, excluded.seen_until)`,
      [startedAt],
    ),
  );
}

async function closeOverdue(runtime: AccountsRuntime): Promise<void> {
  const overdue = await runtime.database.rows<AskedPage>(OVERDUE, [runtime.now(), MAX_PAGES]);
  await forEach(overdue, (page) => followPage(runtime, page));
}

/** Refunds and disputes name the payment, not its invoice: queries the processor if no event named it. */
async function placeStrangePayments(runtime: AccountsRuntime): Promise<void> {
  const processor = await processorOf(runtime);
  const since = new Date(runtime.now().getTime() - FIRST_POLL_MS);
  const strangers = await runtime.database.rows<{ intentId: string }>(STRANGE_PAYMENTS, [since, MAX_PAGES]);
  await forEach(strangers, ({ intentId }) => learn(runtime, () => known(processor.factsOfInvoicePayment(intentId))));
}

/** Queries the invoice of a refunded or disputed payment. */
export const PLACE_PAYMENT: JobDefinition<AccountsRuntime> = {
  name: 'place-payment',
  work: async ({ intentId }, runtime) => {
    const processor = await processorOf(runtime);
    await learn(runtime, () => known(processor.factsOfInvoicePayment(String(intentId))));
  },
};

const ASK_CHECKOUT = {
  name: 'checkout-ask',
  text: `UPDATE accounts.checkout SET asked_at = $3
          WHERE user_id = $1 AND status = 'open' AND (asked_at IS NULL OR asked_at < $4)
            AND ($2::text IS NULL AND mode = 'subscription' OR session_id = $2 OR $5 IN (id, transaction_id))
         RETURNING session_id AS "sessionId"`,
};
const INTENT = {
  name: 'payment-intent-pending',
  text: `SELECT p.payment_intent_id AS "intentId" FROM accounts.payment p JOIN accounts.transaction t ON t.id = p.transaction_id
          WHERE t.user_id = $1 AND t.id = $2 AND t.status = 'pending' AND p.payment_intent_id IS NOT NULL`,
};

/**
 * Queries the processor for an open page or transaction, because the payer may return before the webhook arrives.
 * @param id of the page or the transaction; undefined: every page of a subscription
 */
export async function confirmEarly(runtime: AccountsRuntime, userId: number, id?: string): Promise<void> {
  const { database, now, log } = runtime;
  const at = now();
  const justAsked = new Date(at.getTime() - ASK_EVERY_MS);
  const pages = await database.rows<{ sessionId: string }>(ASK_CHECKOUT, [
    userId,
    id ?? null,
    at,
    justAsked,
    uuidOf(id),
  ]);
  const [payment] = id === undefined ? [] : await database.rows<{ intentId: string }>(INTENT, [userId, uuidOf(id)]);
  if (pages.length === 0 && !payment) return;
  try {
    const processor = await processorOf(runtime);
    for (const { sessionId } of pages) await learn(runtime, () => processor.factsOfCheckout(sessionId));
    if (payment) await learn(runtime, () => processor.factsOfPayment(payment.intentId));
  } catch (error) {
    // What is known is answered; the webhook will tell the rest.
    log.warn({ err: error }, 'could not query the payment processor');
  }
}

/** Replays events when the object they wait for is known. */
export const REPLAY_EVENTS: JobDefinition<AccountsRuntime> = {
  name: 'replay-events',
  work: async ({ waitsFor }, runtime) => {
    await replayEvents(runtime, { waitsFor: String(waitsFor) });
  },
};

/** Queries the processor for a subscription whose events have no order. */
export const REFRESH_SUBSCRIPTION: JobDefinition<AccountsRuntime> = {
  name: 'refresh-subscription',
  work: async ({ subscriptionId }, runtime) => {
    const processor = await processorOf(runtime);
    await learn(runtime, () => processor.factsOfSubscription(String(subscriptionId)));
  },
};

/** Repairs the effects of lost or late webhooks. */
export const RECONCILE_PAYMENTS: JobDefinition<AccountsRuntime> = {
  name: 'reconcile-payments',
  cron: '*/5 * * * *',
  work: async (_, runtime) => {
    if (runtime.services.config.payments.processor !== 'off') await reconcile(runtime);
  },
};
