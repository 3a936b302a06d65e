import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { conflict, errorCode } from '../../../kernel/errors.js';
import type { Tables } from '../entities.js';
import type { OwnedRow } from '../owned-row.rules.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import { KEY_FILE, labelOf } from './certificate.rules.js';
import { callNetwork, CERTIFY_HOLDER, HOLDER_CERTIFICATES, isRefusal } from './network.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './certificate-row.actions.js';

/** Context of a step, in a request or a job. */
export type StepContext = InfrastructureRuntime & Pick<InfrastructureContext, 'requestId'>;

const CONFIRM = query(
  'confirm-overlay-certificate',
  (db: Tables, value: OwnedRow & { ip: string; expiresAt: Date; keyNumber: number }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({
        state: 'active',
        ip: value.ip,
        expiresAt: value.expiresAt,
        keyNumber: value.keyNumber,
        requestedKey: null,
        publicKey: row.fn.coalesce('requestedKey', 'publicKey'),
        sealedKey: sql<string | null>`CASE WHEN requested_key IS NULL THEN sealed_key END`,
        isOwnKey: sql<boolean>`is_own_key OR requested_key IS NOT NULL`,
      }))
      .where('userId', '=', value.userId)
      .where('id', '=', value.id)
      .where('state', 'in', ['pending', 'active'])
      .where(sql<number>`key_number + (requested_key IS NOT NULL)::integer`, '=', value.keyNumber)
      .returning(CERTIFICATE_COLUMNS),
);
const GIVE_UP = query('give-up-overlay-certificate', (db: Tables, { userId, id }: OwnedRow) =>
  db.deleteFrom('overlayCertificate').where((row) => row.and({ userId, id, state: 'pending' })),
);
/** Consumes the key number, so that network ignores a late repetition of the refused request. */
const DROP_REQUESTED_KEY = query(
  'drop-desired-key',
  (db: Tables, { userId, id, requestedKey, keyNumber }: OwnedRow & { requestedKey: Buffer; keyNumber: number }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({ requestedKey: null, keyNumber: row('keyNumber', '+', 1) }))
      .where((row) => row.and({ userId, id, requestedKey, keyNumber })),
);
const READ = query('overlay-certificate', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .selectFrom('overlayCertificate')
    .select(CERTIFICATE_COLUMNS)
    .where((row) => row.and({ userId, id })),
);

/**
 * Completes a stored but unconfirmed step: a first certificate, or one for a new key. Safe to run concurrently, because
 * network identifies the step by reference and key number.
 * @throws CONFLICT and RATE_LIMITED when network refuses it, which removes the step, UNAVAILABLE
 */
export async function settleCertificate(context: StepContext, row: CertificateRow): Promise<CertificateRow> {
  const { id, userId, reference, state, requestedKey } = row;
  if (state !== 'pending' && requestedKey === null) return row;
  const keyNumber = row.keyNumber + (requestedKey === null ? 0 : 1);
  const publicKey = (requestedKey ?? row.publicKey).toString('hex');
  const request = { userId, reference, label: labelOf(id), publicKey, keyNumber, renews: false };
  await callNetwork(context, CERTIFY_HOLDER, request).catch(async (error: unknown) => {
    if (isRefusal(error)) await dropStep(context.database, row);
    throw error;
  });
  const [issued] = await callNetwork(context, HOLDER_CERTIFICATES, { userId, reference, keyFile: KEY_FILE });
  if (!issued) {
    await markLost(context, row);
    throw conflict('The peer of this certificate was removed from the network; request a new certificate.');
  }
  return context.database.change(async (transaction) => {
    const [confirmed] = await transaction.run(CONFIRM, {
      userId,
      id,
      ip: issued.ip,
      expiresAt: new Date(issued.expiresAt),
      keyNumber,
    });
    // Already confirmed, possibly with a later step, by a concurrent call.
    const [current] = confirmed ? [confirmed] : await transaction.run(READ, { userId, id });
    if (!current) throw conflict('The certificate request was cancelled; request it again.');
    return current;
  });
}

async function dropStep(database: Database, { userId, id, requestedKey, keyNumber }: CertificateRow): Promise<void> {
  await database.change<unknown>((transaction) =>
    requestedKey === null
      ? transaction.run(GIVE_UP, { userId, id })
      : transaction.run(DROP_REQUESTED_KEY, { userId, id, requestedKey, keyNumber }),
  );
}

const STORE_REQUESTED_KEY = query(
  'request-key-change',
  (db: Tables, { userId, id, publicKey, keyNumber }: OwnedRow & { publicKey: Buffer; keyNumber: number }) =>
    db
      .updateTable('overlayCertificate')
      .set({ requestedKey: publicKey })
      .where((row) => row.and({ userId, id, state: 'active', keyNumber }))
      .where(sql<Buffer>`coalesce(requested_key, ${publicKey})`, '=', publicKey)
      .returning('id'),
);

/** Records a new key for the certificate. @throws CONFLICT while another key replacement is in progress */
export async function requestKey(
  { database }: StepContext,
  { userId, id, keyNumber }: CertificateRow,
  publicKey: Buffer,
): Promise<true> {
  const stored = await database.change((transaction) =>
    transaction.run(STORE_REQUESTED_KEY, { userId, id, publicKey, keyNumber }),
  );
  if (stored.length === 0) throw conflict('The key of this certificate is being replaced; try again.');
  return true;
}

const IS_REVOKED = query('overlay-certificate-is-revoked', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .selectFrom('overlayCertificate')
    .where((row) => row.and({ userId, id }))
    .where('state', 'in', ['revoking', 'revoked']),
);

/** Result of the work; undefined when it failed with CONFLICT because the certificate was revoked meanwhile. */
export async function unlessRevoked<Answer>(
  { database }: Pick<StepContext, 'database'>,
  { userId, id }: CertificateRow,
  work: Promise<Answer>,
): Promise<Answer | undefined> {
  return work.catch(async (error: unknown) => {
    if (errorCode(error) === 'CONFLICT' && (await database.run(IS_REVOKED, { userId, id })).length > 0)
      return undefined;
    throw error;
  });
}

const LOSE = query('lose-overlay-certificate', (db: Tables, { userId, id, now }: OwnedRow & { now: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set({ state: 'revoked', revokedAt: now, sealedKey: null, requestedKey: null })
    .where((row) => row.and({ userId, id }))
    .where('state', 'in', ['pending', 'active']),
);

/** Records that a certificate is gone because its owner deleted the peer. */
export async function markLost({ database, now }: StepContext, { userId, id }: OwnedRow): Promise<void> {
  await database.change((transaction) => transaction.run(LOSE, { userId, id, now: now() }));
}

/** When a certificate of a user expires. */
type Term = Pick<CertificateRow, 'userId' | 'reference'> & { readonly expiresAt: Date };

const STORE_TERM = query('overlay-certificate-term', (db: Tables, { userId, reference, expiresAt }: Term) =>
  db
    .updateTable('overlayCertificate')
    .set({ expiresAt })
    .where((row) => row.and({ userId, reference }))
    .where('expiresAt', '<>', expiresAt)
    .returning('id'),
);

/** Records when a certificate expires. */
export async function storeTerm(database: Database, { userId, reference, expiresAt }: Term): Promise<void> {
  await database.run(STORE_TERM, { userId, reference, expiresAt });
}
