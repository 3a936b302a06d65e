import type { Database, Transaction as Change } from '../../../../kernel/database/database.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { factsOfEvent, isTime } from '../processor/processor-event-data.rules.js';
import type { ProcessorEventData } from '../processor/processor-event-data.js';
import type { ProcessorEvent } from '../processor/processor.js';
import type { AccountsRuntime } from '../../services.js';
import type { FlaggedPayment, ProcessorEventPage, ProcessorEventRecord } from './event.js';
import { applyProcessorEvent } from './apply-event.actions.js';
import { failedBy, weightiest, type Outcome } from './outcome.rules.js';

/** Stores and applies an event in one transaction; safe to repeat. */
export async function receiveEvent(runtime: AccountsRuntime, event: ProcessorEvent): Promise<void> {
  const now = runtime.now();
  const isDated = isTime(event.occurredAt);
  await runtime.database.change(async (change) => {
    const added = await change.execute<object>(
      `INSERT INTO accounts.processor_event (id, type, payload, occurred_at, received_at, status)
       VALUES ($1, $2, $3, $4, $5, 'received') ON CONFLICT (id) DO NOTHING RETURNING id`,
      [event.id, event.type, event.payload, isDated ? event.occurredAt : now, now],
    );
    if (added.length === 0) return;
    if (isDated) await process(change, event, { jobs: runtime.jobs, now });
    else await keepOutcome(change, event.id, { status: 'failed', note: 'its time is none' });
  });
}

/**
 * Asks the processor and lets what it tells take effect, dated from before it was asked: what happens meanwhile counts
 * as newer.
 */
export async function learn(
  runtime: AccountsRuntime,
  ask: () => Promise<readonly ProcessorEventData[]>,
): Promise<Outcome> {
  const now = runtime.now();
  // As coarse as events are dated, and as a change among those of this second: none is newer for sure, nor older.
  const toldAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + CHANGED_SHIFT_MS);
  const facts = await ask();
  return runtime.database.change((change) => applyAll(change, facts, { jobs: runtime.jobs, now, toldAt }));
}

type ProcessorEventDependencies = Omit<Parameters<typeof applyProcessorEvent>[2], 'toldAt'>;

async function process(change: Change, event: ProcessorEvent, door: ProcessorEventDependencies): Promise<Outcome> {
  const outcome = await attempt(change, () =>
    applyAll(change, factsOfEvent(event.payload), { ...door, toldAt: orderOf(event) }),
  );
  await keepOutcome(change, event.id, outcome);
  return outcome;
}

async function keepOutcome(change: Change, id: string, outcome: Outcome): Promise<void> {
  await change.execute('UPDATE accounts.processor_event SET status = $2, waits_for = $3, note = $4 WHERE id = $1', [
    id,
    outcome.status,
    'waitsFor' in outcome ? outcome.waitsFor : null,
    'note' in outcome ? outcome.note : null,
  ]);
}

/** Runs the work in a savepoint; a permanent error is rolled back and returned as the outcome. */
async function attempt(change: Change, work: () => Promise<Outcome>): Promise<Outcome> {
  await change.execute('SAVEPOINT attempt');
  try {
    return await work();
  } catch (error) {
    const failed = failedBy(error);
    if (!failed) throw error;
    await change.execute('ROLLBACK TO SAVEPOINT attempt');
    return failed;
  }
}

/** Order of a change within its second. */
const CHANGED_SHIFT_MS = 1;

/** The processor dates events to the second; within one, what began comes before what changed, and what ended after it. */
function orderOf({ type, occurredAt }: ProcessorEvent): Date {
  const shift = type.endsWith('.created') ? 0 : type.endsWith('.deleted') ? 2 : CHANGED_SHIFT_MS;
  return new Date(occurredAt.getTime() + shift);
}

async function applyAll(
  change: Change,
  facts: readonly ProcessorEventData[],
  door: Parameters<typeof applyProcessorEvent>[2],
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const fact of facts) outcomes.push(await applyProcessorEvent(change, fact, door));
  return weightiest(outcomes);
}

const WAITING = {
  name: 'event-waiting',
  text: `SELECT id FROM accounts.processor_event
          WHERE (status IN ('parked', 'flagged') OR status = 'failed' AND $3) AND ($1::text IS NULL OR waits_for = $1) AND ($2::text[] IS NULL OR id = ANY($2))
          ORDER BY occurred_at, received_at`,
};

/**
 * Tries events again that wait or are flagged: those that wait for an id, those named, or all;
 * failed ones only when it says so. @returns how many took effect
 */
export async function replayEvents(
  runtime: AccountsRuntime,
  which: { readonly waitsFor?: string; readonly ids?: readonly string[]; readonly withFailed?: true },
): Promise<number> {
  const waiting = await runtime.database.rows<{ id: string }>(WAITING, [
    which.waitsFor ?? null,
    which.ids ?? null,
    which.withFailed ?? false,
  ]);
  let replayed = 0;
  for (const { id } of waiting) {
    const hasWorked = await replay(runtime, id).catch((error: unknown) => {
      runtime.log.error({ err: error, event: id }, 'could not process an event');
      return false;
    });
    if (hasWorked) replayed += 1;
  }
  return replayed;
}

function replay({ database, jobs, now }: AccountsRuntime, id: string): Promise<boolean> {
  return database.change(async (change) => {
    const [event] = await change.execute<ProcessorEvent>(
      `SELECT id, type, payload, occurred_at AS "occurredAt" FROM accounts.processor_event
        WHERE id = $1 AND status IN ('parked', 'flagged', 'failed') FOR UPDATE`,
      [id],
    );
    if (!event) return false;
    const { status } = await process(change, event, { jobs, now: now() });
    return status === 'processed';
  });
}

const COLUMNS =
  'id, type, status, waits_for AS "waitsFor", note, occurred_at AS "occurredAt", received_at AS "receivedAt"';
const MATCHING = 'accounts.processor_event WHERE ($1::text IS NULL OR status = $1)';
const PAGE = {
  name: 'event-page',
  text: `SELECT ${COLUMNS} FROM ${MATCHING} ORDER BY received_at DESC, id LIMIT $2 OFFSET $3`,
};
const COUNT = { name: 'event-count', text: `SELECT count(*)::integer AS count FROM ${MATCHING}` };
const REMAINING = {
  name: 'event-remaining',
  text: `SELECT count(*)::integer AS count FROM accounts.processor_event WHERE status IN ('parked', 'flagged', 'failed')`,
};
const FLAGGED = {
  name: 'payment-flagged',
  text: `SELECT p.transaction_id AS "transactionId", t.user_id AS "userId", p.flag AS reason,
                p.payment_intent_id AS "paymentIntentId", p.invoice_id AS "invoiceId"
           FROM accounts.payment p JOIN accounts.transaction t ON t.id = p.transaction_id
          WHERE p.flag IS NOT NULL ORDER BY t.created_at DESC LIMIT 200`,
};

/** A page of processor events. */
export async function listEvents(
  database: Database,
  status: string | null | undefined,
  request: PageRequest,
): Promise<ProcessorEventPage> {
  const [results, [total]] = await Promise.all([
    database.rows<ProcessorEventRecord>(PAGE, [status ?? null, request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT, [status ?? null]),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** Number of parked, flagged and failed events. */
export async function remainingEvents(database: Database): Promise<number> {
  const [row] = await database.rows<{ count: number }>(REMAINING);
  return row?.count ?? 0;
}

/** Payments that differ from their transaction, the latest 200. */
export function flaggedPayments(database: Database): Promise<FlaggedPayment[]> {
  return database.rows<FlaggedPayment>(FLAGGED);
}
