import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { boolean, integer, oneOf, text, texts, type Form } from '../form.rules.js';
import type { DeliveryRule } from '../sandbox-objects.js';
import { refuse } from '../refusal.js';
import type { Handler, Routes } from '../route.js';
import { checkUrl } from '../api/url.js';
import { postDeliveries, sendLater } from '../webhook/post-event.js';
import { rotateWebhookSecret } from '../webhook/secret.actions.js';

/** Parses a delivery rule from a form; the default if the form is empty. */
function readRule(form: Form): DeliveryRule {
  const url = text(form, 'url');
  const types = texts(form, 'types');
  const given: { [Name in keyof DeliveryRule]: DeliveryRule[Name] | undefined } = {
    url: url === undefined ? undefined : checkUrl(url, 'url'),
    types: types.length > 0 ? types : undefined,
    hold: boolean(form, 'hold'),
    drop: boolean(form, 'drop'),
    atOnce: boolean(form, 'at_once'),
    copies: between(form, 'copies', 50),
    failTimes: between(form, 'fail_times', 20),
    ageSeconds: between(form, 'age_seconds', 10_000_000),
    secret: text(form, 'secret'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function between(form: Form, name: string, max: number): number | undefined {
  const value = integer(form, name);
  if (value !== undefined && (value < 1 || value > max)) {
    throw refuse({ message: `Invalid integer: 1 to ${max}.`, param: name });
  }
  return value;
}

const SUBJECTS = { customer: 'customer', session: 'checkout.session', payment_intent: 'payment_intent' } as const;

/** Sets how events are delivered from now on: of one customer, session or payment, or of all without a rule. */
const setRule: Handler = async (store, { form }) => {
  const rule = readRule(form);
  const delivery = Object.keys(rule).length > 0 ? rule : undefined;
  const subjects = Object.entries(SUBJECTS).flatMap(([param, kind]) => {
    const id = text(form, param);
    return id === undefined ? [] : [{ param, kind, id }];
  });
  for (const { param, kind, id } of subjects) {
    await store.get(kind, id, param);
    await store.saveInternal(id, { delivery });
  }
  if (subjects.length === 0) await store.set('delivery', rule);
  return { object: 'sandbox.delivery_rule', subjects: subjects.map(({ id }) => id), ...rule };
};

interface Release {
  readonly customer: string | null;
  readonly events: readonly string[] | null;
  readonly state: 'dropped' | 'waiting';
}

const RELEASE = query('sandbox-release', (db: Tables, { customer, events, state }: Release) =>
  db
    .updateTable('sandboxDelivery')
    .set({ state })
    .where('state', '=', sql.lit('held'))
    .where(sql<boolean>`(${customer}::text IS NULL OR customer = ${customer})`)
    .where(sql<boolean>`(${events}::text[] IS NULL OR event_id = ANY(${events}))`)
    .returning(['id', 'eventId as event']),
);

/** Sends kept deliveries in the requested order, sequentially or in parallel, or drops them. */
const release: Handler = async (store, { form }) => {
  const events = texts(form, 'events');
  const drops = boolean(form, 'drop') ?? false;
  const rows = await store.transaction.run(RELEASE, {
    customer: text(form, 'customer') ?? null,
    events: events.length > 0 ? events : null,
    state: drops ? 'dropped' : 'waiting',
  });
  const sorted = inOrder(rows, oneOf(form, 'order', ORDERS) ?? 'created', events);
  const ids = sorted.map(({ id }) => id);
  if (!drops && ids.length > 0) await sendLater(store, ids, boolean(form, 'at_once') ?? false);
  return { object: 'sandbox.release', released: sorted.map(({ event }) => event) };
};

const ORDERS = ['created', 'reverse', 'as_listed'] as const;

interface Held {
  readonly id: string;
  readonly event: string;
}

function inOrder(held: readonly Held[], order: (typeof ORDERS)[number], events: readonly string[]): Held[] {
  const oldestFirst = held.toSorted((one, other) => Number(one.id) - Number(other.id));
  if (order === 'created') return oldestFirst;
  if (order === 'reverse') return oldestFirst.toReversed();
  return oldestFirst.toSorted((one, other) => events.indexOf(one.event) - events.indexOf(other.event));
}

/** Delivers an event again by this rule. */
const redeliver: Handler = async (store, { id, form }) => {
  const { object: event } = await store.get('event', id);
  const deliveries = await postDeliveries(store, { event: event.id, customer: null, rule: readRule(form) });
  return { object: 'sandbox.redelivery', event: event.id, deliveries };
};

interface Filter {
  readonly event: string | null;
  readonly customer: string | null;
  readonly state: string | null;
}

const DELIVERIES = query(
  'sandbox-deliveries',
  (_: Tables, { event, customer, state }: Filter) => sql<object>`
  SELECT d.id, d.event_id AS event, d.url, d.state, d.manner, o.object->>'type' AS type,
         coalesce(jsonb_agg(jsonb_build_object('status', a.status, 'answer', a.answer, 'at', extract(epoch FROM a.created_at))
                            ORDER BY a.id) FILTER (WHERE a.id IS NOT NULL), '[]') AS attempts
    FROM accounts.sandbox_delivery d
    JOIN accounts.sandbox_object o ON o.id = d.event_id
    LEFT JOIN accounts.sandbox_attempt a ON a.delivery_id = d.id
   WHERE (${event}::text IS NULL OR d.event_id = ${event}) AND (${customer}::text IS NULL OR d.customer = ${customer})
     AND (${state}::text IS NULL OR d.state = ${state})
   GROUP BY d.id, o.object->>'type' ORDER BY d.id DESC LIMIT 200`,
);

const listDeliveries: Handler = async (store, { form }) => {
  const value = (name: string) => text(form, name) ?? null;
  const filter = { event: value('event'), customer: value('customer'), state: value('state') };
  const data = await store.transaction.run(DELIVERIES, filter);
  return { object: 'list', data, has_more: false, url: '/v1/test_helpers/sandbox/deliveries' };
};

/** Routes that control webhook deliveries: late, duplicate, reordered, with a wrong signature, or dropped. */
export const DELIVERY_ROUTES: Routes = {
  'POST /v1/test_helpers/sandbox/delivery_rule': setRule,
  'POST /v1/test_helpers/sandbox/deliveries/release': release,
  'GET /v1/test_helpers/sandbox/deliveries': listDeliveries,
  'POST /v1/test_helpers/sandbox/events/{id}/deliver': redeliver,
  'POST /v1/test_helpers/sandbox/webhook_secret/rotate': async (store) => {
    if (store.runtime.services.config.payments.webhookSecrets.length > 0) {
      throw refuse({ message: 'PAYPROC_WEBHOOK_SECRET is set: change it there.' });
    }
    await rotateWebhookSecret(store);
    return { object: 'sandbox.webhook_secret', rotated: true };
  },
};
