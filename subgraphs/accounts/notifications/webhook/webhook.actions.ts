import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { lockUser } from '../../identity/user/user.actions.js';
import type { AccountsRuntime } from '../../services.js';
import type { NoticeKind } from '../notification/notification.js';
import {
  ENDPOINT_COLUMNS,
  MAX_ENDPOINTS,
  sealedFor,
  type EndpointKey,
  type WebhookEndpoint,
  type WebhookEndpointRow,
  type WebhookSecret,
} from './webhook.js';

/** Milliseconds for which the previous secret still signs. */
const PREVIOUS_SECRET_TTL_MS = 24 * 3_600_000;

const OF_USER = query('webhook-endpoints-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('webhookEndpoint')
    .select(ENDPOINT_COLUMNS)
    .where('userId', '=', value.userId)
    .orderBy('createdAt')
    .orderBy('id'),
);

/** The user's endpoints, oldest first. */
export function listEndpoints(database: Database, userId: number): Promise<WebhookEndpoint[]> {
  return database.run(OF_USER, { userId });
}

type NewEndpoint = Pick<WebhookEndpointRow, 'id' | 'userId' | 'url' | 'kinds' | 'sealedSecret' | 'createdAt'>;

/** Takes the first free slot; PostgreSQL refuses one above the maximum. */
const INSERT = query('insert-webhook-endpoint', (db: Tables, value: NewEndpoint) =>
  db
    .insertInto('webhookEndpoint')
    .columns(['id', 'userId', 'slot', 'url', 'kinds', 'sealedSecret', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<{ slot: number }>`generate_series(1, ${sql.lit(MAX_ENDPOINTS)} + 1)`.as<'free'>(sql`free (slot)`),
        )
        .select([
          sql<string>`${value.id}::uuid`.as('id'),
          sql<number>`${value.userId}::integer`.as('userId'),
          sql<number>`min(free.slot)`.as('slot'),
          sql<string>`${value.url}`.as('url'),
          sql<NoticeKind[]>`${value.kinds}::text[]`.as('kinds'),
          sql<string>`${value.sealedSecret}`.as('sealedSecret'),
          sql<Date>`${value.createdAt}::timestamptz`.as('createdAt'),
        ])
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('webhookEndpoint as e')
                .select('e.id')
                .where('e.userId', '=', value.userId)
                .whereRef('e.slot', '=', 'free.slot'),
            ),
          ),
        ),
    )
    .returning(ENDPOINT_COLUMNS),
);

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
      await lockUser(transaction, userId);
      const sealedSecret = services.secretBox.seal(secret, sealedFor(id));
      return transaction.run(INSERT, { id, userId, url, kinds: [...new Set(kinds)], sealedSecret, createdAt: now() });
    });
    return { endpoint: endpoint ?? missing(), secret, previousUntil: null };
  } catch (error) {
    if (violatedConstraint(error) === 'webhook_endpoint_limit')
      throw conflict(`There are ${MAX_ENDPOINTS} endpoints already; remove one first.`);
    throw error;
  }
}

const DELETE = query('delete-webhook-endpoint', (db: Tables, { id, userId }: EndpointKey) =>
  db
    .deleteFrom('webhookEndpoint')
    .where((eb) => eb.and({ id, userId }))
    .returning('id'),
);

/** Removes an endpoint with its deliveries. @throws NOT_FOUND, also for endpoints of other users */
export async function removeEndpoint(database: Database, userId: number, id: string): Promise<void> {
  const removed = await database.change((transaction) => transaction.run(DELETE, { id, userId }));
  if (removed.length === 0) missing();
}

const ROTATE = query(
  'rotate-webhook-secret',
  (
    db: Tables,
    { id, userId, sealedSecret, previousUntil }: EndpointKey & { sealedSecret: string; previousUntil: Date },
  ) =>
    db
      .updateTable('webhookEndpoint')
      .set((eb) => ({ sealedPrevious: eb.ref('sealedSecret'), sealedSecret, previousUntil }))
      .where((eb) => eb.and({ id, userId }))
      .returning(ENDPOINT_COLUMNS),
);

/** Rotates the secret; the previous one also signs for one day. @throws NOT_FOUND */
export async function rotateSecret(
  { database, services, now }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<WebhookSecret> {
  const secret = makeSecret();
  const previousUntil = new Date(now().getTime() + PREVIOUS_SECRET_TTL_MS);
  const values = { id, userId, sealedSecret: services.secretBox.seal(secret, sealedFor(id)), previousUntil };
  const [endpoint] = await database.change((transaction) => transaction.run(ROTATE, values));
  return { endpoint: endpoint ?? missing(), secret, previousUntil };
}

const ENABLE = query(
  'enable-webhook-endpoint',
  (db: Tables, { id, userId, isEnabled }: EndpointKey & { isEnabled: boolean }) =>
    db
      .updateTable('webhookEndpoint')
      .set({ isEnabled, disabledBecause: null, failingSince: null })
      .where((eb) => eb.and({ id, userId }))
      .returning(ENDPOINT_COLUMNS),
);

/** Enables or disables an endpoint; enabling resets its failures. @throws NOT_FOUND */
export async function enableEndpoint(
  database: Database,
  userId: number,
  { id, isEnabled }: { readonly id: string; readonly isEnabled: boolean },
): Promise<WebhookEndpoint> {
  const [endpoint] = await database.change((transaction) => transaction.run(ENABLE, { id, userId, isEnabled }));
  return endpoint ?? missing();
}

function missing(): never {
  throw notFound('There is no such endpoint.');
}

/** Source: Standard Webhooks: 24 to 64 random bytes in base64 behind `whsec_` */
function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
