import { sql } from 'kysely';
import type { Database, Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { inSavepoint } from '../../../../kernel/database/savepoint.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import { eventDataOfEvent, isTime } from '../processor/processor-event-data.rules.js';
import { isSimulated } from '../processor/open-processor.js';
import type { ProcessorEventData } from '../processor/processor-event-data.js';
import type { ProcessorEvent } from '../processor/processor.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import type { ProcessorEventPage } from './event.js';
import { applyProcessorEvent } from './apply-event.actions.js';
import { failedBy, mostSevere, type Outcome } from './outcome.rules.js';

const ADD = query('event-add', (db: Tables, value: ProcessorEvent & { receivedAt: Date }) =>
  db
    .insertInto('processorEvent')
    .values({
      id: value.id,
      type: value.type,
      payload: value.payload,
      occurredAt: value.occurredAt,
      receivedAt: value.receivedAt,
      status: 'received',
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id'),
);

/** Stores and applies an event in one transaction; safe to repeat. */
export async function receiveEvent(runtime: AccountsRuntime, event: ProcessorEvent): Promise<void> {
  const now = runtime.now();
  const isDated = isTime(event.occurredAt);
  await runtime.database.change(async (change) => {
    const occurredAt = isDated ? event.occurredAt : now;
    const added = await change.run(ADD, { ...event, occurredAt, receivedAt: now });
    if (added.length === 0) return;
    if (isDated) await process(change, event, dependenciesOf(runtime, now));
    else await storeOutcome(change, event.id, { status: 'failed', note: 'its time is none' });
  });
}

/** Queries the processor and applies the result, dated before the query, so that later events are newer. */
export async function applyQuery(
  runtime: AccountsRuntime,
  fetchEvents: () => Promise<readonly ProcessorEventData[]>,
): Promise<Outcome> {
  const now = runtime.now();
  // Events are dated to the second. The result is ordered like a change within this second.
  const eventAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + CHANGED_SHIFT_MS);
  const events = await fetchEvents();
  return runtime.database.change((change) => applyAll(change, events, { ...dependenciesOf(runtime, now), eventAt }));
}

type ProcessorEventDependencies = Omit<Parameters<typeof applyProcessorEvent>[2], 'eventAt'>;

function dependenciesOf({ jobs, services }: AccountsRuntime, now: Date): ProcessorEventDependencies {
  return { jobs, now, isSimulated: isSimulated(services) };
}

async function process(
  change: DatabaseTransaction,
  event: ProcessorEvent,
  dependencies: ProcessorEventDependencies,
): Promise<Outcome> {
  const outcome = await attempt(change, () =>
    applyAll(change, eventDataOfEvent(event.payload), { ...dependencies, eventAt: orderOf(event) }),
  );
  await storeOutcome(change, event.id, outcome);
  return outcome;
}

interface StoredOutcome {
  readonly id: string;
  readonly status: Outcome['status'];
  readonly waitsFor: string | null;
  readonly note: string | null;
}

const STORE_OUTCOME = query('event-store-outcome', (db: Tables, value: StoredOutcome) =>
  db
    .updateTable('processorEvent')
    .set({ status: value.status, waitsFor: value.waitsFor, note: value.note })
    .where('id', '=', value.id),
);

async function storeOutcome(change: DatabaseTransaction, id: string, outcome: Outcome): Promise<void> {
  await change.run(STORE_OUTCOME, { id, waitsFor: null, note: null, ...outcome });
}

/** Runs the work in a savepoint; a permanent error is rolled back and returned as the outcome. */
async function attempt(change: DatabaseTransaction, work: () => Promise<Outcome>): Promise<Outcome> {
  return inSavepoint(change, work).catch((error: unknown) => {
    const failed = failedBy(error);
    if (!failed) throw error;
    return failed;
  });
}

/** Order of a change within its second. */
const CHANGED_SHIFT_MS = 1;

/** The processor dates events to the second. Within a second, creations come before changes, and ends after them. */
function orderOf({ type, occurredAt }: ProcessorEvent): Date {
  const shift = type.endsWith('.created') ? 0 : type.endsWith('.deleted') ? 2 : CHANGED_SHIFT_MS;
  return new Date(occurredAt.getTime() + shift);
}

async function applyAll(
  change: DatabaseTransaction,
  events: readonly ProcessorEventData[],
  dependencies: Parameters<typeof applyProcessorEvent>[2],
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const event of events) outcomes.push(await applyProcessorEvent(change, event, dependencies));
  return mostSevere(outcomes);
}

interface Waiting {
  readonly waitsFor: string | null;
  readonly ids: readonly string[] | null;
  readonly since: Date | null;
  readonly withFailed: boolean;
}

/** Whether the object that an event waits for is known by now. */
const IS_KNOWN = sql`(
  EXISTS (SELECT 1 FROM accounts.customer WHERE processor_customer_id = waits_for)
  OR EXISTS (SELECT 1 FROM accounts.payment WHERE payment_intent_id = waits_for)
  OR EXISTS (SELECT 1 FROM accounts.payment WHERE invoice_id = waits_for)
  OR EXISTS (SELECT 1 FROM accounts.checkout WHERE session_id = waits_for))`;

const WAITING = query('event-waiting', (db: Tables, { waitsFor, ids, since, withFailed }: Waiting) =>
  db
    .selectFrom('processorEvent')
    .select('id')
    .where(sql<boolean>`(status IN ('parked', 'flagged') OR status = 'failed' AND ${withFailed})`)
    .where(sql<boolean>`(${waitsFor}::text IS NULL OR waits_for = ${waitsFor})`)
    .where(sql<boolean>`(${ids}::text[] IS NULL OR id = ANY(${ids}))`)
    .where(
      sql<boolean>`(${since}::timestamptz IS NULL OR received_at > ${since} AND (status = 'flagged' OR ${IS_KNOWN}))`,
    )
    .orderBy('occurredAt')
    .orderBy('receivedAt'),
);

/**
 * Retries parked and flagged events: those that wait for an id, those with these ids, those received since a time that do not wait
 * any more, or all; failed events only with `withFailed`. @returns the number of processed events
 */
export async function replayEvents(
  runtime: AccountsRuntime,
  which: {
    readonly waitsFor?: string;
    readonly ids?: readonly string[];
    readonly since?: Date;
    readonly withFailed?: true;
  },
): Promise<number> {
  const { waitsFor = null, ids = null, since = null, withFailed = false } = which;
  const waiting = await runtime.database.run(WAITING, { waitsFor, ids, since, withFailed });
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

const LOCK_WAITING = query('event-lock-waiting', (db: Tables, value: { id: string }) =>
  db
    .selectFrom('processorEvent')
    .select(['id', 'type', 'payload', 'occurredAt'])
    .where('id', '=', value.id)
    .where('status', 'in', ['parked', 'flagged', 'failed'])
    .forUpdate(),
);

function replay(runtime: AccountsRuntime, id: string): Promise<boolean> {
  return runtime.database.change(async (change) => {
    const [event] = await change.run(LOCK_WAITING, { id });
    if (!event) return false;
    const { status } = await process(change, event, dependenciesOf(runtime, runtime.now()));
    return status === 'processed';
  });
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface OfStatus {
  readonly status: Outcome['status'];
}

const selectPage = (db: Tables, { limit, offset }: Page) =>
  db
    .selectFrom('processorEvent')
    .select(['id', 'type', 'status', 'waitsFor', 'note', 'occurredAt', 'receivedAt'])
    .orderBy('receivedAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset);
const countEvents = (db: Tables) => db.selectFrom('processorEvent').select(sql<number>`count(*)::integer`.as('count'));

/** One statement for each filter: PostgreSQL plans a prepared statement for all values, so an optional filter would use no index. */
const PAGE = query('event-page', selectPage);
const PAGE_OF_STATUS = query('event-page-of-status', (db: Tables, value: Page & OfStatus) =>
  selectPage(db, value).where('status', '=', value.status),
);
const COUNT = query('event-count', countEvents);
const COUNT_OF_STATUS = query('event-count-of-status', (db: Tables, value: OfStatus) =>
  countEvents(db).where('status', '=', value.status),
);
const REMAINING = query('event-remaining', (db: Tables) =>
  countEvents(db).where('status', 'in', ['parked', 'flagged', 'failed']),
);

/** A page of processor events. */
export async function listEvents(
  database: Database,
  status: Outcome['status'] | null | undefined,
  request: PageRequest,
): Promise<ProcessorEventPage> {
  const page = { limit: request.pageSize, offset: offsetOf(request) };
  const [results, [total]] =
    status == null
      ? await Promise.all([database.run(PAGE, page), database.run(COUNT, {})])
      : await Promise.all([
          database.run(PAGE_OF_STATUS, { ...page, status }),
          database.run(COUNT_OF_STATUS, { status }),
        ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** Number of parked, flagged and failed events. */
export async function remainingEvents(database: Database): Promise<number> {
  const [row] = await database.run(REMAINING, {});
  return row?.count ?? 0;
}
