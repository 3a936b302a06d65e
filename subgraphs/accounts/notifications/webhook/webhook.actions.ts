import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound, rateLimited } from '../../../../kernel/errors.js';
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

interface Rotation extends EndpointKey {
  readonly sealedSecret: string;
  readonly now: Date;
  readonly until: Date;
}

/** Maximum replaced secrets of an endpoint that still sign. */
const MAX_REPLACED = 3;

/** When the replaced secrets that still sign end, the first one first. */
const REPLACED = query(
  'replaced-webhook-secrets',
  (_: Tables, { id, userId, now }: EndpointKey & { now: Date }) => sql<{ until: Date }>`
  SELECT r.until FROM accounts.webhook_endpoint e
   CROSS JOIN LATERAL (SELECT e.previous_until AS until
                       UNION ALL SELECT (s ->> 'until')::timestamptz FROM jsonb_array_elements(e.sealed_earlier) s) r
   WHERE e.user_id = ${userId} AND e.id = ${id} AND r.until > ${now}
   ORDER BY r.until`,
);

/** Keeps replaced secrets until their time, because it is unknown which one the receiver has: the answer may have been lost. */
const ROTATE = query('rotate-webhook-secret', (db: Tables, { id, userId, sealedSecret, now, until }: Rotation) =>
  db
    .updateTable('webhookEndpoint')
    .set({
      sealedSecret,
      sealedPrevious: sql<string>`sealed_secret`,
      previousUntil: until,
      sealedEarlier: sql<unknown[]>`(
        SELECT coalesce(jsonb_agg(e.secret ORDER BY e.place), '[]')
          FROM jsonb_array_elements(jsonb_build_object('sealed', sealed_previous, 'until', previous_until) || sealed_earlier)
               WITH ORDINALITY e (secret, place)
         WHERE (e.secret ->> 'until')::timestamptz > ${now})`,
    })
    .where((eb) => eb.and({ id, userId }))
    .returning([...ENDPOINT_COLUMNS, 'previousUntil']),
);

/** Rotates the secret; the replaced one also signs, for one day. @throws NOT_FOUND, RATE_LIMITED while three replaced ones sign */
export async function rotateSecret(
  { database, services, now }: AccountsRuntime,
  userId: number,
  id: string,
): Promise<WebhookSecret> {
  const secret = makeSecret();
  const [at, sealedSecret] = [now(), services.secretBox.seal(secret, sealedFor(id))];
  const until = new Date(at.getTime() + PREVIOUS_SECRET_TTL_MS);
  const [rotated] = await database.change(async (transaction) => {
    // Serialized, so that concurrent rotations count each other.
    await lockUser(transaction, userId);
    const [first, ...others] = await transaction.run(REPLACED, { id, userId, now: at });
    if (first && others.length + 1 >= MAX_REPLACED) throw tooManyReplaced(first.until, at);
    return transaction.run(ROTATE, { id, userId, sealedSecret, now: at, until });
  });
  const { previousUntil, ...endpoint } = rotated ?? missing();
  return { endpoint, secret, previousUntil };
}

function tooManyReplaced(until: Date, now: Date): Error {
  return rateLimited(
    `The secret was replaced ${MAX_REPLACED} times within a day, and the replaced secrets still sign. Rotate it again when the first of them ends.`,
    { retryAfter: Math.ceil((until.getTime() - now.getTime()) / 1000) },
  );
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
