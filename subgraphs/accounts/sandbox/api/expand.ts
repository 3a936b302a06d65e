import type Stripe from 'stripe';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { SandboxStore } from '../sandbox-store.js';
import { wholeList } from '../sandbox-objects.js';

/** Dots in a path at most. Source: Stripe API reference, Expanding responses */
const DEEPEST = 5;

type Fields = Record<string, unknown>;

/** Replaces ids in an answer by their objects at these paths; unknown paths are ignored. */
export async function expand(desk: SandboxStore, answer: object, paths: readonly string[]): Promise<object> {
  if (paths.length === 0) return answer;
  const copy = structuredClone(answer) as Fields;
  for (const path of paths.slice(0, 20)) await walk(desk, copy, path.split('.').slice(0, DEEPEST + 1));
  return copy;
}

async function walk(desk: SandboxStore, at: unknown, path: readonly string[]): Promise<void> {
  if (Array.isArray(at)) {
    for (const item of at) await walk(desk, item, path);
    return;
  }
  const [name, ...rest] = path;
  if (name === undefined || typeof at !== 'object' || at === null) return;
  const fields = at as Fields;
  if (fields.object === 'list' && name !== 'data') return walk(desk, fields.data, path);
  await expandField(desk, fields, name);
  await walk(desk, fields[name], rest);
}

async function expandField(desk: SandboxStore, fields: Fields, name: string): Promise<void> {
  fields[name] ??= await included(desk, fields as unknown as Includer, name);
  const value = fields[name];
  if (typeof value === 'string') fields[name] = await found(desk, value);
}

type Includer = Stripe.Checkout.Session | Stripe.Invoice | Stripe.Charge | Stripe.Customer;

/** Fields that are there only when they are asked for. */
async function included(desk: SandboxStore, fields: Includer, name: string): Promise<unknown> {
  const url = `/v1/${name}`;
  switch (`${fields.object} ${name}`) {
    case 'checkout.session line_items':
      return wholeList([...((await desk.find('checkout.session', fields.id))?.hidden.lines ?? [])], url);
    case 'invoice payments':
      return wholeList(await desk.all('invoice_payment', { invoice: fields.id }), url);
    case 'charge refunds':
      return wholeList((await desk.all('refund', { charge: fields.id })).toReversed(), url);
    case 'customer subscriptions':
      return wholeList((await desk.all('subscription', { customer: fields.id })).toReversed(), url);
    default:
      return undefined;
  }
}

const FIND = query('sandbox-object-of-any-kind', (db: Tables, value: { id: string }) =>
  db.selectFrom('sandboxObject').select('object').where('id', '=', value.id),
);

async function found(desk: SandboxStore, id: string): Promise<unknown> {
  const [row] = await desk.transaction.run(FIND, { id });
  return row?.object ?? id;
}
