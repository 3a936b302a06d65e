import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { NetworkRuntime } from '../../services.js';
import { GRAPHS_TOPIC } from '../../graph/tenant/tenant.actions.js';
import { pollServer } from './drift-poll.js';
import { Lease } from './lease.actions.js';
import { NetbirdRefusal, NetbirdOutage } from '../netbird-api/netbird-api.js';
import { reconcileTenant } from './reconciliation.js';

/** Milliseconds until the retry. `left`: work is left or another process has the lease. `unavailable`: the server did not answer. */
const RETRY_MS = { left: 1_000, unavailable: 5_000 } as const;

/** Milliseconds between two polls of the whole server; the job clock has a resolution of minutes. */
const POLL_INTERVAL_MS = 30_000;

const TENANTS_BEHIND = query('netbird-tenants-behind', (db: Tables) =>
  db
    .selectFrom('tenant as t')
    .leftJoin('netbirdTenant as n', 'n.tenantId', 't.id')
    .select('t.id')
    .whereRef('n.revision', 'is distinct from', 't.graphRevision')
    .orderBy('t.id'),
);

/** Starts a reconciliation after each change of a graph. The drift poll finds changes whose events were lost in a crash. */
export function watchGraphs(runtime: NetworkRuntime): void {
  const { events, services, log } = runtime;
  if (!services.netbird) return;
  const report = (error: unknown) =>
    log.error({ err: error }, 'a NetBird reconciliation could not be enqueued; the next drift poll does it');
  const enqueueAfterEvents = async () => {
    for await (const { id } of events.subscribe([GRAPHS_TOPIC], services.closing.signal))
      await (id === undefined ? enqueueTenantsBehind(runtime) : enqueue(runtime, [Number(id)])).catch(report);
  };
  enqueueAfterEvents().catch(report);
}

/** Updates the objects of one tenant, one process at a time; other jobs are retried later. */
export const NETBIRD_RECONCILIATION: JobDefinition<NetworkRuntime> = {
  name: 'reconcile-netbird',
  queue: 'slow',
  async work({ tenantId }, runtime) {
    const { database, jobs, now, log, services } = runtime;
    const api = services.netbird;
    if (!api || typeof tenantId !== 'number') return;
    // Background jobs wait after a failure of the server.
    if (api.pauseMs > 0) return enqueue(runtime, [tenantId], api.pauseMs);
    const lease = await Lease.take(database, tenantId, now);
    if (!lease) return enqueue(runtime, [tenantId], RETRY_MS.left);
    try {
      const outcome = await reconcileTenant({ api, database, jobs, now, log }, tenantId, lease);
      // Refused objects are retried after the next drift poll.
      if (outcome === 'left') await enqueue(runtime, [tenantId], RETRY_MS.left);
    } catch (error) {
      logFailure(runtime, error);
      await enqueue(runtime, [tenantId], Math.max(api.pauseMs, RETRY_MS.unavailable));
    } finally {
      await lease.end();
    }
  },
};

/** Polls the whole server for drift and machines, and starts repairs. */
export const NETBIRD_DRIFT: JobDefinition<NetworkRuntime> = {
  name: 'find-netbird-drift',
  queue: 'slow',
  cron: '* * * * *',
  runsAtStart: true,
  async work({ isAgain }, runtime) {
    const { database, now, log, jobs, services } = runtime;
    if (!services.netbird) return;
    if (isAgain !== true) {
      const startAfter = new Date(now().getTime() + POLL_INTERVAL_MS);
      await database.change((transaction) =>
        jobs.enqueue(transaction, NETBIRD_DRIFT.name, { isAgain: true }, { key: 'again', startAfter }),
      );
    }
    await enqueueTenantsBehind(runtime);
    if (services.netbird.pauseMs > 0) return;
    try {
      await enqueue(runtime, await pollServer({ api: services.netbird, database, jobs, now, log }));
    } catch (error) {
      logFailure(runtime, error);
    }
  },
};

async function enqueueTenantsBehind(runtime: NetworkRuntime): Promise<void> {
  const tenants = await runtime.database.run(TENANTS_BEHIND, {});
  await enqueue(
    runtime,
    tenants.map(({ id }) => id),
  );
}

/** Tenants in one transaction: until its commit nobody sees their jobs. */
const ENQUEUED_AT_ONCE = 100;

/**
 * Enqueues reconciliations, sorted: two transactions would wait for each other's jobs in a circle. Immediate and delayed jobs
 * have different keys, so that a delayed one does not block an immediate one.
 */
async function enqueue(
  { database, jobs, now }: NetworkRuntime,
  tenantIds: readonly number[],
  afterMs = 0,
): Promise<void> {
  const startAfter = new Date(now().getTime() + afterMs);
  const sorted = tenantIds.toSorted((a, b) => a - b);
  for (let start = 0; start < sorted.length; start += ENQUEUED_AT_ONCE)
    await database.change(async (transaction) => {
      for (const tenantId of sorted.slice(start, start + ENQUEUED_AT_ONCE)) {
        const key = afterMs > 0 ? `${tenantId} later` : String(tenantId);
        await jobs.enqueue(transaction, NETBIRD_RECONCILIATION.name, { tenantId }, { key, startAfter });
      }
    });
}

/** Logs failures of the server in one line; they are retried. @throws other errors */
function logFailure({ log }: NetworkRuntime, error: unknown): void {
  if (!(error instanceof NetbirdOutage || error instanceof NetbirdRefusal)) throw error;
  log.warn({ reason: error.message }, 'NetBird is unavailable; the job will retry');
}
