import type Stripe from 'stripe';
import type { SandboxStore } from '../sandbox-store.js';
import { newId, type DeliveryRule, type SandboxObject } from '../sandbox-objects.js';

/** The types that the platform's endpoint is subscribed to; the rest can be listed only. */
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

/** Where the platform hears of events. Source: operating contract, Doors */
export function platformEndpoint(publicUrl: string): string {
  return `${publicUrl}/api/billing/payproc/webhook/`;
}

/** The version of the API whose shapes the sandbox answers. */
export const API_VERSION = '2026-10-28.endive';

/**
 * Tells of a change in the transaction that makes it: a record, and deliveries as the rule of its customer or else of
 * all says. `previous` holds the fields that changed as they were.
 */
export async function emit(
  desk: SandboxStore,
  type: Stripe.Event['type'],
  object: SandboxObject,
  previous?: object,
): Promise<void> {
  const isDelivered = DELIVERED.has(type);
  const customer = await customerOf(desk, object);
  const event = {
    id: newId('evt_'),
    object: 'event',
    api_version: API_VERSION,
    created: desk.seconds(),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: isDelivered ? 1 : 0,
    request: desk.cause ?? { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event;
  await desk.add(event, { customer });
  if (!isDelivered) return;
  await postDeliveries(desk, {
    event: event.id,
    customer,
    rule: await ruleFor(desk, type, [customer, paymentOf(object), object.id]),
  });
}

/** The rule of the first of these that has one, else that of all. */
async function ruleFor(desk: SandboxStore, type: string, subjects: readonly (string | null)[]): Promise<DeliveryRule> {
  const [own] = await desk.transaction.execute<{ rule: DeliveryRule }>(
    `SELECT hidden->'delivery' AS rule FROM accounts.sandbox_object
      WHERE id = ANY($1::text[]) AND hidden ? 'delivery' ORDER BY array_position($1::text[], id) LIMIT 1`,
    [subjects],
  );
  const rule = own?.rule ?? (await desk.setting<DeliveryRule>('delivery')) ?? {};
  return rule.types === undefined || rule.types.includes(type) ? rule : {};
}

/** The customer whom an object was made for, also where it does not say so. */
async function customerOf(desk: SandboxStore, { id }: SandboxObject): Promise<string | null> {
  const [row] = await desk.transaction.execute<{ customer: string | null }>(
    'SELECT customer FROM accounts.sandbox_object WHERE id = $1',
    [id],
  );
  return row?.customer ?? null;
}

function paymentOf(object: SandboxObject): string | null {
  return 'payment_intent' in object && typeof object.payment_intent === 'string' ? object.payment_intent : null;
}

/** Records deliveries of an event and has them sent unless they are held. */
export async function postDeliveries(
  desk: SandboxStore,
  { event, customer, rule }: { event: string; customer: string | null; rule: DeliveryRule },
): Promise<string[]> {
  const { url = platformEndpoint(desk.runtime.publicUrl), hold, drop, copies = 1, atOnce = false, ...manner } = rule;
  const state = drop ? 'dropped' : hold ? 'held' : 'waiting';
  const rows = await desk.transaction.execute<{ id: string }>(
    `INSERT INTO accounts.sandbox_delivery (event_id, customer, url, manner, state, created_at)
     SELECT $1, $2, $3, $4::jsonb, $5, $6 FROM generate_series(1, $7::integer) RETURNING id`,
    [event, customer, url, JSON.stringify(manner), state, desk.runtime.now(), copies],
  );
  const ids = rows.map(({ id }) => id);
  if (state === 'waiting') await sendLater(desk, ids, atOnce);
  return ids;
}

/** Has deliveries sent in this order, or side by side, once the transaction has committed. */
export async function sendLater(desk: SandboxStore, deliveries: readonly string[], atOnce = false): Promise<void> {
  await desk.runtime.jobs.enqueue(desk.transaction, 'sandbox-deliver', { deliveries, atOnce });
}
