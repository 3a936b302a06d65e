import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { EnrollmentRow } from '../rows.js';

type NewSetupKey = Omit<EnrollmentRow, 'id' | 'usedAt' | 'revokedAt'>;

const INSERT_SETUP_KEY = query('insert-setup-key', (db: Tables, value: NewSetupKey) =>
  db
    .insertInto('enrollment')
    .values({
      tenantId: value.tenantId,
      peerId: value.peerId,
      name: value.name,
      keyHash: value.keyHash,
      maskedKey: value.maskedKey,
      groupId: value.groupId,
      vmTicketRef: value.vmTicketRef,
      expiresAt: value.expiresAt,
      createdAt: value.createdAt,
      vm: value.vm,
      sealedCommand: value.sealedCommand,
    })
    .returning('id'),
);

/** Setup keys of a tenant; above it, the oldest of those that are revoked or have lost their peer are deleted. */
const MAX_KEYS = 5_000;

/** Old keys that a new one deletes, so that its transaction stays short. */
const DELETED_AT_ONCE = 100;

// The key of a virtual machine stays, because it says that the machine was enrolled.
const DELETE_OLD_KEYS = query(
  'delete-old-setup-keys',
  (_: Tables, { tenantId }: { tenantId: number }) => sql`
    DELETE FROM network.enrollment WHERE tenant_id = ${tenantId} AND id IN (
      SELECT id FROM network.enrollment
       WHERE tenant_id = ${tenantId} AND vm IS NULL AND (peer_id IS NULL OR revoked_at IS NOT NULL)
         AND id < (SELECT id FROM network.enrollment WHERE tenant_id = ${tenantId}
                    ORDER BY id DESC OFFSET ${sql.lit(MAX_KEYS - 1)} LIMIT 1)
       ORDER BY id LIMIT ${sql.lit(DELETED_AT_ONCE)})`,
);

/** Adds a setup key. Returns its id. */
export async function addSetupKey(transaction: Transaction, key: NewSetupKey): Promise<number> {
  const [made] = await transaction.run(INSERT_SETUP_KEY, key);
  if (!made) throw new Error('an insert returned no row');
  await transaction.run(DELETE_OLD_KEYS, { tenantId: key.tenantId });
  return made.id;
}

/** Revokes the unused setup keys of a peer. */
export const REVOKE_KEYS_OF_PEER = query(
  'revoke-setup-keys-of-peer',
  (db: Tables, value: { tenantId: number; peerId: number; now: Date }) =>
    db
      .updateTable('enrollment')
      .set({ revokedAt: value.now })
      .where('tenantId', '=', value.tenantId)
      .where('peerId', '=', value.peerId)
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null),
);
