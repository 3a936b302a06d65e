import { sql } from 'kysely';
import { isIPv4 } from 'node:net';
import type { Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { notifyVmJoined, vmOfKey } from '../../joining/enrollment/vm-joined.actions.js';
import { moveAddress } from '../../graph/peer/peer.actions.js';
import type { PeerRow } from '../../graph/peer/peer.js';
import { peerStatus, type PeerState } from '../../graph/peer/peer.rules.js';
import type { NetworkRuntime } from '../../services.js';
import { beginRouting } from '../../graph/router/router.actions.js';
import { GRAPHS_TOPIC, LOCK_TENANT, increaseRevision } from '../../graph/tenant/tenant.actions.js';
import { recordDrifts } from '../netbird-drift/drift.actions.js';
import type { TenantSnapshot } from '../netbird-objects/actual.rules.js';
import { lostMachines, machinesOf, revisionHash, type Machine } from '../netbird-objects/machine.rules.js';
import { deleteObjects, recordObject, type TenantState } from '../netbird-objects/object.actions.js';

/** The database and the jobs that follow a change. */
type MachineDependencies = Pick<NetworkRuntime, 'database' | 'jobs'>;

/** Records joined, connected and deleted machines, and publishes visible changes to readers of the graph. */
export async function recordMachines(
  { database, jobs }: MachineDependencies,
  state: TenantState,
  { snapshot, now }: { readonly snapshot: Pick<TenantSnapshot, 'peers' | 'at'>; readonly now: Date },
): Promise<void> {
  const { tenantId } = state.graph;
  const machines = machinesOf(state, snapshot);
  const ids = new Map(state.known.filter(({ kind }) => kind === 'machine').map((row) => [row.id, row.externalId]));
  for (const { id, externalId } of machines)
    if (ids.get(id) !== externalId) await recordObject(database, tenantId, { kind: 'machine', id, externalId });
  const lost = lostMachines(state, machines, snapshot.at);
  await recordDrifts(database, tenantId, { drifts: lost.map((row) => ({ ...row, what: 'deleted' })), now });
  await deleteObjects(database, tenantId, { kind: 'machine', ids: lost.map(({ id }) => id) });
  await recordSeen({ database, jobs }, tenantId, { machines, now });
}

interface SeenMachines {
  readonly machines: readonly Machine[];
  readonly now: Date;
}

/** Records connected machines and the graph revision that they have. */
export async function recordSeen(
  { database, jobs }: MachineDependencies,
  tenantId: number,
  seen: SeenMachines,
): Promise<void> {
  if (seen.machines.length === 0) return;
  await database.change(async (transaction) => {
    for (const vm of await storeSeen(transaction, tenantId, seen)) await notifyVmJoined(transaction, jobs, vm);
  });
}

type Seen = PeerState & { readonly id: number; readonly before: PeerStateBefore };
type PeerStateBefore = Record<keyof PeerState, string | null>;

type SeenValues = Pick<PeerRow, 'tenantId' | 'configHash' | 'appliedHash'> & {
  now: Date;
  ids: readonly number[];
  areConnected: readonly boolean[];
};

const SEE_MACHINES = query(
  'netbird-set-machines-seen',
  (_: Tables, { tenantId, now, configHash, appliedHash, ids, areConnected }: SeenValues) => sql<Seen>`
    UPDATE network.peer p
       SET joined_at = coalesce(p.joined_at, ${now}), last_seen = CASE WHEN m.connected THEN greatest(p.last_seen, ${now}) ELSE p.last_seen END,
           config_changed_at = CASE WHEN p.config_hash IS DISTINCT FROM ${configHash} THEN ${now} ELSE p.config_changed_at END,
           config_hash = ${configHash}, applied_hash = ${appliedHash}
      FROM unnest(${ids}::integer[], ${areConnected}::boolean[]) AS m(id, connected), network.peer b
     WHERE p.tenant_id = ${tenantId} AND p.id = m.id AND b.tenant_id = ${tenantId} AND b.id = p.id
     RETURNING p.id, p.joined_at AS "joinedAt", p.last_seen AS "lastSeen", p.config_hash AS "configHash",
               p.config_changed_at AS "configChangedAt", p.applied_hash AS applied,
               json_build_object('joinedAt', b.joined_at, 'lastSeen', b.last_seen, 'configHash', b.config_hash,
                 'configChangedAt', b.config_changed_at, 'applied', b.applied_hash) AS before`,
);

const USE_KEYS = query(
  'netbird-use-setup-keys',
  (db: Tables, value: { tenantId: number; now: Date; ids: readonly number[] }) =>
    db
      .updateTable('enrollment')
      .set({ usedAt: value.now })
      .where('tenantId', '=', value.tenantId)
      .where('usedAt', 'is', null)
      .where('peerId', '=', anyOf(value.ids))
      .returning(vmOfKey('enrollment').as('vm')),
);

const REVISIONS = query(
  'netbird-revisions-of-tenant',
  (_: Tables, { tenantId }: { tenantId: number }) => sql<{ revision: number; done: number | null }>`
    SELECT t.graph_revision AS revision, n.revision AS done
      FROM network.tenant t LEFT JOIN network.netbird_tenant n ON n.tenant_id = t.id WHERE t.id = ${tenantId}`,
);

/** Records machines. Returns the platform's virtual machines among those that used their setup key now. */
async function storeSeen(
  transaction: Transaction,
  tenantId: number,
  { machines, now }: SeenMachines,
): Promise<(string | null)[]> {
  // Every change locks the tenant first.
  await transaction.run(LOCK_TENANT, { id: tenantId });
  // Read under the lock: another process may have stored newer ones since the state of the tenant was read.
  const [{ revision, done } = { revision: 0, done: null }] = await transaction.run(REVISIONS, { tenantId });
  const ids = machines.map(({ id }) => id);
  const hashes = { configHash: revisionHash(tenantId, revision), appliedHash: revisionHash(tenantId, done) };
  const areConnected = machines.map(({ isConnected }) => isConnected);
  const seen = await transaction.run(SEE_MACHINES, { tenantId, now, ...hashes, ids, areConnected });
  const used = await transaction.run(USE_KEYS, { tenantId, now, ids });
  const isMoved = await recordAddresses(transaction, tenantId, machines);
  const isOther = seen.some(({ before, ...after }) => peerStatus(readBefore(before), now) !== peerStatus(after, now));
  if (isMoved || isOther) await increaseRevision(transaction, tenantId);
  const joined = seen.filter(({ before }) => before.joinedAt === null).map(({ id }) => id);
  if (await beginRouting(transaction, tenantId, joined))
    transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenantId) });
  return used.map(({ vm }) => vm);
}

