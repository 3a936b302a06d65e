import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { errorCode } from '../../../../kernel/errors.js';
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
