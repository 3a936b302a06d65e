import type Stripe from 'stripe';
import type { Transaction } from '../../../kernel/database/database.js';
import type { AccountsRuntime } from '../services.js';
import type { DeliveryRule, Hidden, Kind, Kinds, SandboxObject } from './sandbox-objects.js';
import { noSuch } from './refusal.js';

/** Lock for changes of the sandbox, so that its events are in commit order. */
const BOOKS_LOCK = 726_604_121;

/** An object with what is kept beside it. */
export interface Entry<K extends Kind> {
  readonly object: Kinds[K];
  readonly hidden: Hidden;
}

/** The API request that caused a change, reported in its events. */
export type Cause = Stripe.Event.Request | null;

const ROW = 'object, hidden';

/** The sandbox objects within one transaction. */
export class SandboxStore {
  constructor(
    readonly transaction: Transaction,
    readonly runtime: AccountsRuntime,
    readonly cause: Cause,
  ) {}

  /** Takes the sandbox lock until the transaction ends. */
  async lock(): Promise<void> {
    await this.transaction.execute(`SELECT pg_advisory_xact_lock(${BOOKS_LOCK})`);
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Entry<K> | undefined> {
    const [entry] = await this.transaction.execute<Entry<K>>(
      `SELECT ${ROW} FROM accounts.sandbox_object WHERE id = $1 AND kind = $2`,
      [id, kind],
    );
    return entry;
  }

  /** @throws the refusal of an unknown id: 404, or 400 where `param` names a parameter */
  async take<K extends Kind>(kind: K, id: string, param?: string): Promise<Entry<K>> {
    const entry = await this.find(kind, id);
    if (!entry) throw noSuch(kind === 'billing_portal.session' ? 'billing_portal session' : kind, id, param);
    return entry;
  }

  /** All of a kind whose fields contain these, oldest first. */
  async all<K extends Kind>(kind: K, fields: object): Promise<Kinds[K][]> {
    const rows = await this.transaction.execute<Entry<K>>(
      `SELECT ${ROW} FROM accounts.sandbox_object WHERE kind = $1 AND object @> $2::jsonb ORDER BY position`,
      [kind, JSON.stringify(fields)],
    );
    return rows.map(({ object }) => object);
  }

  async add<Added extends SandboxObject>(
    object: Added,
    { customer, hidden = {}, dueAt }: { customer?: string | null; hidden?: Hidden; dueAt?: number } = {},
  ): Promise<Added> {
    await this.transaction.execute(
      `INSERT INTO accounts.sandbox_object (id, kind, customer, object, hidden, due_at, created_at)
       VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, to_timestamp($6::double precision), $7)
       ON CONFLICT (id) DO NOTHING`,
      [
        object.id,
        object.object,
        customer ?? null,
        JSON.stringify(object),
        JSON.stringify(hidden),
        dueAt ?? null,
        this.runtime.now(),
      ],
    );
    return object;
  }

  async save(object: SandboxObject, customer?: string | null): Promise<void> {
    await this.transaction.execute(
      'UPDATE accounts.sandbox_object SET object = $2::jsonb, customer = coalesce($3, customer) WHERE id = $1',
      [object.id, JSON.stringify(object), customer ?? null],
    );
  }

  /** Adds to what is kept beside an object; undefined removes. */
  async hide(id: string, hidden: { readonly [Name in keyof Hidden]: Hidden[Name] | undefined }): Promise<void> {
    const removed = Object.keys(hidden).filter((name) => hidden[name as keyof Hidden] === undefined);
    await this.transaction.execute(
      'UPDATE accounts.sandbox_object SET hidden = (hidden || $2::jsonb) - $3::text[] WHERE id = $1',
      [id, JSON.stringify(hidden), removed],
    );
  }

  /** Sets the due time of an object, in Unix seconds of its customer's clock. */
  async due(id: string, at: number | null): Promise<void> {
    await this.transaction.execute(
      'UPDATE accounts.sandbox_object SET due_at = to_timestamp($2::double precision) WHERE id = $1',
      [id, at],
    );
  }

  /** The time of the customer's clock in Unix seconds; the current time without one. */
  async timeOf(customer: string | null): Promise<number> {
    const hidden = customer === null ? undefined : (await this.find('customer', customer))?.hidden;
    return this.seconds() + (hidden?.offsetSeconds ?? 0);
  }

  /** Our own time in Unix seconds. */
  seconds(): number {
    return Math.floor(this.runtime.now().getTime() / 1000);
  }

  async setting<Value>(name: string): Promise<Value | undefined> {
    const [row] = await this.transaction.execute<{ value: Value }>(
      'SELECT value FROM accounts.sandbox_setting WHERE name = $1',
      [name],
    );
    return row?.value;
  }

  async set(name: string, value: DeliveryRule | readonly string[]): Promise<void> {
    await this.transaction.execute(
      `INSERT INTO accounts.sandbox_setting (name, value) VALUES ($1, $2::jsonb)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, JSON.stringify(value)],
    );
  }
}

/** Runs a change in a transaction with the sandbox lock. */
export function withSandboxStore<Result>(
  runtime: AccountsRuntime,
  cause: Cause,
  work: (desk: SandboxStore) => Promise<Result>,
): Promise<Result> {
  return runtime.database.change(async (transaction) => {
    const desk = new SandboxStore(transaction, runtime, cause);
    await desk.lock();
    return work(desk);
  });
}
