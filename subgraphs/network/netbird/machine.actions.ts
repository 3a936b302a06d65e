import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/database.js';
import { showChange } from '../tenant/tenant.actions.js';
import type { Findings } from './found.rules.js';
import { RECORD_OBJECT, recordValues, type TenantState } from './object.actions.js';
import { peerName } from './wanted.rules.js';

/** A peer of ours and its machine at the server. */
interface Machine {
  readonly id: number;
  readonly externalId: string;
  readonly isConnected: boolean;
}

/** Finds the machines of a tenant's peers: by the id that is known, else by the peer's own group, which its setup key gave it. */
export function machinesOf({ graph, known }: TenantState, { peers }: Findings): Machine[] {
  const byId = new Map(peers.map((peer) => [peer.externalId, peer]));
  const byGroup = new Map(peers.flatMap((peer) => peer.groupNames.map((name) => [name, peer])));
  const ids = new Map(known.filter(({ kind }) => kind === 'machine').map((row) => [row.id, row.externalId ?? '']));
  return graph.peers.flatMap(({ id }) => {
    const machine = byId.get(ids.get(id) ?? '') ?? byGroup.get(peerName(graph.tenantId, id));
    return machine ? [{ id, externalId: machine.externalId, isConnected: machine.isConnected }] : [];
  });
}

/** Writes down which machines joined and which of them live. Who reads the graph hears of new ones. */
export async function noteMachines(
  database: Database,
  { graph: { tenantId }, known, revision }: TenantState,
  { machines, now }: { readonly machines: readonly Machine[]; readonly now: Date },
): Promise<void> {
  const ids = new Map(known.filter(({ kind }) => kind === 'machine').map((row) => [row.id, row.externalId]));
  for (const machine of machines)
    if (ids.get(machine.id) !== machine.externalId)
      await database.rows(RECORD_OBJECT, recordValues(tenantId, { ...machine, kind: 'machine' }, now));
  if (machines.length === 0) return;
  const hash = createHash('sha256')
    .update(`netbird ${tenantId} ${revision ?? ''}`)
    .digest('hex');
  await database.change(async (transaction) => {
    // Every change takes the tenant first.
    await transaction.execute('SELECT FROM network.tenant WHERE id = $1 FOR UPDATE', [tenantId]);
    const seen = await transaction.execute<{ isNew: boolean }>(
      `UPDATE network.peer p
          SET joined_at = coalesce(p.joined_at, $2), last_seen = CASE WHEN m.connected THEN $2 ELSE p.last_seen END,
              config_hash = $3, applied_hash = $3, config_changed_at = coalesce(p.config_changed_at, $2)
         FROM unnest($4::integer[], $5::boolean[]) AS m(id, connected), network.peer before
        WHERE p.id = m.id AND before.id = p.id AND p.tenant_id = $1
        RETURNING before.joined_at IS NULL AS "isNew"`,
      [tenantId, now, hash, machines.map(({ id }) => id), machines.map(({ isConnected }) => isConnected)],
    );
    await transaction.execute(
      'UPDATE network.enrollment SET used_at = $2 WHERE tenant_id = $1 AND used_at IS NULL AND peer_id = ANY ($3)',
      [tenantId, now, machines.map(({ id }) => id)],
    );
    if (seen.some(({ isNew }) => isNew)) await showChange(transaction, tenantId);
  });
}
