import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { processorOf } from '../processor/open-processor.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { applyQuery, receiveEvent, replayEvents } from './event.actions.js';
import { emptyIfUnknown, markQueried, queryPage, queryTime, type QueryTime } from './checkout-page.actions.js';
import { closeUnpaid, unpaidPayments } from './unpaid-payment.actions.js';

/** Overlap in milliseconds, because the processor may list events late. */
const OVERLAP_MS = 15 * 60_000;

/** Range of the first run and of retries in milliseconds: as long as the processor keeps checkout sessions. */
const RANGE_MS = 3 * 24 * 3_600_000;

/** Maximum pages, and maximum payments, per run. */
const MAX_PAGES = 200;

/**
 * Reconciles with the processor: applies missed events, closes expired pages and unpaid payments, and retries the parked events of
 * the last days. @returns the number of replayed events. @throws UNAVAILABLE
 */
export async function reconcile(runtime: AccountsRuntime): Promise<number> {
  let replayed = 0;
  const since = new Date(runtime.now().getTime() - RANGE_MS);
  const replay = async () => void (replayed = await replayEvents(runtime, { since }));
  await forEach([applyMissedEvents, closeOverdue, expireUnpaid, assignUnknownPayments, replay], (step) =>
    step(runtime),
  );
  return replayed;
}

/** Runs the work for every item, even after failures. @throws the first failure, at the end */
async function forEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0] as Error;
}

const RECONCILED_UNTIL = query('reconciliation-seen', (db: Tables) =>
  db.selectFrom('reconciliation').select('reconciledUntil'),
);
const SET_RECONCILED_UNTIL = query('reconciliation-set-seen', (db: Tables, value: { reconciledUntil: Date }) =>
  db
    .insertInto('reconciliation')
    .values({ reconciledUntil: value.reconciledUntil })
    .onConflict((on) => on.column('id').doUpdateSet({ reconciledUntil: value.reconciledUntil })),
);

async function applyMissedEvents(runtime: AccountsRuntime): Promise<void> {
  const { database, now } = runtime;
  const startedAt = now();
  const [last] = await database.run(RECONCILED_UNTIL, {});
  // A time in the future was stored by a clock that was ahead.
  const isKnown = last !== undefined && last.reconciledUntil <= startedAt;
  const since = isKnown ? last.reconciledUntil.getTime() - OVERLAP_MS : startedAt.getTime() - RANGE_MS;
  const processor = await processorOf(runtime);
  // A failed event is retried in the next run.
  await forEach(processor.eventsSince(new Date(since)), (event) => receiveEvent(runtime, event));
  await database.change((change) => change.run(SET_RECONCILED_UNTIL, { reconciledUntil: startedAt }));
}

/** Least recently queried pages first, so that failing pages do not block the others. */
const OVERDUE = query('checkout-overdue', (db: Tables, value: { now: Date; limit: number }) =>
  db
    .updateTable('checkout')
    .set({ requestedAt: value.now })
    .where('id', 'in', (part) =>
      part
        .selectFrom('checkout')
        .select('id')
        .where(sql<boolean>`status IN ('opening', 'open')`)
        .where('expiresAt', '<=', value.now)
        .orderBy('requestedAt', (by) => by.asc().nullsFirst())
        .orderBy('expiresAt')
        .limit(value.limit),
    )
    .returning(['userId', 'id', 'sessionId']),
);

async function closeOverdue(runtime: AccountsRuntime): Promise<void> {
  const overdue = await runtime.database.run(OVERDUE, { now: runtime.now(), limit: MAX_PAGES });
  await forEach(overdue, (page) => queryPage(runtime, page));
}

async function expireUnpaid(runtime: AccountsRuntime): Promise<void> {
  await forEach(await unpaidPayments(runtime, MAX_PAGES), (payment) => closeUnpaid(runtime, payment));
}

const UNKNOWN_PAYMENTS = query('event-strange-payments', (db: Tables, value: { since: Date; limit: number }) =>
  db
    .selectFrom('processorEvent')
    .select('waitsFor as intentId')
    .distinct()
    .where('status', '=', 'parked')
    .where('waitsFor', 'like', 'pi\\_%')
    .where('receivedAt', '>', value.since)
    .limit(value.limit)
    .$narrowType<{ intentId: string }>(),
);

/** Refunds and disputes name the payment, not its invoice: queries the processor if no event named it. */
async function assignUnknownPayments(runtime: AccountsRuntime): Promise<void> {
  const processor = await processorOf(runtime);
  const since = new Date(runtime.now().getTime() - RANGE_MS);
  const payments = await runtime.database.run(UNKNOWN_PAYMENTS, { since, limit: MAX_PAGES });
  await forEach(payments, ({ intentId }) =>
    applyQuery(runtime, () => emptyIfUnknown(processor.eventDataOfInvoicePayment(intentId))),
  );
}

/** Queries the invoice of a refunded or disputed payment. */
export const ASSIGN_PAYMENT: JobDefinition<AccountsRuntime> = {
  name: 'place-payment',
  work: async ({ intentId }, runtime) => {
    const processor = await processorOf(runtime);
    await applyQuery(runtime, () => emptyIfUnknown(processor.eventDataOfInvoicePayment(String(intentId))));
  },
};

interface IntentQuery extends QueryTime {
  readonly userId: number;
  readonly id: string | null;
}

const MARK_INTENT_QUERIED = query(
  'payment-mark-queried',
  (_: Tables, { userId, id, at, lastQueryBefore }: IntentQuery) => sql<{ intentId: string }>`
  UPDATE accounts.payment p SET queried_at = ${at}
    FROM accounts.transaction t
   WHERE p.user_id = ${userId} AND p.transaction_id = ${id} AND p.payment_intent_id IS NOT NULL
     AND (p.queried_at IS NULL OR p.queried_at < ${lastQueryBefore})
     AND t.user_id = p.user_id AND t.id = p.transaction_id AND t.status = 'pending'
  RETURNING p.payment_intent_id AS "intentId"`,
);

/**
 * Queries the processor for an open page or transaction, because the payer may return before the webhook arrives.
 * @param id of the page or the transaction; undefined: the newest pages of subscriptions
 */
export async function queryBeforeWebhook(runtime: AccountsRuntime, userId: number, id?: string): Promise<void> {
  const { database, log } = runtime;
  const time = queryTime(runtime);
  const pages = await markQueried(runtime, userId, id);
  const [payment] =
    id === undefined ? [] : await database.run(MARK_INTENT_QUERIED, { userId, id: uuidOf(id), ...time });
  if (pages.length === 0 && !payment) return;
  try {
    const processor = await processorOf(runtime);
    for (const { sessionId } of pages)
      await applyQuery(runtime, () => emptyIfUnknown(processor.eventDataOfCheckout(sessionId)));
    if (payment) await applyQuery(runtime, () => processor.eventDataOfPayment(payment.intentId));
  } catch (error) {
    // The current state is returned; the webhook may follow.
    log.warn({ err: error }, 'could not query the payment processor');
  }
}

/** Replays events when the object that they wait for is known. */
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
    await applyQuery(runtime, () => processor.eventDataOfSubscription(String(subscriptionId)));
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
