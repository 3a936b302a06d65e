import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { MAX_TTL_MS } from './authority.rules.js';

/**
 * How slow the clock of a peer may be: certificates start that long ago, and a revoked one stays on the blocklist that long
 * after its end.
 */
export const MAX_CLOCK_LAG_MS = 3_600_000;

/** Whether peers may still accept a certificate by their clocks. */
export const mayBeAccepted = (now: Date) =>
  sql<boolean>`not_after > ${now}::timestamptz - interval ${sql.lit(`${MAX_CLOCK_LAG_MS} milliseconds`)}`;

type AtTime = { tenantId: number; now: Date };

const DELETE_EXPIRED_CERTIFICATES = query('delete-expired-certificates', (db: Tables, { tenantId, now }: AtTime) =>
  db
    .deleteFrom('issuedCertificate')
    .where('tenantId', '=', tenantId)
    .where((eb) => eb.not(mayBeAccepted(now))),
);

const DELETE_EXPIRED_REVOCATIONS = query('delete-expired-revocations', (db: Tables, { tenantId, now }: AtTime) =>
  db
    .deleteFrom('revokedCertificate')
    .where('tenantId', '=', tenantId)
    .where((eb) => eb.not(mayBeAccepted(now))),
);

/**
 * An authority signs nothing once the next one signs. It also stays until the holders of its certificates have newer ones,
 * because it tells when theirs ended.
 */
const DELETE_RETIRED = query(
  'delete-retired-authorities',
  (_: Tables, value: { tenantId: number; now: Date; signedBefore: Date }) => sql`
    DELETE FROM network.authority a
     WHERE a.tenant_id = ${value.tenantId} AND least(a.not_after, a.retires_at) <= ${value.now}
       AND EXISTS (SELECT FROM network.authority n
                    WHERE n.tenant_id = ${value.tenantId} AND n.generation > a.generation
                      AND coalesce(n.signs_from, n.created_at) < ${value.signedBefore})
       AND NOT EXISTS (SELECT FROM network.certificate_holder h
                        WHERE h.tenant_id = ${value.tenantId} AND h.peer_id IS NOT NULL AND h.issuer = a.fingerprint)`,
);

/**
 * Removes expired certificates from both lists, because all peers refuse them anyway, and retired authorities of which every
 * certificate has expired.
 */
export async function deleteExpired(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.run(DELETE_EXPIRED_CERTIFICATES, { tenantId, now });
  await transaction.run(DELETE_EXPIRED_REVOCATIONS, { tenantId, now });
  const signedBefore = new Date(now.getTime() - MAX_TTL_MS - MAX_CLOCK_LAG_MS);
  await transaction.run(DELETE_RETIRED, { tenantId, now, signedBefore });
}
