import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NetworkRuntime } from '../../services.js';
import { LOCK_TENANT, showChange } from '../tenant/tenant.actions.js';
import { APPLIED_MS, SEEN_MS } from './peer.rules.js';

/** Whether a joined peer `p` is stale at this time: the rule of `peerStatus`, in whole milliseconds. */
export const isStale = (now: Date) => sql<boolean>`(
  date_trunc('milliseconds', coalesce(p.last_seen, p.joined_at)) < ${now}::timestamptz - interval ${sql.lit(`${SEEN_MS} milliseconds`)}
  OR ((p.config_hash IS NULL OR p.applied_hash IS DISTINCT FROM p.config_hash)
      AND date_trunc('milliseconds', coalesce(p.config_changed_at, p.joined_at))
          < ${now}::timestamptz - interval ${sql.lit(`${APPLIED_MS} milliseconds`)}))`;

const TENANTS_TO_TELL = query('tenants-with-stale-peers', (db: Tables, { now }: { now: Date }) =>
  db
    .selectFrom('peer as p')
    .select('p.tenantId')
    .distinct()
    .where('p.joinedAt', 'is not', null)
    .where('p.isPublishedStale', '<>', isStale(now))
    .orderBy('p.tenantId'),
);

/** A peer becomes stale by time alone, without a change of a row. Publishes such peers to readers of their graphs. */
export async function tellStalePeers(database: Database, now: Date): Promise<void> {
  const tenants = await database.run(TENANTS_TO_TELL, { now });
  for (const { tenantId } of tenants) await database.change((transaction) => tellTenant(transaction, tenantId, now));
}

const NOTE_STALENESS = query('note-stale-peers', (db: Tables, { tenantId, now }: { tenantId: number; now: Date }) =>
  db
    .updateTable('peer as p')
    .set({ isPublishedStale: sql<boolean>`NOT p.is_published_stale` })
    .where('p.tenantId', '=', tenantId)
    .where('p.joinedAt', 'is not', null)
    .where('p.isPublishedStale', '<>', isStale(now))
    .returning('p.isPublishedStale'),
);

/** A change is published only if a peer became stale: a report of a peer publishes that it is live again. */
async function tellTenant(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.run(LOCK_TENANT, { id: tenantId });
  const told = await transaction.run(NOTE_STALENESS, { tenantId, now });
  if (told.some(({ isPublishedStale }) => isPublishedStale)) await showChange(transaction, tenantId);
}

/** Milliseconds between two checks for stale peers. */
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
