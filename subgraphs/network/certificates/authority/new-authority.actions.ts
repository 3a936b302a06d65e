import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { pemOf } from '../../../../kernel/security/host-key.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { Tables } from '../../entities.js';
import { fingerprintOf, signCertificate, type CertificateDetails } from '../certificate/certificate.rules.js';
import type { AuthorityRow } from '../rows.js';

const DAY_MS = 24 * 3_600_000;

/** Authority certificates start in the past, because clocks of peers may be slow. */
const BACKDATE_MS = DAY_MS;
const TTL_MS = 3_652 * DAY_MS;

/** The certificate authority of a tenant. */
export interface Authority {
  readonly certificate: Buffer;
  readonly sealedKey: string;
}

interface NewAuthority {
  readonly tenant: { readonly id: number; readonly addressRange: string };
  readonly now: Date;
  /** Default: at once. It is trusted at once in any case. */
  readonly signsFrom?: Date;
}

/** The purpose that a tenant's authority key is sealed for. */
export function sealPurpose(tenantId: number): string {
  return `network-authority:${tenantId}`;
}

type AuthorityValues = Omit<AuthorityRow, 'id' | 'generation' | 'retiresAt' | 'publishedPhase'>;

const INSERT_AUTHORITY = query(
  'insert-authority',
  (_: Tables, value: AuthorityValues) => sql`
    INSERT INTO network.authority (tenant_id, generation, certificate, fingerprint, sealed_key, not_before, not_after,
                                   signs_from, published_phase, created_at)
    SELECT ${value.tenantId}, coalesce(max(generation), 0) + 1, ${value.certificate}, ${value.fingerprint},
           ${value.sealedKey}, ${value.notBefore}, ${value.notAfter}, ${value.signsFrom}::timestamptz,
           CASE WHEN ${value.signsFrom}::timestamptz > ${value.createdAt} THEN 'announced' ELSE 'in_use' END,
           ${value.createdAt}
      FROM network.authority WHERE tenant_id = ${value.tenantId}`,
);

/** Creates the tenant's next authority. Callers hold a lock on the tenant's row. */
export async function makeAuthority(
  transaction: Transaction,
  secretBox: SecretBox,
  { tenant, now, signsFrom }: NewAuthority,
): Promise<Authority> {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const key = Buffer.concat([seed, publicKey]);
  const details: CertificateDetails = {
    name: `archipelago-${tenant.id}`,
    ips: [tenant.addressRange],
    subnets: [],
    groups: [],
    notBefore: new Date(now.getTime() - BACKDATE_MS),
    notAfter: new Date(now.getTime() + TTL_MS),
    publicKey,
    isAuthority: true,
    issuer: '',
  };
  const certificate = signCertificate(details, key);
  const sealedKey = secretBox.seal(pemOf('authorityKey', key), sealPurpose(tenant.id));
  const { notBefore, notAfter } = details;
  const times = { notBefore, notAfter, signsFrom: signsFrom ?? null, createdAt: now };
  const fingerprint = fingerprintOf(certificate);
  await transaction.run(INSERT_AUTHORITY, { tenantId: tenant.id, certificate, fingerprint, sealedKey, ...times });
  return { certificate, sealedKey };
}
