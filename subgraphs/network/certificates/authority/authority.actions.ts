import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { pemOf, readPem } from '../../../../kernel/security/host-key.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { Tables } from '../../entities.js';
import { hostNameOf } from '../../graph/peer/peer.rules.js';
import { HOLD_TENANT } from '../../graph/tenant/tenant.actions.js';
import { parseAddress } from '../../graph/address/mask.rules.js';
import {
  decodeCertificate,
  fingerprintOf,
  signCertificate,
  type CertificateDetails,
} from '../certificate/certificate.rules.js';
import type { IssuedCertificateRow } from '../rows.js';
import { deleteExpired, mayBeAccepted, MAX_CLOCK_LAG_MS } from './expired.actions.js';
import { makeAuthority, sealPurpose, type Authority } from './new-authority.actions.js';

const DAY_MS = 24 * 3_600_000;

/** Lifetime of a host certificate. */
export const HOST_TTL_MS = 7 * DAY_MS;

/** The owner of a certificate. */
export interface CertificateOwner {
  /** The peer; null for the platform's own lighthouse. */
  readonly id: number | null;
  readonly label: string;
  /** Its overlay address, without a prefix length. */
  readonly ip: string;
  /** x25519, 32 bytes. */
  readonly publicKey: Buffer;
  /** CIDRs that it routes to. */
  readonly subnets: readonly string[];
}

export interface CertificateRequest {
  readonly tenant: { readonly id: number; readonly addressRange: string };
  readonly peer: CertificateOwner;
  readonly now: Date;
  /** Default: seven days. */
  readonly ttlMs?: number;
}

export interface IssuedCertificate {
  readonly certificate: Buffer;
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** The authority's fingerprint. */
  readonly issuer: string;
}

const RECORD_CERTIFICATE = query(
  'record-certificate',
  (db: Tables, { fingerprint, tenantId, peerId, subnets, notAfter }: IssuedCertificateRow) =>
    db
      .insertInto('issuedCertificate')
      .values({ fingerprint, tenantId, peerId, subnets, notAfter })
      .onConflict((on) => on.doNothing())
      .returning('fingerprint'),
);

/**
 * Signs a certificate with the tenant's authority, which is created at first use under a lock of the tenant's row.
 * Callers that also lock a peer or a key must lock the tenant first. Every certificate is unique, even within one
 * second. Earlier certificates with other subnets are revoked, because their tunnels refuse packets of the new subnets.
 */
export async function issueCertificate(
  transaction: Transaction,
  secretBox: SecretBox,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const { tenant, peer, now, ttlMs = HOST_TTL_MS } = request;
  const notAfter = new Date(now.getTime() + ttlMs);
  const authority = await authorityOf(transaction, secretBox, { tenant, now, notAfter });
  const key = readPem('authorityKey', secretBox.open(authority.sealedKey, sealPurpose(tenant.id)));
  if (!key) throw new Error('the sealed text contains no authority key');
  const { notBefore: earliest } = decodeCertificate(authority.certificate);
  const issuer = fingerprintOf(authority.certificate);
  await deleteExpired(transaction, tenant.id, now);
  await revokeOthers(transaction, request);
  for (let start = now.getTime() - MAX_CLOCK_LAG_MS; ; start += 1000) {
    const details: CertificateDetails = {
      name: peer.id === null ? peer.label : hostNameOf(peer.label, peer.id),
      ips: [`${peer.ip}/${parseAddress(tenant.addressRange).prefix}`],
      subnets: peer.subnets,
      groups: [],
      notBefore: new Date(Math.max(start, earliest.getTime())),
      notAfter,
      publicKey: peer.publicKey,
      isAuthority: false,
      issuer,
    };
    const certificate = signCertificate(details, key);
    const fingerprint = fingerprintOf(certificate);
    const owner = { tenantId: tenant.id, peerId: peer.id, subnets: [...peer.subnets] };
    const recorded = await transaction.run(RECORD_CERTIFICATE, { ...owner, fingerprint, notAfter });
    if (recorded.length > 0) return { certificate, fingerprint, notAfter, issuer };
  }
}

type AtTime = { tenantId: number; now: Date };

const TRUSTED_UNTIL = sql<Date>`least(not_after, retires_at)`;
const SIGNS_FROM = sql<Date>`coalesce(signs_from, not_before)`;

