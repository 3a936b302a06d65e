import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { EnrollmentRow } from '../rows.js';

type NewSetupKey = Omit<EnrollmentRow, 'id' | 'usedAt' | 'revokedAt'>;

/** Adds a setup key. */
export const INSERT_SETUP_KEY = query('insert-setup-key', (db: Tables, value: NewSetupKey) =>
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
