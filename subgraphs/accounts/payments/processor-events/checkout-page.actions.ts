import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { errorCode } from '../../../../kernel/errors.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { CheckoutKey } from '../rows.js';
import type { ProcessorEventData } from '../processor/processor-event-data.js';
import { processorOf } from '../processor/open-processor.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { applyQuery } from './event.actions.js';

/** A checkout page and its session id at the processor, once known. */
export interface QueriedPage extends CheckoutKey {
  readonly sessionId: string | null;
}

/**
 * Queries the processor for a checkout page and applies the result: payments are granted once. A page that it does
 * not know is closed. @throws UNAVAILABLE
 */
export async function queryPage(runtime: AccountsRuntime, { userId, id, sessionId }: QueriedPage): Promise<void> {
  const processor = await processorOf(runtime);
  let isKnown = false;
  if (sessionId !== null) {
    await applyQuery(runtime, async () => {
      const events = await emptyIfUnknown(processor.eventDataOfCheckout(sessionId));
      isKnown = events.length > 0;
      return events;
    });
  }
  if (!isKnown) await expire(runtime, { userId, id });
}

/** Minimum milliseconds between two queries for the same page or payment. */
const QUERY_INTERVAL_MS = 2_000;

/** When a page or payment is queried, unless it was queried after a time. */
export interface QueryTime {
  readonly at: Date;
  readonly lastQueryBefore: Date;
}

/** The time of a query of this moment. */
export function queryTime({ now }: AccountsRuntime): QueryTime {
  const at = now();
  return { at, lastQueryBefore: new Date(at.getTime() - QUERY_INTERVAL_MS) };
}

interface PageQuery extends QueryTime {
  readonly userId: number;
  readonly id: string | null;
  readonly uuid: string | null;
}

/** Maximum pages of a user that one request queries. */
const MAX_QUERIED = 3;

const MARK_QUERIED = query(
  'checkout-mark-queried',
  (db: Tables, { userId, id, uuid, at, lastQueryBefore }: PageQuery) =>
    db
      .updateTable('checkout')
      .set({ requestedAt: at })
      .where('userId', '=', userId)
      .where('id', 'in', (part) =>
        part
          .selectFrom('checkout')
          .select('id')
          .where('userId', '=', userId)
          .where('status', '=', 'open')
          .where(
            sql<boolean>`(${id}::text IS NULL AND mode = 'subscription' OR session_id = ${id}
            OR ${uuid} IN (id, transaction_id))`,
          )
          .orderBy('createdAt', 'desc')
          .limit(sql.lit(MAX_QUERIED)),
      )
      .where((eb) => eb.or([eb('requestedAt', 'is', null), eb('requestedAt', '<', lastQueryBefore)]))
      .returning('sessionId')
      .$narrowType<{ sessionId: string }>(),
);

/**
 * Marks the open pages of a user as queried now; returns those that were not queried just before. @param id of the page or its
 * transaction; undefined: the newest pages of subscriptions
 */
export function markQueried(runtime: AccountsRuntime, userId: number, id?: string): Promise<{ sessionId: string }[]> {
  const page = { userId, id: id ?? null, uuid: uuidOf(id) };
  return unaudited(runtime.database).run(MARK_QUERIED, { ...page, ...queryTime(runtime) });
}

/** The events from the processor; empty if the object is unknown there. */
export async function emptyIfUnknown(events: Promise<ProcessorEventData[]>): Promise<ProcessorEventData[]> {
  try {
    return await events;
  } catch (error) {
    if (errorCode(error) === 'BAD_REQUEST') return [];
    throw error;
  }
}

const EXPIRE = query(
  'checkout-expire',
  (_: Tables, { userId, id, now }: CheckoutKey & { now: Date }) => sql<object>`
  WITH closed AS (UPDATE accounts.checkout SET status = 'expired'
                   WHERE user_id = ${userId} AND id = ${id} AND status IN ('opening', 'open') RETURNING user_id, transaction_id)
  UPDATE accounts.transaction t SET status = 'expired', updated_at = ${now}
    FROM closed WHERE t.user_id = closed.user_id AND t.id = closed.transaction_id AND t.status = 'pending'`,
);

/** Closes a page that the processor does not know, or whose opening was never confirmed. */
function expire({ database, now }: AccountsRuntime, page: CheckoutKey) {
  return database.change((change) => change.run(EXPIRE, { ...page, now: now() }));
}
