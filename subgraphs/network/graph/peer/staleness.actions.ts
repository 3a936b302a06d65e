import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { NetworkRuntime } from '../../services.js';
import { showChange } from '../tenant/tenant.actions.js';
import { APPLIED_MS, SEEN_MS } from './peer.rules.js';

/** Whether a peer `p` that has joined is stale at the time `$1`: exactly as the rule for its status says it, which knows whole milliseconds. */
export const IS_STALE = `(
  date_trunc('milliseconds', coalesce(p.last_seen, p.joined_at)) < $1::timestamptz - interval '${SEEN_MS} milliseconds'
  OR ((p.config_hash IS NULL OR p.applied_hash IS DISTINCT FROM p.config_hash)
      AND date_trunc('milliseconds', coalesce(p.config_changed_at, p.joined_at))
          < $1::timestamptz - interval '${APPLIED_MS} milliseconds'))`;

const TENANTS_TO_TELL = {
  name: 'tenants-with-stale-peers',
  text: `
    SELECT DISTINCT p.tenant_id AS id FROM network.peer p
     WHERE p.joined_at IS NOT NULL AND p.is_told_stale <> ${IS_STALE} ORDER BY 1`,
};

/** Time alone makes a peer stale, which no change of a row says: readers of its graph are told soon. */
export async function tellStalePeers(database: Database, now: Date): Promise<void> {
  const tenants = await database.rows<{ id: number }>(TENANTS_TO_TELL, [now]);
  for (const { id } of tenants) await database.change((transaction) => tellTenant(transaction, id, now));
}

/** A peer that is heard of again shows by itself; that it may grow stale again is all there is to note. */
async function tellTenant(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.execute('SELECT FROM network.tenant WHERE id = $1 FOR UPDATE', [tenantId]);
  const told = await transaction.execute<{ isStale: boolean }>(
    `UPDATE network.peer p SET is_told_stale = NOT p.is_told_stale
      WHERE p.tenant_id = $2 AND p.joined_at IS NOT NULL AND p.is_told_stale <> ${IS_STALE}
      RETURNING p.is_told_stale AS "isStale"`,
    [now, tenantId],
  );
  if (told.some(({ isStale }) => isStale)) await showChange(transaction, tenantId);
}

/** Milliseconds between two looks for peers that time alone made stale. */
const POLL_INTERVAL_MS = 10_000;

export const STALENESS: JobDefinition<NetworkRuntime> = {
  name: 'tell-stale-peers',
  cron: '* * * * *',
  runsAtStart: true,
  async work(_, { database, jobs, now }) {
    await tellStalePeers(database, now());
    const startAfter = new Date(now().getTime() + POLL_INTERVAL_MS);
    await database.change((transaction) => jobs.enqueue(transaction, STALENESS.name, {}, { key: 'again', startAfter }));
  },
};
