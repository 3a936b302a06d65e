import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { Comparison, plansOf } from '../netbird-objects/comparison.js';
import { driftsOf, forgetOldDrift, noteDrifts } from '../netbird-drift/drift.actions.js';
import { tellBreaches } from '../netbird-drift/isolation.js';
import { noteMachines } from './machine.actions.js';
import { NetbirdRefusal } from '../netbird-api/netbird-api.js';
import { readState } from '../netbird-objects/object.actions.js';
import type { Workplace } from './reconciliation.js';
import { readSurface, readTenant, type Surface } from './server-state.js';
import { tenantPrefix } from '../netbird-objects/desired.rules.js';

/** Maximum duration of one poll, in milliseconds; the next poll continues with the remaining tenants. */
const POLL_INTERVAL_MS = 45_000;

const THOSE_WITH_MACHINES = query('netbird-tenants-with-machines', (db: Tables, value: { groups: readonly string[] }) =>
  db
    .selectFrom('netbirdObject')
    .select('tenantId')
    .distinct()
    .where(sql<boolean>`(kind = 'machine' OR (kind = 'peer' AND external_id = ANY (${value.groups})))`)
    .orderBy('tenantId'),
);

const ALL = query('netbird-tenants', (db: Tables) =>
  db
    .selectFrom('tenant as t')
    .innerJoin('netbirdTenant as n', 'n.tenantId', 't.id')
    .select('t.id')
    .orderBy('n.lookedAt', (order) => order.nullsFirst())
    .orderBy('t.id'),
);

const LOOKED = query('netbird-looked', (db: Tables, value: { tenantId: number; now: Date }) =>
  db.updateTable('netbirdTenant').set({ lookedAt: value.now }).where('tenantId', '=', value.tenantId),
);

/**
 * Polls the whole server once for connected machines and for drift. Returns the tenants that need a reconciliation. An
 * error in one tenant does not stop the others. @throws NetbirdSilence
 */
export async function lookForDrift(place: Workplace): Promise<number[]> {
  const { api, database, now, log } = place;
  const { installation } = api.config;
  const surface = await readSurface((path) => api.list(path), { installation, prefix: `${installation}-` }, now);
  tellBreaches(log, surface.breaches);
  await forgetOldDrift(database, now());
  await seeMachines(place, surface);
  const endMs = now().getTime() + POLL_INTERVAL_MS;
  const wrong: number[] = [];
  for (const { id: tenantId } of await database.run(ALL, {})) {
    if (now().getTime() > endMs || api.pauseMs > 0) break;
    await database.run(LOOKED, { tenantId, now: now() });
    if (await isWrong(place, surface, tenantId)) wrong.push(tenantId);
  }
  return wrong;
}

/** Records connected machines first, so that they do not wait for the lists of networks. */
async function seeMachines(place: Workplace, { at, peers, objects }: Surface): Promise<void> {
  const { api, database, now } = place;
  const groups = new Map(objects.map(({ name, externalId }) => [name, externalId]));
  const joined = peers.flatMap(({ groupNames }) => groupNames.flatMap((name) => groups.get(name) ?? []));
  const { installation } = api.config;
  for (const { tenantId } of await database.run(THOSE_WITH_MACHINES, { groups: joined })) {
    const state = await readState(database, { installation, tenantId }, now());
    await noteMachines(place, state, { findings: { at, peers }, now: now() });
  }
}

async function isWrong(place: Workplace, surface: Surface, tenantId: number): Promise<boolean> {
  const { api, database, now, log } = place;
  const { installation } = api.config;
  try {
    const findings = await readTenant((path) => api.list(path), surface, tenantPrefix(installation, tenantId));
    const state = await readState(database, { installation, tenantId }, now());
    // A reconciliation that runs now, ran meanwhile or follows soon makes its own comparison.
    const isMoving = state.isLeased || (state.endedAt !== null && state.endedAt >= surface.at);
    if (isMoving || state.revision !== state.graph.revision) return false;
    const plans = plansOf(new Comparison(state, findings));
    await noteDrifts(database, tenantId, { drifts: driftsOf(plans), now: now() });
    return plans.some(({ writes, removals, forgotten }) => writes.length + removals.length + forgotten.length > 0);
  } catch (error) {
    if (!(error instanceof NetbirdRefusal)) throw error;
    log.warn({ tenantId, reason: error.message }, 'the state of a tenant could not be read from NetBird');
    return false;
  }
}
