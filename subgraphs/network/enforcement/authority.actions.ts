import { generateKeyPairSync } from 'node:crypto';
import type { Database, Transaction } from '../../../kernel/database.js';
import type { Sealer } from '../../../kernel/sealed.js';
import { parseAddress } from './mask.rules.js';
import { decodeCertificate, fingerprintOf, signCertificate, type CertificateDetails } from './certificate.rules.js';
import { pemOf, readPem } from './key.rules.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An authority is valid from before it was made, a host's certificate too: clocks of peers may be behind. */
const AUTHORITY_BACKDATE_MS = DAY_MS;
const AUTHORITY_LIFE_MS = 3_652 * DAY_MS;
const HOST_BACKDATE_MS = HOUR_MS;
/** How long a host's certificate lives. */
const HOST_LIFE_MS = 7 * DAY_MS;

/** Whom a certificate is for. */
export interface CertificateOwner {
  /** The peer; null: the platform's own lighthouse. */
  readonly id: number | null;
  readonly label: string;
  /** Its address alone, within the tenant's range. */
  readonly ip: string;
  /** x25519, 32 bytes. */
  readonly publicKey: Buffer;
  /** CIDRs it carries packets of, as a router. */
  readonly subnets: readonly string[];
}

export interface CertificateRequest {
  readonly tenant: { readonly id: number; readonly addressRange: string };
  readonly peer: CertificateOwner;
  readonly now: Date;
}

export interface IssuedCertificate {
  readonly certificate: Buffer;
  readonly fingerprint: string;
  readonly notAfter: Date;
}

interface Authority {
  readonly certificate: Buffer;
  readonly sealedKey: string;
}

/**
 * Signs a certificate for the owner by the tenant's authority, which is made at first use under the tenant's row: callers
 * that lock a peer or a key lock the tenant before. Each certificate is another one, also of the same second; those with other subnets are revoked, so that nobody keeps a tunnel in which packets of the new
 * subnets are refused.
 */
export async function issueCertificate(
  transaction: Transaction,
  sealer: Sealer,
  request: CertificateRequest,
): Promise<IssuedCertificate> {
  const { tenant, peer, now } = request;
  const authority = await authorityOf(transaction, sealer, tenant, now);
  const key = readPem('authorityKey', sealer.open(authority.sealedKey, purposeOf(tenant.id)));
  if (!key) throw new Error('a sealed text holds no authority’s key');
  const { notBefore: earliest } = decodeCertificate(authority.certificate);
  const notAfter = new Date(now.getTime() + HOST_LIFE_MS);
  await forgetEnded(transaction, tenant.id, now);
  await revokeOthers(transaction, request);
  for (let start = now.getTime() - HOST_BACKDATE_MS; ; start += 1000) {
    const details: CertificateDetails = {
      name: peer.label,
      ips: [`${peer.ip}/${parseAddress(tenant.addressRange).prefix}`],
      subnets: peer.subnets,
      groups: [],
      notBefore: new Date(Math.max(start, earliest.getTime())),
      notAfter,
      publicKey: peer.publicKey,
      isAuthority: false,
      issuer: fingerprintOf(authority.certificate),
    };
    const certificate = signCertificate(details, key);
    const fingerprint = fingerprintOf(certificate);
    const recorded = await transaction.execute(
      `INSERT INTO network.issued_certificate (fingerprint, tenant_id, peer_id, subnets, not_after)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING fingerprint`,
      [fingerprint, tenant.id, peer.id, peer.subnets, notAfter],
    );
    if (recorded.length > 0) return { certificate, fingerprint, notAfter };
  }
}

const TRUSTED_AUTHORITIES = {
  name: 'trusted-authorities',
  text: 'SELECT certificate FROM network.authority WHERE tenant_id = $1 AND not_after > $2 ORDER BY generation',
};

/** Certificates of the authorities the tenant's peers trust, as PEM blocks one after the other; empty before the first was made. */
export async function trustedAuthorities(database: Database, tenantId: number, now: Date): Promise<string> {
  const authorities = await database.rows<{ certificate: Buffer }>(TRUSTED_AUTHORITIES, [tenantId, now]);
  return authorities.map(({ certificate }) => pemOf('certificate', certificate)).join('');
}

const REVOKED = {
  name: 'revoked-certificates',
  text: 'SELECT fingerprint FROM network.revoked_certificate WHERE tenant_id = $1 AND not_after > $2 ORDER BY fingerprint',
};

/** Fingerprints that the tenant's peers refuse, in a steady order: those of revoked certificates that have not ended. */
export async function revokedCertificates(database: Database, tenantId: number, now: Date): Promise<string[]> {
  const revoked = await database.rows<{ fingerprint: string }>(REVOKED, [tenantId, now]);
  return revoked.map(({ fingerprint }) => fingerprint);
}

function purposeOf(tenantId: number): string {
  return `network-authority:${tenantId}`;
}

type TenantOfAuthority = CertificateRequest['tenant'];

/** The newest authority that outlives what it signs now; without one the next is made, once. */
async function authorityOf(
  transaction: Transaction,
  sealer: Sealer,
  tenant: TenantOfAuthority,
  now: Date,
): Promise<Authority> {
  const existing = await newestAuthority(transaction, tenant.id, now);
  if (existing) return existing;
  // Whoever is first makes it while the others wait: changes of the tenant take turns by the same row.
  await transaction.execute('SELECT id FROM network.tenant WHERE id = $1 FOR NO KEY UPDATE', [tenant.id]);
  return (await newestAuthority(transaction, tenant.id, now)) ?? makeAuthority(transaction, sealer, tenant, now);
}

async function newestAuthority(transaction: Transaction, tenantId: number, now: Date): Promise<Authority | undefined> {
  const [authority] = await transaction.execute<Authority>(
    `SELECT certificate, sealed_key AS "sealedKey" FROM network.authority
      WHERE tenant_id = $1 AND not_after > $2 ORDER BY generation DESC LIMIT 1`,
    [tenantId, new Date(now.getTime() + HOST_LIFE_MS)],
  );
  return authority;
}

async function makeAuthority(
  transaction: Transaction,
  sealer: Sealer,
  tenant: TenantOfAuthority,
  now: Date,
): Promise<Authority> {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const key = Buffer.concat([seed, publicKey]);
  const notBefore = new Date(now.getTime() - AUTHORITY_BACKDATE_MS);
  const notAfter = new Date(now.getTime() + AUTHORITY_LIFE_MS);
  const details: CertificateDetails = {
    name: `archipelago-${tenant.id}`,
    ips: [tenant.addressRange],
    subnets: [],
    groups: [],
    notBefore,
    notAfter,
    publicKey,
    isAuthority: true,
    issuer: '',
  };
  const certificate = signCertificate(details, key);
  const sealedKey = sealer.seal(pemOf('authorityKey', key), purposeOf(tenant.id));
  await transaction.execute(
    `INSERT INTO network.authority (tenant_id, generation, certificate, fingerprint, sealed_key, not_before, not_after, created_at)
     SELECT $1, coalesce(max(generation), 0) + 1, $2, $3, $4, $5, $6, $7 FROM network.authority WHERE tenant_id = $1`,
    [tenant.id, certificate, fingerprintOf(certificate), sealedKey, notBefore, notAfter, now],
  );
  return { certificate, sealedKey };
}

/** What has ended by itself is refused without being named. */
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
