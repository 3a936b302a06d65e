import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { conflict, notFound, unavailable } from '../../../kernel/errors.js';
import type { Tables } from '../entities.js';
import type { InfrastructureContext } from '../services.js';
import { labelOf, KEY_FILE, sealPurpose, withKey } from './certificate.rules.js';
import type { OverlayCertificate, OverlayCertificateRecord } from './certificate.js';
import { callNetwork, CERTIFY_HOLDER, HOLDER_CERTIFICATES } from './network.js';
import { certificateOfUser, openCertificate, type CertificateRow } from './certificate-row.actions.js';
import { markLost, storeTerm, settleCertificate, unlessRevoked, requestKey } from './step.actions.js';

/** Maximum attempts when the certificate is revoked or its peer deleted meanwhile. */
const MAX_ATTEMPTS = 3;

/**
 * Returns the user's certificate; issues one if there is none and renews an expired one. Concurrent requests share one
 * certificate. @throws CONFLICT when the certificate has another key or no address is left, RATE_LIMITED, UNAVAILABLE
 */
export async function requestCertificate(
  context: InfrastructureContext,
  userId: number,
  publicKey: Buffer | undefined,
): Promise<OverlayCertificate> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await openSettled(context, userId, publicKey);
    if (row?.state !== 'active') continue;
    if (publicKey && !row.publicKey.equals(publicKey))
      throw conflict('Your certificate has another key: renew it with this key, or revoke it first.');
    const shown = await showCertificate(context, row);
    const isOver = shown?.isActive === false;
    if (isOver) await unlessRevoked(context, row, issueAgain(context, row));
    const current = isOver ? await showCertificate(context, row) : shown;
    if (current) return current;
  }
  throw unavailable('The certificate was removed from the network repeatedly; try again later.', {
    retryAfter: 1,
  });
}

/** The user's certificate row; undefined when it was revoked meanwhile. @throws RATE_LIMITED */
async function openSettled(
  context: InfrastructureContext,
  userId: number,
  publicKey: Buffer | undefined,
): Promise<CertificateRow | undefined> {
  const opened = await openCertificate(context, userId, publicKey);
  return opened && unlessRevoked(context, opened, settleCertificate(context, opened));
}

/**
 * Issues a new certificate with the same id and address. A new public key revokes certificates for the previous one.
 * @throws NOT_FOUND, CONFLICT for a key of another peer, RATE_LIMITED, UNAVAILABLE
 */
export async function renewCertificate(
  context: InfrastructureContext,
  userId: number,
  publicKey: Buffer | undefined,
): Promise<OverlayCertificate> {
  const settled = await settledCertificate(context, userId);
  const isOther = publicKey !== undefined && !settled.publicKey.equals(publicKey);
  const step = isOther ? requestKey(context, settled, publicKey) : issueAgain(context, settled);
  if (!(await unlessRevoked(context, settled, step))) throw noCertificate();
  const row = isOther ? await settledCertificate(context, userId) : settled;
  const shown = await showCertificate(context, row);
  if (!shown) throw noCertificate();
  return shown;
}

/** The user's certificate. @throws NOT_FOUND when there is none or it has expired, UNAVAILABLE */
export async function readCertificate(context: InfrastructureContext, userId: number): Promise<OverlayCertificate> {
  const row = await settledCertificate(context, userId);
  const shown = await showCertificate(context, row);
  if (!shown) throw noCertificate();
  if (!shown.isActive) throw notFound(`Your certificate expired at ${shown.expiresAt.toISOString()}: renew it.`);
  return shown;
}

/** @throws NOT_FOUND when there is none or it was revoked meanwhile */
async function settledCertificate(context: InfrastructureContext, userId: number): Promise<CertificateRow> {
  const own = await certificateOfUser(context.database, userId);
  if (own?.state !== 'active') throw noCertificate();
  const settled = await unlessRevoked(context, own, settleCertificate(context, own));
  if (settled?.state !== 'active') throw noCertificate();
  return settled;
}

function noCertificate(): Error {
  return notFound('You have no active certificate: request one.');
}

/** Renews the certificate. Does nothing when it is gone; the next read detects that. */
async function issueAgain(context: InfrastructureContext, row: CertificateRow): Promise<true> {
  const { userId, reference, publicKey, keyNumber } = row;
  const request = { userId, reference, label: labelOf(row.id), publicKey: publicKey.toString('hex'), keyNumber };
  const isThere =
    (await callNetwork(context, HOLDER_CERTIFICATES, { userId, reference, keyFile: KEY_FILE })).length > 0;
  if (isThere) await callNetwork(context, CERTIFY_HOLDER, { ...request, renews: true });
  return true;
}

/** The certificate from network; undefined when it is gone there, which is recorded. */
async function showCertificate(
  context: InfrastructureContext,
  row: CertificateRow,
): Promise<OverlayCertificate | undefined> {
  const { id, userId, reference, sealedKey, createdAt } = row;
  const [issued] = await callNetwork(context, HOLDER_CERTIFICATES, { userId, reference, keyFile: KEY_FILE });
  if (!issued) {
    await markLost(context, row);
    return undefined;
  }
  const expiresAt = new Date(issued.expiresAt);
  await storeTerm(context.database, { userId, reference, expiresAt });
  const isOwn = sealedKey === null || issued.publicKey !== row.publicKey.toString('hex');
  const key = isOwn ? null : context.services.secretBox.open(sealedKey, sealPurpose(reference));
  return {
    certificateId: id,
    ca: issued.authorities,
    cert: issued.certificate,
    key,
    ip: issued.ip,
    config: withKey(issued.configuration, key),
    isActive: expiresAt > context.now(),
    expiresAt,
    createdAt,
  };
}

/** A request whose peer was deleted before it was complete is revoked and was never issued. */
const selectRecords = ({ userId, now }: { userId: number; now: Date }) => sql`
  SELECT id AS "certificateId", reference, CASE WHEN state = 'active' AND expires_at <= ${now} THEN 'expired' ELSE state END AS state, ip,
         is_own_key AS "isOwnKey", expires_at AS "expiresAt", created_at AS "createdAt", revoked_at AS "revokedAt"
    FROM infrastructure.overlay_certificate WHERE user_id = ${userId} AND state <> 'pending' AND expires_at IS NOT NULL`;

const RECORDS = query(
  'overlay-certificates-of-user',
  (_: Tables, value: { userId: number; now: Date }) =>
    sql<OverlayCertificateRecord>`${selectRecords(value)} ORDER BY id DESC LIMIT 200`,
);

const RECORDS_BY_REFERENCE = query(
  'overlay-certificates-by-reference',
  (_: Tables, value: { userId: number; now: Date; references: readonly string[] }) =>
    sql<OverlayCertificateRecord>`${selectRecords(value)} AND reference = ANY (${value.references}::uuid[])`,
);

/** The user's certificates with these references, in any order; certificates of other users are omitted. */
export function certificatesByReference(
  database: Database,
  keys: { readonly userId: number; readonly now: Date; readonly references: readonly string[] },
): Promise<OverlayCertificateRecord[]> {
  return database.run(RECORDS_BY_REFERENCE, keys);
}

/** The user's last 200 certificates, newest first. */
export function listCertificates(database: Database, userId: number, now: Date): Promise<OverlayCertificateRecord[]> {
  return database.run(RECORDS, { userId, now });
}
