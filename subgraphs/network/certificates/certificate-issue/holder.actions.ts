import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { pemOf } from '../../../../kernel/security/host-key.js';
import type { Tables } from '../../entities.js';
import type { NetworkContext } from '../../services.js';
import type { CertificateValidity, HolderCertificate } from './holder.js';

/** Expiry in whole seconds, as in the certificate, and whether renewal is due. */
const validityColumns = (now: Date) => sql`h.reference, e.ends_at AS "expiresAt",
  (h.issued_at + (e.ends_at - h.issued_at) * 2 / 3 <= ${now}
    OR EXISTS (SELECT FROM network.authority s
                WHERE s.tenant_id = h.tenant_id AND s.generation > a.generation AND least(s.not_after, s.retires_at) > ${now}
                  AND coalesce(s.signs_from, s.not_before) <= ${now})) AS "isDue"`;

const HOLDERS = sql`
  FROM network.certificate_holder h
  JOIN network.peer p ON p.tenant_id = h.tenant_id AND p.id = h.peer_id
  JOIN network.authority a ON a.tenant_id = h.tenant_id AND a.fingerprint = h.issuer
  CROSS JOIN LATERAL (SELECT least(date_trunc('second', p.certificate_not_after), a.not_after, a.retires_at) AS ends_at) e`;

const VALIDITY = query(
  'holder-terms',
  (_: Tables, { references, now }: { references: readonly string[]; now: Date }) => sql<CertificateValidity>`
    SELECT ${validityColumns(now)} ${HOLDERS} WHERE h.reference = ANY (${references}::uuid[]) AND p.certificate IS NOT NULL`,
);

/** The validity of certificates; deleted ones are omitted. */
export function readValidity(
  database: Database,
  references: readonly string[],
  now: Date,
): Promise<CertificateValidity[]> {
  return database.run(VALIDITY, { references, now });
}

interface HolderRow extends Omit<HolderCertificate, 'certificate' | 'authorities' | 'configuration'> {
  readonly tenantId: number;
  readonly certificate: Buffer;
}

const HOLDER = query(
  'holder-certificate',
  (_: Tables, { reference, userId, now }: { reference: string; userId: number; now: Date }) => sql<HolderRow>`
    SELECT ${validityColumns(now)}, h.tenant_id AS "tenantId", h.key_number AS "keyNumber", p.id AS peer, host(p.ip) AS ip,
           encode(p.public_key, 'hex') AS "publicKey", p.certificate
      ${HOLDERS} JOIN network.tenant t ON t.id = h.tenant_id
     WHERE h.reference = ${reference} AND t.user_id = ${userId} AND p.certificate IS NOT NULL`,
);

interface HolderQuestion {
  readonly userId: number;
  readonly reference: string;
  /** Path of the private key. */
  readonly keyFile: string;
}

/** The certificate with its current configuration; undefined after its peer is deleted. */
export async function readHolder(
  { database, services, now, log }: Pick<NetworkContext, 'database' | 'services' | 'now' | 'log'>,
  { userId, reference, keyFile }: HolderQuestion,
): Promise<HolderCertificate | undefined> {
  const [row] = await database.run(HOLDER, { reference, userId, now: now() });
  if (!row) return undefined;
  const { tenantId, certificate, ...shown } = row;
  const holder = { peerId: row.peer, certificate, keyFile };
  const made = await services.configurations.textFor({ database, now, log }, tenantId, holder);
  if (!made) return undefined;
  const { text: configuration, authorities } = made;
  return { ...shown, certificate: pemOf('certificate', certificate), authorities, configuration };
}
