import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { pemOf, readPem } from '../../../../kernel/security/host-key.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import { hostNameOf } from '../../graph/peer/peer.rules.js';
import { parseAddress } from '../../graph/address/mask.rules.js';
import {
  decodeCertificate,
  fingerprintOf,
  signCertificate,
  type CertificateDetails,
} from '../certificate/certificate.rules.js';
import { makeAuthority, sealPurpose, type Authority } from './new-authority.actions.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Certificates start in the past, because clocks of peers may be slow. */
const HOST_BACKDATE_MS = HOUR_MS;
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
  readonly lifeMs?: number;
}

export interface IssuedCertificate {
  readonly certificate: Buffer;
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** The authority's fingerprint. */
  readonly issuer: string;
}

/**
 * Signs a certificate for the owner by the tenant's authority, which is made at first use under the tenant's row: callers
 * that lock a peer or a key lock the tenant before. Each certificate is another one, also of the same second; those with other subnets are revoked, so that nobody keeps a tunnel in which packets of the new
 * subnets are refused.
 */
export async function issueCertificate(
  transaction: Transaction,
  sealer: SecretBox,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const { tenant, peer, now, lifeMs = HOST_TTL_MS } = request;
  const notAfter = new Date(now.getTime() + lifeMs);
  const authority = await authorityOf(transaction, sealer, { tenant, now, notAfter });
  const key = readPem('authorityKey', sealer.open(authority.sealedKey, sealPurpose(tenant.id)));
  if (!key) throw new Error('the sealed text contains no authority key');
  const { notBefore: earliest } = decodeCertificate(authority.certificate);
  const issuer = fingerprintOf(authority.certificate);
  await forgetEnded(transaction, tenant.id, now);
  await revokeOthers(transaction, request);
  for (let start = now.getTime() - HOST_BACKDATE_MS; ; start += 1000) {
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
    const recorded = await transaction.execute(
      `INSERT INTO network.issued_certificate (fingerprint, tenant_id, peer_id, subnets, not_after)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING fingerprint`,
      [fingerprint, tenant.id, peer.id, peer.subnets, notAfter],
    );
    if (recorded.length > 0) return { certificate, fingerprint, notAfter, issuer };
  }
}

const TRUSTED_AUTHORITIES = {
  name: 'trusted-authorities',
  text: `SELECT certificate FROM network.authority
          WHERE tenant_id = $1 AND least(not_after, retires_at) > $2 ORDER BY generation`,
};

/** The certificates of all trusted authorities of a tenant, concatenated PEM blocks; empty before the first authority. */
export async function trustedAuthorities(database: Database, tenantId: number, now: Date): Promise<string> {
  const authorities = await database.rows<{ certificate: Buffer }>(TRUSTED_AUTHORITIES, [tenantId, now]);
  return authorities.map(({ certificate }) => pemOf('certificate', certificate)).join('');
}

const REVOKED = {
  name: 'revoked-certificates',
  text: 'SELECT fingerprint FROM network.revoked_certificate WHERE tenant_id = $1 AND not_after > $2 ORDER BY fingerprint',
};

/** Fingerprints of the tenant's revoked, unexpired certificates, sorted. */
export async function revokedCertificates(database: Database, tenantId: number, now: Date): Promise<string[]> {
  const revoked = await database.rows<{ fingerprint: string }>(REVOKED, [tenantId, now]);
  return revoked.map(({ fingerprint }) => fingerprint);
}

const SIGNER = {
  name: 'signing-authority',
  text: `SELECT fingerprint FROM network.authority
          WHERE tenant_id = $1 AND least(not_after, retires_at) > $2 AND coalesce(signs_from, not_before) <= $2
          ORDER BY generation DESC LIMIT 1`,
};

/** Fingerprint of the tenant's signing authority; undefined before the first authority. */
export async function signingAuthority(
  reader: Pick<Database, 'rows'> | Transaction,
  tenantId: number,
  now: Date,
): Promise<string | undefined> {
  const values = [tenantId, now];
  const [signer] =
    'execute' in reader
      ? await reader.execute<{ fingerprint: string }>(SIGNER.text, values)
      : await reader.rows<{ fingerprint: string }>(SIGNER, values);
  return signer?.fingerprint;
}

interface Signing {
  readonly tenant: CertificateRequest['tenant'];
  readonly now: Date;
  /** When the signed certificate expires. */
  readonly notAfter: Date;
}

/** Returns the newest signing authority that expires after the certificate; creates one if there is none. */
async function authorityOf(transaction: Transaction, sealer: SecretBox, signing: Signing): Promise<Authority> {
  const existing = await newestAuthority(transaction, signing);
  if (existing) return existing;
  // Whoever is first makes it while the others wait: changes of the tenant take turns by the same row.
  const { tenant, now } = signing;
  await transaction.execute('SELECT id FROM network.tenant WHERE id = $1 FOR NO KEY UPDATE', [tenant.id]);
  return (await newestAuthority(transaction, signing)) ?? makeAuthority(transaction, sealer, { tenant, now });
}

async function newestAuthority(
  transaction: Transaction,
  { tenant, now, notAfter }: Signing,
): Promise<Authority | undefined> {
  const [authority] = await transaction.execute<Authority>(
    `SELECT certificate, sealed_key AS "sealedKey" FROM network.authority
      WHERE tenant_id = $1 AND not_after > $2 AND coalesce(retires_at, not_after) > $3
        AND coalesce(signs_from, not_before) <= $3
      ORDER BY generation DESC LIMIT 1`,
    [tenant.id, notAfter, now],
  );
  return authority;
}

/** Expired certificates are refused anyway, so they leave both lists. */
async function forgetEnded(transaction: Transaction, tenantId: number, now: Date): Promise<void> {
  await transaction.execute('DELETE FROM network.issued_certificate WHERE tenant_id = $1 AND not_after <= $2', [
    tenantId,
    now,
  ]);
  await transaction.execute('DELETE FROM network.revoked_certificate WHERE tenant_id = $1 AND not_after <= $2', [
    tenantId,
    now,
  ]);
}

async function revokeOthers(transaction: Transaction, { tenant, peer, now }: CertificateRequest): Promise<void> {
  await transaction.execute(
    `INSERT INTO network.revoked_certificate (fingerprint, tenant_id, not_after, revoked_at)
     SELECT fingerprint, tenant_id, not_after, $4 FROM network.issued_certificate
      WHERE tenant_id = $1 AND peer_id IS NOT DISTINCT FROM $2 AND subnets <> $3 ON CONFLICT DO NOTHING`,
    [tenant.id, peer.id, peer.subnets, now],
  );
}
