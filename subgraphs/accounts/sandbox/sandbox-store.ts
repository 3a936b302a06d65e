import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Transaction } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
import type { AccountsRuntime } from '../services.js';
import type {
  DeliveryRule,
  InternalData,
  SandboxObjectName,
  SandboxObjects,
  SandboxObject,
} from './sandbox-objects.js';
import { noSuch } from './refusal.js';

/** Lock for changes of the sandbox, so that its events are in commit order. */
const SANDBOX_LOCK = 726_604_121;

/** An object with its internal data. */
export interface Entry<K extends SandboxObjectName> {
  readonly object: SandboxObjects[K];
  readonly internal: InternalData;
}

/** The API request that caused a change, reported in its events. */
export type Cause = Stripe.Event.Request | null;

const LOCK = query('sandbox-lock', () => sql<object>`SELECT pg_advisory_xact_lock(${sql.lit(SANDBOX_LOCK)})`);
const FIND = query('sandbox-object', (db: Tables, value: { kind: SandboxObjectName; id: string }) =>
  db
    .selectFrom('sandboxObject')
    .select(['object', 'hidden as internal'])
    .where('id', '=', value.id)
    .where('kind', '=', value.kind),
);
const ALL = query('sandbox-objects', (db: Tables, value: { kind: SandboxObjectName; fields: string }) =>
  db
    .selectFrom('sandboxObject')
    .select('object')
    .where('kind', '=', value.kind)
    .where(sql<boolean>`object @> ${value.fields}::jsonb`)
    .orderBy('position'),
);

interface NewObject {
  readonly id: string;
  readonly kind: SandboxObjectName;
  readonly customer: string | null;
  readonly object: string;
  readonly internal: string;
  readonly dueAt: number | null;
  readonly createdAt: Date;
}

const ADD = query('sandbox-add', (db: Tables, { id, kind, customer, object, internal, dueAt, createdAt }: NewObject) =>
  db
    .insertInto('sandboxObject')
    .values({
      id,
      kind,
      customer,
      createdAt,
      object: sql`${object}::jsonb`,
      hidden: sql`${internal}::jsonb`,
      dueAt: sql`to_timestamp(${dueAt}::double precision)`,
    })
    .onConflict((on) => on.column('id').doNothing()),
);
const SAVE = query('sandbox-save', (db: Tables, value: { id: string; object: string; customer: string | null }) =>
  db
    .updateTable('sandboxObject')
    .set({ object: sql`${value.object}::jsonb`, customer: sql`coalesce(${value.customer}, customer)` })
    .where('id', '=', value.id),
);
const SAVE_INTERNAL = query(
  'sandbox-hide',
  (db: Tables, value: { id: string; internal: string; removed: readonly string[] }) =>
    db
      .updateTable('sandboxObject')
      .set({ hidden: sql`(hidden || ${value.internal}::jsonb) - ${value.removed}::text[]` })
      .where('id', '=', value.id),
);
const SET_DUE = query('sandbox-set-due', (db: Tables, value: { id: string; at: number | null }) =>
  db
    .updateTable('sandboxObject')
    .set({ dueAt: sql`to_timestamp(${value.at}::double precision)` })
    .where('id', '=', value.id),
);
const SET = query('sandbox-set', (db: Tables, value: { name: string; value: string }) =>
  db
    .insertInto('sandboxSetting')
    .values({ name: value.name, value: sql`${value.value}::jsonb` })
    .onConflict((on) => on.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))),
);

/** The sandbox objects within one transaction. */
export class SandboxStore {
  constructor(
    readonly transaction: Transaction,
    readonly runtime: AccountsRuntime,
    readonly cause: Cause,
  ) {}

  /** Holds the sandbox lock until the transaction ends. */
  async lock(): Promise<void> {
    await this.transaction.run(LOCK, {});
  }

  async find<K extends SandboxObjectName>(kind: K, id: string): Promise<Entry<K> | undefined> {
    const [entry] = await this.transaction.run(FIND, { kind, id });
    return entry && isKind(kind, entry.object) ? { object: entry.object, internal: entry.internal } : undefined;
  }

  /** @throws Refusal for an unknown id: 404, or 400 if `param` names a parameter */
  async get<K extends SandboxObjectName>(kind: K, id: string, param?: string): Promise<Entry<K>> {
    const entry = await this.find(kind, id);
    if (!entry) throw noSuch(kind === 'billing_portal.session' ? 'billing_portal session' : kind, id, param);
    return entry;
  }

  /** All objects of a kind that contain these fields, oldest first. */
  async all<K extends SandboxObjectName>(kind: K, fields: object): Promise<SandboxObjects[K][]> {
    const rows = await this.transaction.run(ALL, { kind, fields: JSON.stringify(fields) });
    return rows.map(({ object }) => object).filter((object) => isKind(kind, object));
  }

  async add<Added extends SandboxObject>(
    object: Added,
    { customer, internal = {}, dueAt }: { customer?: string | null; internal?: InternalData; dueAt?: number } = {},
  ): Promise<Added> {
    await this.transaction.run(ADD, {
      id: object.id,
      kind: object.object,
      customer: customer ?? null,
      object: JSON.stringify(object),
      internal: JSON.stringify(internal),
      dueAt: dueAt ?? null,
      createdAt: this.runtime.now(),
    });
    return object;
  }

  async save(object: SandboxObject, customer?: string | null): Promise<void> {
    await this.transaction.run(SAVE, { id: object.id, object: JSON.stringify(object), customer: customer ?? null });
  }

  /** Adds internal data to an object; undefined removes a field. */
  async saveInternal(
    id: string,
    internal: { readonly [Name in keyof InternalData]: InternalData[Name] | undefined },
  ): Promise<void> {
    const removed = Object.keys(internal).filter((name) => internal[name as keyof InternalData] === undefined);
    await this.transaction.run(SAVE_INTERNAL, { id, internal: JSON.stringify(internal), removed });
  }

  /** Sets the due time of an object, in Unix seconds of its customer's clock. */
  async schedule(id: string, at: number | null): Promise<void> {
    await this.transaction.run(SET_DUE, { id, at });
  }

  /** The time of the customer's clock in Unix seconds; the current time without one. */
  async timeOf(customer: string | null): Promise<number> {
    const internal = customer === null ? undefined : (await this.find('customer', customer))?.internal;
    return this.seconds() + (internal?.offsetSeconds ?? 0);
  }

  /** The real time in Unix seconds. */
  seconds(): number {
    return Math.floor(this.runtime.now().getTime() / 1000);
  }

  async set(name: string, value: DeliveryRule | readonly string[]): Promise<void> {
    await this.transaction.run(SET, { name, value: JSON.stringify(value) });
  }
}

function isKind<K extends SandboxObjectName>(kind: K, object: SandboxObject): object is SandboxObjects[K] {
  return object.object === kind;
}

/** Runs a change in a transaction with the sandbox lock. */
export function withSandboxStore<Result>(
  runtime: AccountsRuntime,
  cause: Cause,
  work: (store: SandboxStore) => Promise<Result>,
): Promise<Result> {
  return runtime.database.change(async (transaction) => {
    const store = new SandboxStore(transaction, runtime, cause);
    await store.lock();
    return work(store);
  });
}
