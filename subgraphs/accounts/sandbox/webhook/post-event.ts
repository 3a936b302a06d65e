import { sql } from 'kysely';
import type Stripe from 'stripe';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { SandboxDeliveryRow } from '../rows.js';
import type { SandboxStore } from '../sandbox-store.js';
import { newId, type DeliveryRule, type SandboxObject } from '../sandbox-objects.js';

/** The event types of the platform's endpoint; other types can only be listed. */
const DELIVERED: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'invoice.paid',
  'invoice_payment.paid',
  'invoice.payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
]);

/** The URL of the platform's webhook endpoint. */
export function platformEndpoint(publicUrl: string): string {
  return `${publicUrl}/api/billing/payproc/webhook/`;
}

/** The API version of the sandbox's objects. */
export const API_VERSION = '2026-10-28.endive';

/**
 * Records an event in the transaction of its change, with deliveries by the rule of its customer or else the common
 * rule. `previous` contains the old values of the changed fields.
 */
export async function emit(
  store: SandboxStore,
  type: Stripe.Event['type'],
  object: SandboxObject,
  previous?: object,
): Promise<void> {
  const isDelivered = DELIVERED.has(type);
  const customer = await customerOf(store, object);
  const event = {
    id: newId('evt_'),
    object: 'event',
    api_version: API_VERSION,
    created: store.seconds(),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: isDelivered ? 1 : 0,
    request: store.cause ?? { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event;
  await store.add(event, { customer });
  if (!isDelivered) return;
  await postDeliveries(store, {
    event: event.id,
    customer,
    rule: await ruleFor(store, type, [customer, paymentOf(object), object.id]),
  });
}

const OWN_RULE = query('sandbox-own-rule', (db: Tables, { subjects }: { subjects: readonly (string | null)[] }) =>
  db
    .selectFrom('sandboxObject')
    .select(sql<DeliveryRule>`hidden->'delivery'`.as('rule'))
    .where(sql<boolean>`id = ANY(${subjects}::text[]) AND hidden ? 'delivery'`)
    .orderBy(sql`array_position(${subjects}::text[], id)`)
    .limit(1),
);
const COMMON_RULE = query('sandbox-common-rule', (db: Tables) =>
  db
    .selectFrom('sandboxSetting')
    .select('value as rule')
    .where('name', '=', 'delivery')
    .$castTo<{ rule: DeliveryRule }>(),
);

/** Returns the rule of the first subject that has one, else the common rule. */
async function ruleFor(store: SandboxStore, type: string, subjects: readonly (string | null)[]): Promise<DeliveryRule> {
  const [own] = await store.transaction.run(OWN_RULE, { subjects });
  const [common] = own ? [] : await store.transaction.run(COMMON_RULE, {});
  const rule = own?.rule ?? common?.rule ?? {};
  return rule.types === undefined || rule.types.includes(type) ? rule : {};
}

const CUSTOMER = query('sandbox-customer-of', (db: Tables, value: { id: string }) =>
  db.selectFrom('sandboxObject').select('customer').where('id', '=', value.id),
);

/** The customer of an object, also if the object does not name it. */
async function customerOf(store: SandboxStore, { id }: SandboxObject): Promise<string | null> {
  const [row] = await store.transaction.run(CUSTOMER, { id });
  return row?.customer ?? null;
}

function paymentOf(object: SandboxObject): string | null {
  return 'payment_intent' in object && typeof object.payment_intent === 'string' ? object.payment_intent : null;
}

type NewDelivery = Pick<SandboxDeliveryRow, 'eventId' | 'customer' | 'url' | 'state' | 'createdAt'> & {
  readonly manner: string;
  readonly copies: number;
};

const POST = query(
  'sandbox-post',
  (_: Tables, { eventId, customer, url, manner, state, createdAt, copies }: NewDelivery) => sql<{ id: string }>`
  INSERT INTO accounts.sandbox_delivery (event_id, customer, url, manner, state, created_at)
  SELECT ${eventId}, ${customer}, ${url}, ${manner}::jsonb, ${state}, ${createdAt}
    FROM generate_series(1, ${copies}::integer) RETURNING id`,
);

/** Records deliveries of an event, and enqueues them unless they are kept. */
export async function postDeliveries(
  store: SandboxStore,
  { event, customer, rule }: { event: string; customer: string | null; rule: DeliveryRule },
): Promise<string[]> {
  const { url = platformEndpoint(store.runtime.publicUrl), hold, drop, copies = 1, atOnce = false, ...manner } = rule;
  const state = drop ? 'dropped' : hold ? 'held' : 'waiting';
  const delivery = { eventId: event, customer, url, manner: JSON.stringify(manner), state } as const;
  const rows = await store.transaction.run(POST, { ...delivery, createdAt: store.runtime.now(), copies });
  const ids = rows.map(({ id }) => id);
  if (state === 'waiting') await sendLater(store, ids, atOnce);
  return ids;
}

/** Enqueues deliveries in this order or in parallel, after the commit. */
export async function sendLater(store: SandboxStore, deliveries: readonly string[], atOnce = false): Promise<void> {
  await store.runtime.jobs.enqueue(store.transaction, 'sandbox-deliver', { deliveries, atOnce });
}
