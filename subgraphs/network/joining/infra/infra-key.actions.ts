import type { Snapshot, Transaction } from '../../../../kernel/database/database.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { NetworkEngine, DriverDependencies } from '../setup-key/engine.js';
import { SETUP_KEY_MS } from '../setup-key/setup-key.rules.js';
import { GRAPHS_TOPIC, notProvisioned, tenantOf, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import { NAMED_GROUP } from './infra.actions.js';
import type { InfraSetupKey } from './infra.js';

/**
 * Makes the setup key for the machine of an enrollment, good for 24 hours; one that was made before and not used is
 * revoked.
 * @throws FORBIDDEN until provisioned, NOT_FOUND, CONFLICT once its machine has joined or its peer is gone, UNAVAILABLE
 * where keys are made elsewhere and nobody answers there
 */
export async function issueInfraKey(
  workshop: DriverDependencies & { readonly engine: NetworkEngine },
  { viewer, now }: GraphChange,
  id: number,
): Promise<InfraSetupKey> {
  const { database, engine } = workshop;
  const where = async () => {
    const { id: tenantId, defaultGroup } = await tenantOf(database, viewer);
    const { peer, group } = await database.snapshot((snapshot) => attachedPeer(snapshot, tenantId, id));
    return { tenantId, groupId: group ?? defaultGroup, peerId: peer };
  };
  // Before the change: nobody waits for a server with a tenant in hand.
  const key = await engine.makeKey(workshop, where);
  return database
    .change(async (transaction) => {
      const tenantId = await holdTenant(transaction, viewer.userId);
      const { peer, label, group } = await attachedPeer(transaction, tenantId, id);
      await transaction.execute(
        `UPDATE network.enrollment SET revoked_at = $3
          WHERE tenant_id = $1 AND peer_id = $2 AND used_at IS NULL AND revoked_at IS NULL`,
        [tenantId, peer, now],
      );
      const expiresAt = new Date(now.getTime() + SETUP_KEY_MS);
      const [made] = await transaction.execute<{ id: number }>(
        `INSERT INTO network.enrollment (tenant_id, peer_id, name, key_hash, masked_key, group_id, expires_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
        [tenantId, peer, label, key.hash, key.masked, group, expiresAt, now],
      );
      if (!made) throw new Error('an insert returned no row');
      await key.keep(transaction);
      transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenantId) });
      const { setupKey, joinCommand } = key;
      return { id: made.id, enrollment: id, peer, setupKey, joinCommand, expiresAt };
    })
    .catch(async (error: unknown) => {
      await key.abandon();
      throw error;
    });
}

/** The viewer's tenant, held: keys are issued and used in turn. @throws FORBIDDEN until provisioned */
async function holdTenant(transaction: Transaction, userId: number): Promise<number> {
  const [tenant] = await transaction.execute<{ id: number }>(
    'SELECT id FROM network.tenant WHERE user_id = $1 FOR NO KEY UPDATE',
    [userId],
  );
  if (!tenant) throw notProvisioned();
  return tenant.id;
}

interface AttachedPeer {
  readonly peer: number;
  readonly label: string;
  /** Of the owner's; null: none. */
  readonly group: number | null;
}

/** The peer of an enrollment whose machine has not joined. @throws NOT_FOUND, CONFLICT */
async function attachedPeer(reader: Snapshot, tenantId: number, id: number): Promise<AttachedPeer> {
  const [row] = await reader.execute<Omit<AttachedPeer, 'peer'> & { peer: number | null; joinedAt: Date | null }>(
    `SELECT p.id AS peer, p.label, ${NAMED_GROUP} AS "group", p.joined_at AS "joinedAt"
       FROM network.infra_enrollment i LEFT JOIN network.peer p ON p.tenant_id = i.tenant_id AND p.id = i.peer_id
      WHERE i.tenant_id = $1 AND i.id = $2`,
    [tenantId, id],
  );
  if (!row) throw notFound('The enrollment does not exist.');
  const { peer, joinedAt, label, group } = row;
  if (peer === null) throw conflict('The peer of this enrollment was deleted; detach the machine and attach it again.');
  if (joinedAt) throw conflict('The machine of this enrollment has already joined.');
  return { peer, label, group };
}
