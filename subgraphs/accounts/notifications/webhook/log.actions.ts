import type { Database, Statement, Transaction } from '../../../../kernel/database/database.js';
import { conflict, notFound, rateLimited } from '../../../../kernel/errors.js';
import type { AccountsRuntime } from '../../services.js';
import { enqueueDelivery } from '../delivery/queue.actions.js';
import { DELIVERY_COLUMNS, type WebhookDelivery, type WebhookDeliveryPage } from './webhook.js';

const OWNED: Statement = {
  name: 'webhook-endpoint-owned',
  text: 'SELECT 1 FROM accounts.webhook_endpoint WHERE id = $1 AND user_id = $2',
};

const LIST: Statement = {
  name: 'webhook-deliveries',
  text: `
    SELECT ${DELIVERY_COLUMNS} FROM accounts.delivery d JOIN accounts.notification n ON n.id = d.notification_id
     WHERE d.endpoint_id = $1 AND ($2::bigint IS NULL OR d.id < $2) ORDER BY d.id DESC LIMIT $3`,
};

/** Sent and pending deliveries of the user's endpoint, newest first. @throws NOT_FOUND */
export async function listDeliveries(
  database: Database,
  { userId, endpointId }: { readonly userId: number; readonly endpointId: string },
  { first, after }: { readonly first: number; readonly after: string | undefined },
): Promise<WebhookDeliveryPage> {
  const [owned] = await database.rows<object>(OWNED, [endpointId, userId]);
  if (!owned) throw notFound('There is no such endpoint.');
  const found = await database.rows<WebhookDelivery>(LIST, [endpointId, after ?? null, first + 1]);
  const results = found.slice(0, first);
  return { results, nextCursor: found.length > first ? (results.at(-1)?.id ?? null) : null };
}

/** Minimum seconds between two attempts by the user. */
const REST_SECONDS = 5;

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
    const [delivery] = await transaction.execute<WebhookDelivery & { endpointId: string }>(
      `UPDATE accounts.delivery d SET state = 'pending', attempts = 0, next_attempt_at = $3, sent_at = NULL
         FROM accounts.notification n, accounts.webhook_endpoint e
        WHERE d.id = $1 AND n.id = d.notification_id AND e.id = d.endpoint_id AND e.user_id = $2
       RETURNING ${DELIVERY_COLUMNS}, e.id AS "endpointId"`,
      [id, userId, now()],
    );
    if (!delivery) throw notFound('There is no such delivery.');
    await enqueueDelivery(transaction, jobs, { ...delivery, userId });
    return delivery;
  });
}

async function refuseTooSoon(
  transaction: Transaction,
  { userId, id }: { readonly userId: number; readonly id: string },
  now: Date,
): Promise<void> {
  const [known] = await transaction.execute<{ state: string; attemptedAt: Date | null }>(
    `SELECT d.state, d.attempted_at AS "attemptedAt" FROM accounts.delivery d
       JOIN accounts.webhook_endpoint e ON e.id = d.endpoint_id
      WHERE d.id = $1 AND e.user_id = $2 FOR UPDATE OF d`,
    [id, userId],
  );
  if (known?.state === 'pending') throw conflict('The delivery is still pending.');
  const restedMs = known?.attemptedAt ? now.getTime() - known.attemptedAt.getTime() : Infinity;
  const retryAfter = Math.ceil(REST_SECONDS - restedMs / 1000);
  if (retryAfter > 0)
    throw rateLimited(`The delivery was just attempted; try again in ${retryAfter} s.`, { retryAfter });
}
