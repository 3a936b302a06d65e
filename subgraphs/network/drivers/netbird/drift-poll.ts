import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { Comparison, plansOf } from '../netbird-objects/comparison.js';
import { driftsOf, deleteOldDrift, recordDrifts } from '../netbird-drift/drift.actions.js';
import { logBreaches } from '../netbird-drift/isolation.js';
import { recordMachines } from './machine.actions.js';
import { NetbirdOutage } from '../netbird-api/netbird-api.js';
import { readState } from '../netbird-objects/object.actions.js';
import type { ReconciliationDependencies } from './reconciliation.js';
import { readServer, readTenant, type ServerSnapshot } from './server-state.js';
import { tenantPrefix } from '../netbird-objects/desired.rules.js';

/** Maximum duration of one poll, in milliseconds; the next poll continues with the remaining tenants. */
const MAX_POLL_MS = 45_000;

const TENANTS_WITH_MACHINES = query(
  'netbird-tenants-with-machines',
  (db: Tables, value: { groups: readonly string[] }) =>
    db
      .selectFrom('netbirdObject')
      .select('tenantId')
      .distinct()
      .where(sql<boolean>`(kind = 'machine' OR (kind = 'peer' AND external_id = ANY (${value.groups})))`)
      .orderBy('tenantId'),
);

const TENANTS_BY_LAST_POLL = query('netbird-tenants', (db: Tables) =>
  db
    .selectFrom('tenant as t')
    .innerJoin('netbirdTenant as n', 'n.tenantId', 't.id')
    .select('t.id')
    .orderBy('n.lookedAt', (order) => order.nullsFirst())
    .orderBy('t.id'),
);

const SET_POLLED_AT = query('netbird-set-polled-at', (db: Tables, value: { tenantId: number; now: Date }) =>
  db.updateTable('netbirdTenant').set({ lookedAt: value.now }).where('tenantId', '=', value.tenantId),
);

/**
 * Polls the whole server once for connected machines and for drift. Returns the tenants that need a reconciliation. An
 * error in one tenant does not stop the others. @throws NetbirdOutage
 */
export async function pollServer(dependencies: ReconciliationDependencies): Promise<number[]> {
  const { api, database, now, log } = dependencies;
  const { installation } = api.config;
  const list = (path: string) => api.list(path);
  const server = await readServer(database, list, { installation, prefix: `${installation}-` });
  logBreaches(log, server.breaches);
  await deleteOldDrift(database, now());
  await recordConnectedMachines(dependencies, server);
  const endMs = now().getTime() + MAX_POLL_MS;
  const tenantIds: number[] = [];
  for (const { id: tenantId } of await database.run(TENANTS_BY_LAST_POLL, {})) {
    if (now().getTime() > endMs || api.pauseMs > 0) break;
    await database.run(SET_POLLED_AT, { tenantId, now: now() });
    if (await needsReconciliation(dependencies, server, tenantId)) tenantIds.push(tenantId);
  }
  return tenantIds;
}

/** Records connected machines first, so that they do not wait for the lists of networks. */
async function recordConnectedMachines(
  dependencies: ReconciliationDependencies,
  { at, peers, objects }: ServerSnapshot,
): Promise<void> {
  const { api, database, now, log } = dependencies;
  const groups = new Map(objects.map(({ name, externalId }) => [name, externalId]));
  const joined = peers.flatMap(({ groupNames }) => groupNames.flatMap((name) => groups.get(name) ?? []));
  const { installation } = api.config;
  const record = async (tenantId: number) => {
    const state = await readState(database, { installation, tenantId }, now());
    await recordMachines(dependencies, state, { snapshot: { at, peers }, now: now() });
  };
  for (const { tenantId } of await database.run(TENANTS_WITH_MACHINES, { groups: joined }))
    await record(tenantId).catch((error: unknown) =>
      log.warn({ tenantId, err: error }, 'the machines of a tenant could not be recorded'),
    );
}

async function needsReconciliation(
  dependencies: ReconciliationDependencies,
  server: ServerSnapshot,
  tenantId: number,
): Promise<boolean> {
  const { api, database, now, log } = dependencies;
  const { installation } = api.config;
  try {
    const snapshot = await readTenant((path) => api.list(path), server, tenantPrefix(installation, tenantId));
    const state = await readState(database, { installation, tenantId }, now());
    // A reconciliation that runs now, ran meanwhile or follows soon makes its own comparison.
    const isReconciling = state.isLeased || (state.endedAt !== null && state.endedAt >= server.at);
    if (isReconciling || state.revision !== state.graph.revision) return false;
    const plans = plansOf(new Comparison(state, snapshot));
    await recordDrifts(database, tenantId, { drifts: driftsOf(plans), now: now() });
    return plans.some(({ writes, removals, forgotten }) => writes.length + removals.length + forgotten.length > 0);
  } catch (error) {
    if (error instanceof NetbirdOutage) throw error;
    log.warn({ tenantId, err: error }, 'a tenant could not be compared with NetBird');
    return false;
  }
}
