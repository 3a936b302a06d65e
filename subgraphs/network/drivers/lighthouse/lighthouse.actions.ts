import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { Tables } from '../../entities.js';
import { issueCertificate } from '../../certificates/authority/authority.actions.js';
import { mayBeAccepted } from '../../certificates/authority/expired.actions.js';

/** A tenant served by the lighthouse. */
export interface ServedTenant {
  readonly id: number;
  readonly addressRange: string;
  /** Place of the range in the pool. */
  readonly place: number;
  readonly authorities: readonly Buffer[];
  /** Fingerprint of the signing authority. */
  readonly signer: string | undefined;
  /** Fingerprints of revoked certificates. */
  readonly blocklist: readonly string[];
}

const SERVED_TENANTS = query(
  'served-tenants',
  (_: Tables, { now }: { now: Date }) => sql<ServedTenant>`
    SELECT t.id, t.address_range::text AS "addressRange", t.range_number AS place,
           ARRAY(SELECT a.certificate FROM network.authority a
                  WHERE a.tenant_id = t.id AND least(a.not_after, a.retires_at) > ${now} ORDER BY a.generation) AS authorities,
           (SELECT a.fingerprint FROM network.authority a
             WHERE a.tenant_id = t.id AND least(a.not_after, a.retires_at) > ${now} AND coalesce(a.signs_from, a.not_before) <= ${now}
             ORDER BY a.generation DESC LIMIT 1) AS signer,
           ARRAY(SELECT r.fingerprint FROM network.revoked_certificate r
                  WHERE r.tenant_id = t.id AND ${mayBeAccepted(now)} ORDER BY r.fingerprint) AS blocklist
      FROM network.tenant t
     WHERE EXISTS (SELECT FROM network.peer p WHERE p.tenant_id = t.id AND p.certificate IS NOT NULL) ORDER BY t.id`,
);

/** Tenants with at least one machine that has a certificate. */
export function servedTenants(database: Database, now: Date): Promise<ServedTenant[]> {
  return database.run(SERVED_TENANTS, { now });
}

/** A certificate for a lighthouse of the tenant. @param at its address in the overlay, and its public key */
export async function certifyLighthouse(
  { database, secretBox }: { readonly database: Database; readonly secretBox: SecretBox },
  { id, addressRange }: ServedTenant,
  at: { readonly ip: string; readonly publicKey: Buffer; readonly now: Date },
): Promise<Buffer> {
  const { ip, publicKey, now } = at;
  const peer = { id: null, label: 'lighthouse', ip, publicKey, subnets: [] };
  const { certificate } = await database.change((transaction) =>
    issueCertificate(transaction, secretBox, { tenant: { id, addressRange }, peer, now }),
  );
  return certificate;
}
