import type Stripe from 'stripe';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { SandboxStore } from '../sandbox-store.js';
import { wholeList } from '../sandbox-objects.js';

/** Maximum number of dots in a path. Source: Stripe API reference, Expanding responses */
const MAX_DEPTH = 5;

type Fields = Record<string, unknown>;

/** Replaces ids in an answer by their objects at these paths; unknown paths are ignored. */
export async function expand(store: SandboxStore, answer: object, paths: readonly string[]): Promise<object> {
  if (paths.length === 0) return answer;
  const copy = structuredClone(answer) as Fields;
  for (const path of paths.slice(0, 20)) await expandAt(store, copy, path.split('.').slice(0, MAX_DEPTH + 1));
  return copy;
}

async function expandAt(store: SandboxStore, at: unknown, path: readonly string[]): Promise<void> {
  if (Array.isArray(at)) {
    for (const item of at) await expandAt(store, item, path);
    return;
  }
  const [name, ...rest] = path;
  if (name === undefined || typeof at !== 'object' || at === null) return;
  const fields = at as Fields;
  if (fields.object === 'list' && name !== 'data') return expandAt(store, fields.data, path);
  await expandField(store, fields, name);
  await expandAt(store, fields[name], rest);
}

async function expandField(store: SandboxStore, fields: Fields, name: string): Promise<void> {
  fields[name] ??= await computedField(store, fields as unknown as WithComputedFields, name);
  const value = fields[name];
  if (typeof value === 'string') fields[name] = await expanded(store, value);
}

type WithComputedFields = Stripe.Checkout.Session | Stripe.Invoice | Stripe.Charge | Stripe.Customer;

/** Fields that a response contains only if they are expanded. */
async function computedField(store: SandboxStore, fields: WithComputedFields, name: string): Promise<unknown> {
  const url = `/v1/${name}`;
  switch (`${fields.object} ${name}`) {
    case 'checkout.session line_items':
      return wholeList([...((await store.find('checkout.session', fields.id))?.internal.lines ?? [])], url);
    case 'invoice payments':
      return wholeList(await store.all('invoice_payment', { invoice: fields.id }), url);
    case 'charge refunds':
      return wholeList((await store.all('refund', { charge: fields.id })).toReversed(), url);
    case 'customer subscriptions':
      return wholeList((await store.all('subscription', { customer: fields.id })).toReversed(), url);
    default:
      return undefined;
  }
}

const FIND = query('sandbox-object-of-any-kind', (db: Tables, value: { id: string }) =>
  db.selectFrom('sandboxObject').select('object').where('id', '=', value.id),
);

async function expanded(store: SandboxStore, id: string): Promise<unknown> {
  const [row] = await store.transaction.run(FIND, { id });
  return row?.object ?? id;
}
