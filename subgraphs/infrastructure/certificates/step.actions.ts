import type { Database } from '../../../kernel/database/database.js';
import { conflict, errorCode } from '../../../kernel/errors.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import { KEY_FILE, labelOf } from './certificate.rules.js';
import { askNetwork, CERTIFY_HOLDER, HOLDER_CERTIFICATES, isRefusal } from './network.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './row.actions.js';

/** Context of a step, in a request or a job. */
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
/** Consumes the key number, so that network ignores a late repetition of the refused request. */
const FORGET_WANTED = `
  UPDATE infrastructure.overlay_certificate SET wanted_key = NULL, key_number = key_number + 1
   WHERE id = $1 AND wanted_key = $2 AND key_number = $3`;
const READ = `SELECT ${CERTIFICATE_COLUMNS} FROM infrastructure.overlay_certificate WHERE id = $1`;

/**
 * Completes a stored but unconfirmed step: a first certificate, or one for a new key. Safe to run concurrently, because
 * network identifies the step by reference and key number.
 * @throws CONFLICT and RATE_LIMITED when network refuses it, which removes the step, UNAVAILABLE
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
    await markLost(context, id);
    throw conflict('The peer of this certificate was removed from the network; request a new certificate.');
  }
  return context.database.change(async (transaction) => {
    const values = [id, issued.ip, new Date(issued.expiresAt), keyNumber];
    const [confirmed] = await transaction.execute<CertificateRow>(CONFIRM, values);
    // Already confirmed, possibly with a later step, by a concurrent call.
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

/** Records a new key for the certificate. @throws CONFLICT while another key replacement is in progress */
export async function requestKey(
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

/** Result of the work; undefined when it failed with CONFLICT because the certificate was revoked meanwhile. */
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

/** Records that a certificate is gone because its owner deleted the peer. */
export async function markLost({ database, now }: StepContext, id: number): Promise<void> {
  await database.change((transaction) => transaction.execute(LOSE, [id, now()]));
}

const NOTE_TERM = {
  name: 'overlay-certificate-term',
  text: `UPDATE infrastructure.overlay_certificate SET expires_at = $2 WHERE reference = $1 AND expires_at <> $2`,
};

/** Records when a certificate expires. */
export async function storeTerm(
  database: Database,
  { reference, expiresAt }: { readonly reference: string; readonly expiresAt: Date },
): Promise<void> {
  await database.rows(NOTE_TERM, [reference, expiresAt]);
}
