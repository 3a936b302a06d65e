import { randomUUID } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { enqueueDelivery } from '../delivery/queue.actions.js';
import { DELIVERY_COLUMNS, type EndpointKey, type WebhookDelivery } from './webhook.js';

/** Locked, so that the endpoint is not removed before its delivery is added. */
const LOCK = query('lock-webhook-endpoint-to-test', (db: Tables, { userId, id }: EndpointKey) =>
  db
    .selectFrom('webhookEndpoint')
    .select('isEnabled')
    .where((row) => row.and({ userId, id }))
    .forKeyShare(),
);

interface TestEvent {
  readonly userId: number;
  readonly endpointId: string;
  readonly testKey: string;
}

const INSERT = query(
  'insert-test-delivery',
  (db: Tables, { userId, endpointId, testKey, now }: TestEvent & { readonly now: Date }) =>
    db
      .insertInto('delivery')
      .values({ userId, notificationId: null, endpointId, testKey, nextAttemptAt: now, createdAt: now })
      .onConflict((on) => on.constraint('delivery_once').doNothing())
      .returning('id'),
);

const OF_KEY = query('test-delivery-of-key', (db: Tables, { userId, endpointId, testKey }: TestEvent) =>
  db
    .selectFrom('delivery as d')
    .select(DELIVERY_COLUMNS)
    .where((row) => row.and({ 'd.userId': userId, 'd.endpointId': endpointId, 'd.testKey': testKey }))
    .where('d.notificationId', 'is', null),
);

/**
 * Queues a test event to an endpoint, once per key of the endpoint; without a key, each time.
 * @throws NOT_FOUND, also for endpoints of other users, CONFLICT while the endpoint is disabled
 */
export function testEndpoint(
  { database, jobs, now }: AccountsRuntime,
  { userId, id: endpointId }: EndpointKey,
  testKey: string = randomUUID(),
): Promise<WebhookDelivery> {
  const event = { userId, endpointId, testKey };
  return database.change(async (transaction) => {
    const [endpoint] = await transaction.run(LOCK, { userId, id: endpointId });
    if (!endpoint) throw notFound('There is no such endpoint.');
    const added = endpoint.isEnabled ? await transaction.run(INSERT, { ...event, now: now() }) : [];
    const [delivery] = await transaction.run(OF_KEY, event);
    if (!delivery) throw conflict('The endpoint is disabled; enable it before you test it.');
    if (added.length > 0) await enqueueDelivery(transaction, jobs, { ...delivery, userId, endpointId });
    return delivery;
  });
}
