import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound, rateLimited } from '../../../../kernel/errors.js';
import { cursorPage } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { enqueueDelivery } from '../delivery/queue.actions.js';
import { DELIVERY_COLUMNS, type WebhookDelivery, type WebhookDeliveryPage } from './webhook.js';

const OWNED = query('webhook-endpoint-owned', (db: Tables, value: { id: string; userId: number }) =>
  db.selectFrom('webhookEndpoint').select('id').where('id', '=', value.id).where('userId', '=', value.userId),
);

const LIST = query(
  'webhook-deliveries',
  (db: Tables, value: { userId: number; endpointId: string; after: string | null; limit: number }) =>
    db
      .selectFrom('delivery as d')
      .select(DELIVERY_COLUMNS)
      .where('d.userId', '=', value.userId)
      .where('d.endpointId', '=', value.endpointId)
      .where(sql<boolean>`(${value.after}::bigint IS NULL OR d.id < ${value.after})`)
      .orderBy('d.id', 'desc')
      .limit(value.limit),
);

/** Sent and pending deliveries of the user's endpoint, newest first. @throws NOT_FOUND */
export async function listDeliveries(
  database: Database,
  { userId, endpointId }: { readonly userId: number; readonly endpointId: string },
  { first, after }: { readonly first: number; readonly after: string | undefined },
): Promise<WebhookDeliveryPage> {
  const [owned] = await database.run(OWNED, { id: endpointId, userId });
  if (!owned) throw notFound('There is no such endpoint.');
  const found = await database.run(LIST, { userId, endpointId, after: after ?? null, limit: first + 1 });
  return cursorPage(found, first, ({ id }) => id);
}

/** Minimum seconds between two attempts by the user. */
const REPLAY_INTERVAL_SECONDS = 5;

const REPLAY = query('replay-delivery', (db: Tables, value: { id: string; userId: number; now: Date }) =>
  db
    .updateTable('delivery as d')
    .from('webhookEndpoint as e')
    .set({ state: 'pending', attempts: 0, nextAttemptAt: value.now, sentAt: null })
    .where((row) => row.and({ 'd.userId': value.userId, 'd.id': value.id }))
    .whereRef('e.userId', '=', 'd.userId')
    .whereRef('e.id', '=', 'd.endpointId')
    .returning([...DELIVERY_COLUMNS, 'e.id as endpointId']),
);

/**
 * Restarts a delivery with the same id.
 * @throws NOT_FOUND, CONFLICT while it is still pending, RATE_LIMITED within seconds of its last attempt
 */
export function replayDelivery(
  { database, jobs, now }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<WebhookDelivery> {
  return database.change(async (transaction) => {
    await refuseTooSoon(transaction, { userId, id }, now());
    const [delivery] = await transaction.run(REPLAY, { id, userId, now: now() });
    if (!delivery) throw notFound('There is no such delivery.');
    await enqueueDelivery(transaction, jobs, { ...delivery, userId });
    return delivery;
  });
}

const LOCK = query('lock-delivery', (db: Tables, value: { id: string; userId: number }) =>
  db
    .selectFrom('delivery as d')
    .select(['d.state', 'd.attemptedAt'])
    .where((row) => row.and({ 'd.userId': value.userId, 'd.id': value.id }))
    .where('d.endpointId', 'is not', null)
    .forUpdate(),
);

async function refuseTooSoon(
  transaction: Transaction,
  { userId, id }: { readonly userId: number; readonly id: string },
  now: Date,
): Promise<void> {
  const [known] = await transaction.run(LOCK, { id, userId });
  if (known?.state === 'pending') throw conflict('The delivery is still pending.');
  const restedMs = known?.attemptedAt ? now.getTime() - known.attemptedAt.getTime() : Infinity;
  const retryAfter = Math.ceil(REPLAY_INTERVAL_SECONDS - restedMs / 1000);
  if (retryAfter > 0)
    throw rateLimited(`The delivery was just attempted; try again in ${retryAfter} s.`, { retryAfter });
}
