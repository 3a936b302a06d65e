import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import { checkLine } from '../../../../kernel/scalars/text.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import { addPeer } from '../../graph/peer/peer.actions.js';
import { readLabel } from '../../graph/peer/peer.rules.js';
import { changeGraph, GRAPHS_TOPIC, tenantOf, type GraphChange } from '../../graph/tenant/tenant.actions.js';
import type { Tables } from '../../entities.js';
import type { NetworkEngine, DriverDependencies } from '../setup-key/engine.js';
import { addSetupKey } from '../setup-key/setup-key.actions.js';
import { SETUP_KEY_TTL_MS } from '../setup-key/setup-key.rules.js';
import type { Enrollment, SetupKey } from './enrollment.js';

/** The input of an enrollment. */
export interface EnrollmentInput {
  readonly vmLabel?: string | null;
  readonly groupId?: number | null;
  readonly vmTicketRef?: string | null;
  /** The platform's virtual machine; it is enrolled once, and its command is stored for repeated requests. */
  readonly vm?: { readonly uuid: string; readonly sealCommand: (command: string) => string };
}

/**
 * Adds a peer and creates the setup key for its machine, valid for 24 hours.
 * @throws BAD_REQUEST for invalid input and for a group that is not the viewer's, CONFLICT when no address is left,
 * UNAVAILABLE when an external server creates keys and does not answer
 */
export async function enrollPeer(
  dependencies: DriverDependencies & { readonly engine: NetworkEngine },
  change: GraphChange,
  { vmLabel, groupId, vmTicketRef, vm }: EnrollmentInput,
): Promise<Enrollment> {
  const label = readLabel(vmLabel, 'vm_label') ?? undefined;
  const ticket = vmTicketRef == null ? null : checkLine('vm_ticket_ref', vmTicketRef, 256);
  const { database, engine } = dependencies;
  const { now } = change;
  const where = async () => {
    const { id } = await tenantOf(database, change.viewer);
    return database.snapshot(async (snapshot) => ({
      tenantId: id,
      groupId: await groupOf(snapshot, id, groupId ?? undefined),
    }));
  };
  // Before the change, so that no lock on the tenant is held during a request to an external server.
  const key = await engine.makeKey(dependencies, where);
  const command = vm?.sealCommand(key.joinCommand);
  return changeGraph(database, change, async (transaction, tenantId): Promise<Enrollment> => {
    const group = await groupOf(transaction, tenantId, groupId ?? undefined);
    const wished = { tenantId, id: key.peerId, label, groupId: group, vmTicketRef: ticket };
    const peer = await addPeer(transaction, wished, now);
    const expiresAt = new Date(now.getTime() + SETUP_KEY_TTL_MS);
    const owner = { tenantId, peerId: peer.id, name: peer.label, groupId: group, vmTicketRef: ticket };
    const known = { keyHash: key.hash, maskedKey: key.masked, vm: vm?.uuid ?? null, sealedCommand: command ?? null };
    const id = await addSetupKey(transaction, { ...owner, ...known, expiresAt, createdAt: now });
    await key.keep(transaction);
    return {
      id,
      peer: peer.id,
      name: peer.label,
      group,
      setupKey: key.setupKey,
      joinCommand: key.joinCommand,
      expiresAt,
      state: 'valid',
      vmTicketRef: ticket,
      createdAt: now,
    };
  }).catch(async (error: unknown) => {
    await key.abandon();
    throw error;
  });
}

const GROUP_OR_DEFAULT = query('group-or-default', (db: Tables, value: { tenantId: number; id: number | null }) =>
  db
    .selectFrom('group')
    .select('id')
    .where('tenantId', '=', value.tenantId)
    .where('isInfra', '=', false)
    .where(sql<boolean>`CASE WHEN ${value.id}::integer IS NULL THEN is_default ELSE id = ${value.id} END`),
);

/** Returns the group, or the default group without an id. @throws BAD_REQUEST for missing groups, groups of others and groups of the platform */
async function groupOf(transaction: Snapshot, tenantId: number, id: number | undefined): Promise<number> {
  const [group] = await transaction.run(GROUP_OR_DEFAULT, { tenantId, id: id ?? null });
  if (!group) throw badRequest('`group` is not one of your groups.');
  return group.id;
}

// A key without its peer cannot be used: it counts as revoked.
const KEYS_OF_USER = query(
  'setup-keys-of-user',
  (_: Tables, { userId, now }: { userId: number; now: Date }) => sql<SetupKey>`
    SELECT k.*, k.state = 'valid' AS valid, k.state = 'revoked' AS revoked
      FROM (SELECT e.id, e.name, e.masked_key AS key, 'one-off' AS type, (e.used_at IS NOT NULL)::integer AS "usedTimes",
                   CASE WHEN e.used_at IS NOT NULL THEN 'used'
                        WHEN e.revoked_at IS NOT NULL OR e.peer_id IS NULL THEN 'revoked'
                        WHEN e.expires_at <= ${now} THEN 'expired' ELSE 'valid' END AS state,
                   e.expires_at AS "expiresAt", array_remove(ARRAY[e.group_id], NULL) AS "autoGroups", e.peer_id AS peer,
                   e.vm_ticket_ref AS "vmTicketRef", e.created_at AS "createdAt"
              FROM network.enrollment e JOIN network.tenant t ON t.id = e.tenant_id WHERE t.user_id = ${userId}) k
     ORDER BY k.id`,
);

/** The viewer's setup keys, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listSetupKeys(database: Database, viewer: UserViewer, now: Date): Promise<SetupKey[]> {
  const keys = await database.run(KEYS_OF_USER, { userId: viewer.userId, now });
  if (keys.length === 0) await tenantOf(database, viewer);
  return keys;
}

// A used key is still shown as used, but its machine can no longer repeat a lost request.
const REVOKE_KEY = query('revoke-setup-key', (db: Tables, value: { userId: number; id: number; now: Date }) =>
  db
    .updateTable('enrollment as e')
    .from('tenant as t')
    .set({ revokedAt: sql<Date>`coalesce(e.revoked_at, ${value.now})` })
    .whereRef('t.id', '=', 'e.tenantId')
    .where('t.userId', '=', value.userId)
    .where('e.id', '=', value.id)
    .returning('e.tenantId'),
);

/** Revokes an unused setup key; idempotent. @throws FORBIDDEN until provisioned, NOT_FOUND */
export async function revokeSetupKey(database: Database, { viewer, now }: GraphChange, id: number): Promise<void> {
  const isRevoked = await database.change(async (transaction) => {
    const [revoked] = await transaction.run(REVOKE_KEY, { userId: viewer.userId, id, now });
    if (revoked) transaction.publishAfterCommit({ topic: GRAPHS_TOPIC, id: String(revoked.tenantId) });
    return revoked !== undefined;
  });
  if (isRevoked) return;
  await tenantOf(database, viewer);
  throw notFound('The setup key does not exist.');
}
