import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Statement, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { AccountsRuntime } from '../../services.js';
import type { NoticeKind } from '../notification/notification.js';
import { ENDPOINT_COLUMNS, MAX_ENDPOINTS, sealedFor, type WebhookEndpoint, type WebhookSecret } from './webhook.js';

/** Milliseconds for which the previous secret still signs. */
const ROTATION_MS = 24 * 3_600_000;

const OF_USER: Statement = {
  name: 'webhook-endpoints-of-user',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM accounts.webhook_endpoint WHERE user_id = $1 ORDER BY created_at, id`,
};

/** The user's endpoints, oldest first. */
export function listEndpoints(database: Database, userId: number): Promise<WebhookEndpoint[]> {
  return database.rows<WebhookEndpoint>(OF_USER, [userId]);
}

/** Adds an endpoint; an empty list of kinds means all. @throws CONFLICT above ten endpoints */
export async function addEndpoint(
  { database, services, now }: AccountsRuntime,
  userId: number,
  { url, kinds }: { readonly url: string; readonly kinds: readonly NoticeKind[] },
): Promise<WebhookSecret> {
  const id = randomUUID();
  const secret = makeSecret();
  try {
    const [endpoint] = await database.change(async (transaction) => {
      // Serialized, so that concurrent requests use different slots.
      await transaction.execute('SELECT 1 FROM accounts.user WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      return transaction.execute<WebhookEndpoint>(
        `INSERT INTO accounts.webhook_endpoint (id, user_id, slot, url, kinds, sealed_secret, created_at)
         SELECT $1::uuid, $2::integer, min(free.slot), $3, $4::text[], $5, $6::timestamptz FROM generate_series(1, ${MAX_ENDPOINTS} + 1) AS free (slot)
          WHERE NOT EXISTS (SELECT 1 FROM accounts.webhook_endpoint e WHERE e.user_id = $2 AND e.slot = free.slot)
         RETURNING ${ENDPOINT_COLUMNS}`,
        [id, userId, url, [...new Set(kinds)], services.sealer.seal(secret, sealedFor(id)), now()],
      );
    });
    return { endpoint: endpoint ?? missing(), secret, previousUntil: null };
  } catch (error) {
    if (violatedConstraint(error) === 'webhook_endpoint_limit')
      throw conflict(`There are ${MAX_ENDPOINTS} endpoints already; remove one first.`);
    throw error;
  }
}

/** Removes an endpoint with its deliveries. @throws NOT_FOUND for ids that are none or another user's */
export async function removeEndpoint(database: Database, userId: number, id: string): Promise<void> {
  const removed = await database.change((transaction) =>
    transaction.execute<object>('DELETE FROM accounts.webhook_endpoint WHERE id = $1 AND user_id = $2 RETURNING id', [
      id,
      userId,
    ]),
  );
  if (removed.length === 0) missing();
}

/** Rotates the secret; the previous one also signs for one day. @throws NOT_FOUND */
export async function rotateSecret(
  { database, services, now }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<WebhookSecret> {
  const secret = makeSecret();
  const previousUntil = new Date(now().getTime() + ROTATION_MS);
  const endpoint = await database.change((transaction) =>
    changeOne(
      transaction,
      `UPDATE accounts.webhook_endpoint SET sealed_previous = sealed_secret, sealed_secret = $3, previous_until = $4
        WHERE id = $1 AND user_id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
      [id, userId, services.sealer.seal(secret, sealedFor(id)), previousUntil],
    ),
  );
  return { endpoint, secret, previousUntil };
}

/** Enables or disables an endpoint; enabling resets its failures. @throws NOT_FOUND */
export function enableEndpoint(
  database: Database,
  userId: number,
  { id, isEnabled }: { readonly id: string; readonly isEnabled: boolean },
): Promise<WebhookEndpoint> {
  return database.change((transaction) =>
    changeOne(
      transaction,
      `UPDATE accounts.webhook_endpoint SET is_enabled = $3, disabled_because = NULL, failing_since = NULL
        WHERE id = $1 AND user_id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
      [id, userId, isEnabled],
    ),
  );
}

async function changeOne(transaction: Transaction, text: string, values: readonly unknown[]): Promise<WebhookEndpoint> {
  const [endpoint] = await transaction.execute<WebhookEndpoint>(text, values);
  return endpoint ?? missing();
}

function missing(): never {
  throw notFound('There is no such endpoint.');
}

/** Source: Standard Webhooks: 24 to 64 random bytes in base64 behind `whsec_` */
function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
