import { sql } from 'kysely';
import type Stripe from 'stripe';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { withSandboxStore, type SandboxStore, type Entry } from '../sandbox-store.js';
import type { SandboxObjectRow } from '../rows.js';
import { refuse } from '../refusal.js';
import { expireSession, settleSession } from './checkout.js';
import { renewSubscription, retryInvoice } from './subscription.js';

/** Maximum number of changes within one advance of a clock. */
const MAX_STEPS = 1_000;

/** Maximum advance of a clock in seconds, so that times stay in the range of PostgreSQL. */
const MAX_SECONDS = 10 * 366 * 86_400;

/** `at` is in Unix seconds of the customer's clock. */
const COLUMNS = ['d.id', 'd.kind', sql<number>`extract(epoch FROM d.due_at)::double precision`.as('at')] as const;
const NEXT_DUE = query('sandbox-next-due', (db: Tables, value: { customer: string; to: number }) =>
  db
    .selectFrom('sandboxObject as d')
    .select(COLUMNS)
    .where('d.customer', '=', value.customer)
    .where(sql<boolean>`d.due_at <= to_timestamp(${value.to}::double precision)`)
    .orderBy('d.dueAt')
    .orderBy('d.position')
    .limit(1),
);

/**
 * Advances a customer's clock to this time in Unix seconds. Due changes run in their order, each at its own time.
 * @throws Refusal for a time in the past or too far ahead
 */
export async function advanceClock(store: SandboxStore, customer: string, to: number): Promise<void> {
  const now = await store.timeOf(customer);
  if (to < now || to > now + MAX_SECONDS) {
    throw refuse({ message: 'A clock can only be advanced, by at most ten years.', param: 'to' });
  }
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const [due] = await store.transaction.run(NEXT_DUE, { customer, to });
    await setClock(store, customer, due ? Math.max(due.at, await store.timeOf(customer)) : to);
    if (!due) return;
    await runDue(store, due);
  }
  throw refuse({ message: 'Too many events at once: advance in smaller steps.', param: 'to' });
}

async function setClock(store: SandboxStore, customer: string, at: number): Promise<void> {
  await store.saveInternal(customer, { offsetSeconds: Math.round(at - store.seconds()) });
}

/** Runs the due change of an object. */
async function runDue(store: SandboxStore, { id, kind }: Pick<SandboxObjectRow, 'id' | 'kind'>): Promise<void> {
  const entry = await store.get(kind, id);
  await store.schedule(id, null);
  if (kind === 'subscription') await renewSubscription(store, entry as Entry<'subscription'>);
  else if (kind === 'invoice') await retryInvoice(store, entry.object as Stripe.Invoice);
  else if (kind === 'checkout.session') {
    const session = entry.object as Stripe.Checkout.Session;
    await (session.status === 'open' ? expireSession(store, session) : settleSession(store, session, true));
  }
}

const DUE = query('sandbox-due', (db: Tables, { now }: { now: Date }) =>
  db
    .selectFrom('sandboxObject as d')
    .leftJoin('sandboxObject as c', 'c.id', 'd.customer')
    .select(COLUMNS)
    .where(
      sql<boolean>`d.due_at <= ${now}::timestamptz
        + coalesce((c.hidden->>'offsetSeconds')::double precision, 0) * interval '1 second'`,
    )
    .orderBy('d.dueAt')
    .limit(100),
);
const IS_DUE = query('sandbox-is-due', (db: Tables, value: { id: string; at: number }) =>
  db
    .selectFrom('sandboxObject')
    .select('id')
    .where('id', '=', value.id)
    .where(sql<boolean>`due_at = to_timestamp(${value.at}::double precision)`),
);

/** Runs changes that are due in real time: sessions expire, subscriptions renew. Deletes old idempotency keys. */
export const SANDBOX_CLOCK: JobDefinition<AccountsRuntime> = {
  name: 'sandbox-clock',
  cron: '* * * * *',
  async work(_data, runtime) {
    if (runtime.services.config.payments.processor !== 'sandbox') return;
    for (const due of await runtime.database.run(DUE, { now: runtime.now() })) {
      await withSandboxStore(runtime, null, async (store) => {
        const still = await store.transaction.run(IS_DUE, { id: due.id, at: due.at });
        if (still.length > 0) await runDue(store, due);
      });
    }
    await deleteOldKeys(runtime);
  },
};

const DAY_MS = 86_400_000;

const DELETE_OLD_KEYS = query('sandbox-delete-keys', (db: Tables, value: { before: Date }) =>
  db.deleteFrom('sandboxRequest').where('createdAt', '<', value.before),
);

async function deleteOldKeys({ database, now }: AccountsRuntime): Promise<void> {
  const before = new Date(now().getTime() - DAY_MS);
  await database.change((transaction) => transaction.run(DELETE_OLD_KEYS, { before }));
}