const TRUSTED_AUTHORITIES = query('trusted-authorities', (db: Tables, { tenantId, now }: AtTime) =>
  db
    .selectFrom('authority')
    .select('certificate')
    .where('tenantId', '=', tenantId)
    .where(TRUSTED_UNTIL, '>', now)
    .orderBy('generation'),
);

/** The certificates of all trusted authorities of a tenant, concatenated PEM blocks; empty before the first authority. */
export async function trustedAuthorities(database: Database, tenantId: number, now: Date): Promise<string> {
  const authorities = await database.run(TRUSTED_AUTHORITIES, { tenantId, now });
  return authorities.map(({ certificate }) => pemOf('certificate', certificate)).join('');
}

const REVOKED = query('revoked-certificates', (db: Tables, { tenantId, now }: AtTime) =>
  db
    .selectFrom('revokedCertificate')
    .select('fingerprint')
    .where('tenantId', '=', tenantId)
    .where(mayBeAccepted(now))
    .orderBy('fingerprint'),
);

/** Fingerprints of the tenant's revoked certificates that a peer may still accept, sorted. */
export async function revokedCertificates(database: Database, tenantId: number, now: Date): Promise<string[]> {
  const revoked = await database.run(REVOKED, { tenantId, now });
  return revoked.map(({ fingerprint }) => fingerprint);
}

const SIGNER = query('signing-authority', (db: Tables, { tenantId, now }: AtTime) =>
  db
    .selectFrom('authority')
    .select('fingerprint')
    .where('tenantId', '=', tenantId)
    .where(TRUSTED_UNTIL, '>', now)
    .where(SIGNS_FROM, '<=', now)
    .orderBy('generation', 'desc')
    .limit(1),
);

/** Fingerprint of the tenant's signing authority; undefined before the first authority. */
export async function signingAuthority(
  reader: Pick<Database, 'run'>,
  tenantId: number,
  now: Date,
): Promise<string | undefined> {
  const [signer] = await reader.run(SIGNER, { tenantId, now });
  return signer?.fingerprint;
}

interface Signing {
  readonly tenant: CertificateRequest['tenant'];
  readonly now: Date;
  /** When the signed certificate expires. */
  readonly notAfter: Date;
}

/** Returns the newest signing authority that expires after the certificate; creates one if there is none. */
async function authorityOf(transaction: Transaction, secretBox: SecretBox, signing: Signing): Promise<Authority> {
  const existing = await newestAuthority(transaction, signing);
  if (existing) return existing;
  // The lock of the tenant's row makes other callers wait while the first creates the authority.
  const { tenant, now } = signing;
  await transaction.run(HOLD_TENANT, { id: tenant.id });
  return (await newestAuthority(transaction, signing)) ?? makeAuthority(transaction, secretBox, { tenant, now });
}

const NEWEST_AUTHORITY = query('newest-authority', (db: Tables, value: AtTime & { notAfter: Date }) =>
  db
    .selectFrom('authority')
    .select(['certificate', 'sealedKey'])
    .where('tenantId', '=', value.tenantId)
    .where('notAfter', '>', value.notAfter)
    .where(sql<Date>`coalesce(retires_at, not_after)`, '>', value.now)
    .where(SIGNS_FROM, '<=', value.now)
    .orderBy('generation', 'desc')
    .limit(1),
);

async function newestAuthority(
  transaction: Transaction,
  { tenant, now, notAfter }: Signing,
): Promise<Authority | undefined> {
  const [authority] = await transaction.run(NEWEST_AUTHORITY, { tenantId: tenant.id, notAfter, now });
  return authority;
}

const REVOKE_OTHERS = query(
  'revoke-certificates-with-other-subnets',
  (_: Tables, value: AtTime & { peerId: number | null; subnets: readonly string[] }) => sql`
    INSERT INTO network.revoked_certificate (fingerprint, tenant_id, not_after, revoked_at)
    SELECT fingerprint, tenant_id, not_after, ${value.now} FROM network.issued_certificate
     WHERE tenant_id = ${value.tenantId} AND peer_id IS NOT DISTINCT FROM ${value.peerId}
       AND subnets <> ${value.subnets} ON CONFLICT DO NOTHING`,
);

async function revokeOthers(transaction: Transaction, { tenant, peer, now }: CertificateRequest): Promise<void> {
  await transaction.run(REVOKE_OTHERS, { tenantId: tenant.id, peerId: peer.id, subnets: peer.subnets, now });
}
