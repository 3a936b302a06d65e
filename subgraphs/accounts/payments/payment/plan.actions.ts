import type { Database, Transaction as Change } from '../../../../kernel/database/database.js';
import type { AccountsRuntime } from '../../services.js';
import { processorOf } from '../processor/open-processor.js';
import type { ProcessorPlan } from '../processor/processor.js';

/** Milliseconds for which plans are taken from our own table. */
const FRESH_MS = 60_000;

const COLUMNS = `price_id AS "priceId", product_id AS "productId", name, description, cents::float8 AS cents, currency,
  "interval", interval_count AS "intervalCount", credits`;
const OFFERED = {
  name: 'plan-offered',
  text: `SELECT ${COLUMNS}, fetched_at AS "fetchedAt" FROM accounts.plan WHERE is_offered ORDER BY cents, price_id`,
};
const OFFERED_BY_ID = {
  name: 'plan-offered-by-id',
  text: `SELECT ${COLUMNS} FROM accounts.plan WHERE price_id = $1 AND is_offered`,
};

/** Plans on offer, the cheapest first: asked of the processor once a minute, and kept for when it does not answer. */
export async function offeredPlans(runtime: AccountsRuntime): Promise<ProcessorPlan[]> {
  const { database, now } = runtime;
  const processor = await processorOf(runtime);
  const kept = await database.rows<ProcessorPlan & { fetchedAt: Date }>(OFFERED);
  const isFresh = kept.some(({ fetchedAt }) => now().getTime() - fetchedAt.getTime() < FRESH_MS);
  if (isFresh) return kept;
  try {
    await keepPlans(database, await processor.plans(), now());
  } catch (error) {
    if (kept.length === 0) throw error;
    return kept;
  }
  return database.rows<ProcessorPlan>(OFFERED);
}

/** The plan of a price that is on offer. */
export async function offeredPlan(runtime: AccountsRuntime, priceId: string): Promise<ProcessorPlan | undefined> {
  const [kept] = await runtime.database.rows<ProcessorPlan>(OFFERED_BY_ID, [priceId]);
  if (kept) return kept;
  const processor = await processorOf(runtime);
  await keepPlans(runtime.database, await processor.plans(), runtime.now());
  const [found] = await runtime.database.rows<ProcessorPlan>(OFFERED_BY_ID, [priceId]);
  return found;
}

/** The plan of a price, also of one that is offered no longer, as a running subscription may have it. */
export async function planOf(change: Change, priceId: string | null): Promise<ProcessorPlan | undefined> {
  const [plan] = await change.execute<ProcessorPlan>(`SELECT ${COLUMNS} FROM accounts.plan WHERE price_id = $1`, [
    priceId,
  ]);
  return plan;
}

function keepPlans(database: Database, plans: readonly ProcessorPlan[], now: Date): Promise<void> {
  return database.change(async (change) => {
    await change.execute(
      `INSERT INTO accounts.plan (price_id, product_id, name, description, cents, currency, "interval", interval_count,
                                  credits, is_offered, fetched_at)
       SELECT "priceId", "productId", name, description, cents, currency, "interval", "intervalCount", credits, true, $2
         FROM jsonb_to_recordset($1::jsonb) AS offered ("priceId" text, "productId" text, name text, description text,
              cents bigint, currency text, "interval" text, "intervalCount" integer, credits integer)
        ORDER BY "priceId"
       ON CONFLICT (price_id) DO UPDATE SET product_id = excluded.product_id, name = excluded.name,
         description = excluded.description, cents = excluded.cents, currency = excluded.currency,
         "interval" = excluded."interval", interval_count = excluded.interval_count, credits = excluded.credits,
         is_offered = true, fetched_at = excluded.fetched_at`,
      [JSON.stringify(plans), now],
    );
    await change.execute('UPDATE accounts.plan SET is_offered = false WHERE is_offered AND NOT price_id = ANY($1)', [
      plans.map(({ priceId }) => priceId),
    ]);
  });
}