/** Times come as text in JSON. */
function readBefore({ joinedAt, lastSeen, configHash, configChangedAt, applied }: PeerStateBefore): PeerState {
  const [joined, seen, changed] = [joinedAt, lastSeen, configChangedAt].map((time) =>
    time === null ? null : new Date(time),
  );
  return {
    joinedAt: joined ?? null,
    lastSeen: seen ?? null,
    configHash,
    configChangedAt: changed ?? null,
    applied,
  };
}

const MOVED_PEERS = query(
  'netbird-moved-peers',
  (_: Tables, value: { tenantId: number; ids: readonly number[]; ips: readonly string[] }) => sql<{
    id: number;
    ip: string;
  }>`
    SELECT p.id, m.ip FROM network.peer p
      JOIN unnest(${value.ids}::integer[], ${value.ips}::text[]) AS m(id, ip) ON m.id = p.id
     WHERE p.tenant_id = ${value.tenantId} AND host(p.ip) <> m.ip ORDER BY p.id`,
);

/** Records the addresses that the server assigned to machines. Returns whether any of them changed. */
async function recordAddresses(
  transaction: Transaction,
  tenantId: number,
  machines: readonly Machine[],
): Promise<boolean> {
  const assigned = machines.filter(({ ip }) => isIPv4(ip));
  const [ids, ips] = [assigned.map(({ id }) => id), assigned.map(({ ip }) => ip)];
  const others = await transaction.run(MOVED_PEERS, { tenantId, ids, ips });
  for (const { id, ip } of others) await moveAddress(transaction, tenantId, { id, ip });
  return others.length > 0;
}
