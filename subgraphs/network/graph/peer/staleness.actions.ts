import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NetworkRuntime } from '../../services.js';
import { forEachTenant } from '../tenant/for-each-tenant.js';
import { LOCK_TENANT, increaseRevision } from '../tenant/tenant.actions.js';
import { APPLY_TIMEOUT_MS, LIVE_TIMEOUT_MS } from './peer.rules.js';

/** Whether a joined peer `p` is stale at this time: the rule of `peerStatus`, in whole milliseconds. */
export const isStale = (now: Date) => sql<boolean>`(
  date_trunc('milliseconds', coalesce(p.last_seen, p.joined_at)) < ${now}::timestamptz - interval ${sql.lit(`${LIVE_TIMEOUT_MS} milliseconds`)}
  OR ((p.config_hash IS NULL OR p.applied_hash IS DISTINCT FROM p.config_hash)
      AND date_trunc('milliseconds', coalesce(p.config_changed_at, p.joined_at))
          < ${now}::timestamptz - interval ${sql.lit(`${APPLY_TIMEOUT_MS} milliseconds`)}))`;

const TENANTS_WITH_STALE_PEERS = query('tenants-with-stale-peers', (db: Tables, { now }: { now: Date }) =>
  db
    .selectFrom('peer as p')
    .select('p.tenantId')
    .distinct()
    .where('p.joinedAt', 'is not', null)
    .where('p.isPublishedStale', '<>', isStale(now))
    .orderBy('p.tenantId'),
);

/** A peer becomes stale by time alone, without a change of a row. Publishes such peers to readers of their graphs. */
export async function publishStalePeers(database: Database, now: Date): Promise<void> {
  const tenants = await database.run(TENANTS_WITH_STALE_PEERS, { now });
  const ids = tenants.map(({ tenantId }) => tenantId);
  await forEachTenant(ids, (tenantId) =>
    database.change((transaction) => publishStalePeersOf(transaction, tenantId, now)),
  );
}

const STORE_STALENESS = query('note-stale-peers', (db: Tables, { tenantId, now }: { tenantId: number; now: Date }) =>
  db
    .updateTable('peer as p')
    .set({ isPublishedStale: sql<boolean>`NOT p.is_published_stale` })
    .where('p.tenantId', '=', tenantId)
    .where('p.joinedAt', 'is not', null)
    .where('p.isPublishedStale', '<>', isStale(now))
    .returning('p.isPublishedStale'),
);

/** A change is published only if a peer became stale: a report of a peer publishes that it is live again. */
async function publishStalePeersOf(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.run(LOCK_TENANT, { id: tenantId });
  const changed = await transaction.run(STORE_STALENESS, { tenantId, now });
  if (changed.some(({ isPublishedStale }) => isPublishedStale)) await increaseRevision(transaction, tenantId);
}

/** Milliseconds between two checks for stale peers. */
const POLL_INTERVAL_MS = 10_000;

export const PUBLISH_STALE_PEERS: JobDefinition<NetworkRuntime> = {
  name: 'tell-stale-peers',
  cron: '* * * * *',
  runsAtStart: true,
  async work(_, { database, jobs, now }) {
    await publishStalePeers(database, now());
    const startAfter = new Date(now().getTime() + POLL_INTERVAL_MS);
    await database.change((transaction) =>
      jobs.enqueue(transaction, PUBLISH_STALE_PEERS.name, {}, { key: 'again', startAfter }),
    );
  },
};
