import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Database, Transaction as DatabaseTransaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { countAttempt } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsRuntime } from '../../services.js';
import { processorOf } from '../processor/open-processor.js';
import { isFresh } from './plan-reads.js';
import type { ProcessorPlan } from '../processor/processor.js';
import { REPEAT_RATE } from '../transaction/transaction.rules.js';

const selectPlans = (db: Tables) =>
  db
    .selectFrom('plan')
    .select(['priceId', 'productId', 'name', 'description', sql<number>`cents::float8`.as('cents')])
    .select(['currency', 'interval', 'intervalCount', 'credits']);
const OFFERED = query('plan-offered', (db: Tables) =>
  selectPlans(db).select('fetchedAt').where('isOffered', '=', true).orderBy('cents').orderBy('priceId'),
);
const OFFERED_BY_ID = query('plan-offered-by-id', (db: Tables, value: { priceId: string }) =>
  selectPlans(db).where('priceId', '=', value.priceId).where('isOffered', '=', true),
);
const BY_ID = query('plan-by-id', (db: Tables, value: { priceId: string | null }) =>
  selectPlans(db).where('priceId', '=', value.priceId),
);

/**
 * Plans on offer, the cheapest first. Read from the processor once a minute; the stored ones are used when it does not
 * answer.
 */
export async function offeredPlans(runtime: AccountsRuntime): Promise<ProcessorPlan[]> {
  const { database, services, now } = runtime;
  await processorOf(runtime);
  const kept = await database.run(OFFERED, {});
  const { planReads } = services;
  if (planReads.isFresh(now()) || kept.some(({ fetchedAt }) => isFresh(fetchedAt, now()))) return kept;
  try {
    await readPlans(runtime);
  } catch (error) {
    if (kept.length === 0) throw error;
    return kept;
  }
  return database.run(OFFERED, {});
}

/** The plan of a price, if it is on offer. For an unknown price the user has the plans read. @throws RATE_LIMITED, UNAVAILABLE */
export async function offeredPlan(
  runtime: AccountsRuntime,
  userId: number,
  priceId: string,
): Promise<ProcessorPlan | undefined> {
  const { database, now } = runtime;
  const [kept] = await database.run(OFFERED_BY_ID, { priceId });
  if (kept) return kept;
  await processorOf(runtime);
  await countAttempt(database, REPEAT_RATE, String(userId), now());
  await readPlans(runtime);
  const [found] = await database.run(OFFERED_BY_ID, { priceId });
  return found;
}

function readPlans(runtime: AccountsRuntime): Promise<void> {
  const at = runtime.now();
  return runtime.services.planReads.join(at, async () => {
    const processor = await processorOf(runtime);
    await storePlans(runtime.database, await processor.plans(), at);
  });
}

/** The plan of a price, also if it is no longer on offer: a running subscription may have it. */
export async function planOf(change: DatabaseTransaction, priceId: string | null): Promise<ProcessorPlan | undefined> {
  const [plan] = await change.run(BY_ID, { priceId });
  return plan;
}

const STORE = query(
  'plan-store',
  (_: Tables, { plans, now }: { plans: string; now: Date }) => sql<object>`
  INSERT INTO accounts.plan (price_id, product_id, name, description, cents, currency, "interval", interval_count,
                             credits, is_offered, fetched_at)
  SELECT "priceId", "productId", name, description, cents, currency, "interval", "intervalCount", credits, true, ${now}
    FROM jsonb_to_recordset(${plans}::jsonb) AS offered ("priceId" text, "productId" text, name text, description text,
         cents bigint, currency text, "interval" text, "intervalCount" integer, credits integer)
   ORDER BY "priceId"
  ON CONFLICT (price_id) DO UPDATE SET product_id = excluded.product_id, name = excluded.name,
    description = excluded.description, cents = excluded.cents, currency = excluded.currency,
    "interval" = excluded."interval", interval_count = excluded.interval_count, credits = excluded.credits,
    is_offered = true, fetched_at = excluded.fetched_at`,
);
const WITHDRAW = query('plan-withdraw', (db: Tables, value: { offered: readonly string[] }) =>
  db
    .updateTable('plan')
    .set({ isOffered: false })
    .where('isOffered', '=', true)
    .where((eb) => eb.not(eb('priceId', '=', anyOf(value.offered)))),
);

function storePlans(database: Database, plans: readonly ProcessorPlan[], now: Date): Promise<void> {
  return unaudited(database).change(async (change) => {
    await change.run(STORE, { plans: JSON.stringify(plans), now });
    await change.run(WITHDRAW, { offered: plans.map(({ priceId }) => priceId) });
  });
}
