import type { Transaction } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { NetworkEngine, DriverDependencies } from '../setup-key/engine.js';
import { addSetupKey, REVOKE_KEYS_OF_PEER } from '../setup-key/setup-key.actions.js';
import { SETUP_KEY_TTL_MS } from '../setup-key/setup-key.rules.js';
import { GRAPHS_TOPIC, notProvisioned, tenantOf, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import { NAMED_GROUP } from './infra.actions.js';
import type { InfraSetupKey } from './infra.js';

/**
 * Creates the setup key for the machine of an enrollment, valid for 24 hours, and revokes an earlier unused key.
 * @throws FORBIDDEN until provisioned, NOT_FOUND, CONFLICT after its machine has joined or its peer is deleted,
 * UNAVAILABLE when an external server creates keys and does not answer
 */
export async function issueInfraKey(
  dependencies: DriverDependencies & { readonly engine: NetworkEngine },
  { viewer, now }: GraphChange,
  id: number,
): Promise<InfraSetupKey> {
  const { database, engine } = dependencies;
  const where = async () => {
    const { id: tenantId, defaultGroup } = await tenantOf(database, viewer);
    const { peer, group } = await database.snapshot((snapshot) => attachedPeer(snapshot, tenantId, id));
    return { tenantId, groupId: group ?? defaultGroup, peerId: peer };
  };
  // Before the change, so that no lock on the tenant is held during a request to an external server.
  const key = await engine.makeKey(dependencies, where);
  return database
    .change(async (transaction) => {
      const tenantId = await holdTenant(transaction, viewer.userId);
      const { peer, label, group } = await attachedPeer(transaction, tenantId, id);
      await transaction.run(REVOKE_KEYS_OF_PEER, { tenantId, peerId: peer, now });
      const expiresAt = new Date(now.getTime() + SETUP_KEY_TTL_MS);
      const owner = { tenantId, peerId: peer, name: label, groupId: group, vmTicketRef: null, vm: null };
      const known = { keyHash: key.hash, maskedKey: key.masked, sealedCommand: null };
      const keyId = await addSetupKey(transaction, { ...owner, ...known, expiresAt, createdAt: now });
      await key.keep(transaction);
      transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(tenantId) });
      const { setupKey, joinCommand } = key;
      return { id: keyId, enrollment: id, peer, setupKey, joinCommand, expiresAt };
    })
    .catch(async (error: unknown) => {
      await key.abandon();
      throw error;
    });
}

const HOLD_TENANT_OF_USER = query('hold-tenant-of-user', (db: Tables, value: { userId: number }) =>
  db.selectFrom('tenant').select('id').where('userId', '=', value.userId).forNoKeyUpdate(),
);

/** Locks the viewer's tenant, so that keys are issued and used one at a time. @throws FORBIDDEN until provisioned */
async function holdTenant(transaction: Transaction, userId: number): Promise<number> {
  const [tenant] = await transaction.run(HOLD_TENANT_OF_USER, { userId });
  if (!tenant) throw notProvisioned();
  return tenant.id;
}

interface AttachedPeer {
  readonly peer: number;
  readonly label: string;
  /** A group of the owner; null: none. */
  readonly group: number | null;
}

const ATTACHED_PEER = query('attached-peer', (db: Tables, value: { tenantId: number; id: number }) =>
  db
    .selectFrom('infraEnrollment as i')
    .leftJoin('peer as p', (on) => on.onRef('p.tenantId', '=', 'i.tenantId').onRef('p.id', '=', 'i.peerId'))
    .select(['p.id as peer', 'p.label', NAMED_GROUP.as('group'), 'p.joinedAt'])
    .where('i.tenantId', '=', value.tenantId)
    .where('i.id', '=', value.id),
);

/** The peer of an enrollment whose machine has not joined. @throws NOT_FOUND, CONFLICT */
async function attachedPeer(reader: Snapshot, tenantId: number, id: number): Promise<AttachedPeer> {
  const [row] = await reader.run(ATTACHED_PEER, { tenantId, id });
  if (!row) throw notFound('The enrollment does not exist.');
  const { peer, joinedAt, label, group } = row;
  if (peer === null || label === null)
    throw conflict('The peer of this enrollment was deleted; detach the machine and attach it again.');
  if (joinedAt) throw conflict('The machine of this enrollment has already joined.');
  return { peer, label, group };
}
