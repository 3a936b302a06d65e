import type { Database } from '../../../kernel/database/database.js';
import { conflict, errorCode } from '../../../kernel/errors.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import { KEY_FILE, labelOf } from './certificate.rules.js';
import { askNetwork, CERTIFY_HOLDER, HOLDER_CERTIFICATES, isRefusal } from './network.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './row.actions.js';

/** What steps need; a job has no request of its own. */
export type StepContext = InfrastructureRuntime & Pick<InfrastructureContext, 'requestId'>;

const CONFIRM = `
  UPDATE infrastructure.overlay_certificate
     SET state = 'active', ip = $2, expires_at = $3, key_number = $4, wanted_key = NULL,
         public_key = coalesce(wanted_key, public_key),
         sealed_key = CASE WHEN wanted_key IS NULL THEN sealed_key END,
         is_own_key = is_own_key OR wanted_key IS NOT NULL
   WHERE id = $1 AND state IN ('pending', 'active') AND key_number + (wanted_key IS NOT NULL)::integer = $4
   RETURNING ${CERTIFICATE_COLUMNS}`;
const GIVE_UP = `DELETE FROM infrastructure.overlay_certificate WHERE id = $1 AND state = 'pending'`;
/** The number is used up: a repetition of what was refused comes too late for network. */
const FORGET_WANTED = `
  UPDATE infrastructure.overlay_certificate SET wanted_key = NULL, key_number = key_number + 1
   WHERE id = $1 AND wanted_key = $2 AND key_number = $3`;
const READ = `SELECT ${CERTIFICATE_COLUMNS} FROM infrastructure.overlay_certificate WHERE id = $1`;

/**
 * Takes the step that is written down but not confirmed, if there is one: a first certificate, or one for another key. Whoever
 * finds it does it, also twice at once: network knows it by its reference and the number of its key.
 * @throws CONFLICT and RATE_LIMITED where network refuses it, which forgets the step, UNAVAILABLE
 */
export async function settleCertificate(context: StepContext, row: CertificateRow): Promise<CertificateRow> {
  const { id, userId, reference, state, wantedKey } = row;
  if (state !== 'pending' && wantedKey === null) return row;
  const keyNumber = row.keyNumber + (wantedKey === null ? 0 : 1);
  const publicKey = (wantedKey ?? row.publicKey).toString('hex');
  const request = { userId, reference, label: labelOf(id), publicKey, keyNumber, renews: false };
  await askNetwork(context, CERTIFY_HOLDER, request).catch(async (error: unknown) => {
    if (isRefusal(error)) await forgetStep(context.database, row);
    throw error;
  });
  const [issued] = await askNetwork(context, HOLDER_CERTIFICATES, { userId, reference, keyFile: KEY_FILE });
  if (!issued) {
    await loseCertificate(context, id);
    throw conflict('The peer of this certificate was removed from the network; request a new certificate.');
  }
  return context.database.change(async (transaction) => {
    const values = [id, issued.ip, new Date(issued.expiresAt), keyNumber];
    const [confirmed] = await transaction.execute<CertificateRow>(CONFIRM, values);
    // Somebody else has confirmed it already, or more than it.
    const [current] = confirmed ? [confirmed] : await transaction.execute<CertificateRow>(READ, [id]);
    if (!current) throw conflict('The certificate request was cancelled; request it again.');
    return current;
  });
}

async function forgetStep(database: Database, { id, wantedKey, keyNumber }: CertificateRow): Promise<void> {
  await database.change((transaction) =>
    wantedKey === null
      ? transaction.execute(GIVE_UP, [id])
      : transaction.execute(FORGET_WANTED, [id, wantedKey, keyNumber]),
  );
}

const WANT = `
  UPDATE infrastructure.overlay_certificate SET wanted_key = $2
   WHERE id = $1 AND state = 'active' AND key_number = $3 AND coalesce(wanted_key, $2) = $2 RETURNING id`;

/** Writes down that a certificate is to be for another key. @throws CONFLICT while another one is taking its place */
export async function wantKey(
  { database }: StepContext,
  { id, keyNumber }: CertificateRow,
  publicKey: Buffer,
): Promise<true> {
  const wanted = await database.change((transaction) => transaction.execute(WANT, [id, publicKey, keyNumber]));
  if (wanted.length === 0) throw conflict('The key of this certificate is being replaced; try again.');
  return true;
}

const IS_REVOKED = {
  name: 'overlay-certificate-is-revoked',
  text: `SELECT FROM infrastructure.overlay_certificate WHERE id = $1 AND state IN ('revoking', 'revoked')`,
};

/** What the work answers; undefined where it met a conflict because the certificate was revoked meanwhile. */
export async function unlessRevoked<Answer>(
  { database }: Pick<StepContext, 'database'>,
  { id }: CertificateRow,
  work: Promise<Answer>,
): Promise<Answer | undefined> {
  return work.catch(async (error: unknown) => {
    if (errorCode(error) === 'CONFLICT' && (await database.rows(IS_REVOKED, [id])).length > 0) return undefined;
    throw error;
  });
}

const LOSE = `
  UPDATE infrastructure.overlay_certificate SET state = 'revoked', revoked_at = $2, sealed_key = NULL, wanted_key = NULL
   WHERE id = $1 AND state IN ('pending', 'active')`;

/** Keeps that a certificate is gone: its owner has deleted its peer, and everyone refuses it. */
export async function loseCertificate({ database, now }: StepContext, id: number): Promise<void> {
  await database.change((transaction) => transaction.execute(LOSE, [id, now()]));
}

const NOTE_TERM = {
  name: 'overlay-certificate-term',
  text: `UPDATE infrastructure.overlay_certificate SET expires_at = $2 WHERE reference = $1 AND expires_at <> $2`,
};

/** Keeps when a certificate ends. */
export async function noteTerm(
  database: Database,
  { reference, expiresAt }: { readonly reference: string; readonly expiresAt: Date },
): Promise<void> {
  await database.rows(NOTE_TERM, [reference, expiresAt]);
}
