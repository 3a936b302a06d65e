import { sql } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { conflict, errorCode } from '../../../kernel/errors.js';
import type { Tables } from '../entities.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../services.js';
import { KEY_FILE, labelOf } from './certificate.rules.js';
import { callNetwork, CERTIFY_HOLDER, HOLDER_CERTIFICATES, isRefusal } from './network.js';
import { CERTIFICATE_COLUMNS, type CertificateRow } from './row.actions.js';

/** Context of a step, in a request or a job. */
export type StepContext = InfrastructureRuntime & Pick<InfrastructureContext, 'requestId'>;

const CONFIRM = query(
  'confirm-overlay-certificate',
  (db: Tables, value: { id: number; ip: string; expiresAt: Date; keyNumber: number }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({
        state: 'active',
        ip: value.ip,
        expiresAt: value.expiresAt,
        keyNumber: value.keyNumber,
        wantedKey: null,
        publicKey: row.fn.coalesce('wantedKey', 'publicKey'),
        sealedKey: sql<string | null>`CASE WHEN wanted_key IS NULL THEN sealed_key END`,
        isOwnKey: sql<boolean>`is_own_key OR wanted_key IS NOT NULL`,
      }))
      .where('id', '=', value.id)
      .where('state', 'in', ['pending', 'active'])
      .where(sql<number>`key_number + (wanted_key IS NOT NULL)::integer`, '=', value.keyNumber)
      .returning(CERTIFICATE_COLUMNS),
);
const GIVE_UP = query('give-up-overlay-certificate', (db: Tables, value: { id: number }) =>
  db.deleteFrom('overlayCertificate').where((row) => row.and({ id: value.id, state: 'pending' })),
);
/** Consumes the key number, so that network ignores a late repetition of the refused request. */
const DROP_DESIRED_KEY = query(
  'drop-desired-key',
  (db: Tables, value: { id: number; wantedKey: Buffer; keyNumber: number }) =>
    db
      .updateTable('overlayCertificate')
      .set((row) => ({ wantedKey: null, keyNumber: row('keyNumber', '+', 1) }))
      .where((row) => row.and({ id: value.id, wantedKey: value.wantedKey, keyNumber: value.keyNumber })),
);
const READ = query('overlay-certificate', (db: Tables, value: { id: number }) =>
  db.selectFrom('overlayCertificate').select(CERTIFICATE_COLUMNS).where('id', '=', value.id),
);

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
  await callNetwork(context, CERTIFY_HOLDER, request).catch(async (error: unknown) => {
    if (isRefusal(error)) await dropStep(context.database, row);
    throw error;
  });
  const [issued] = await callNetwork(context, HOLDER_CERTIFICATES, { userId, reference, keyFile: KEY_FILE });
  if (!issued) {
    await markLost(context, id);
    throw conflict('The peer of this certificate was removed from the network; request a new certificate.');
  }
  return context.database.change(async (transaction) => {
    const [confirmed] = await transaction.run(CONFIRM, {
      id,
      ip: issued.ip,
      expiresAt: new Date(issued.expiresAt),
      keyNumber,
    });
    // Already confirmed, possibly with a later step, by a concurrent call.
    const [current] = confirmed ? [confirmed] : await transaction.run(READ, { id });
    if (!current) throw conflict('The certificate request was cancelled; request it again.');
    return current;
  });
}

async function dropStep(database: Database, { id, wantedKey, keyNumber }: CertificateRow): Promise<void> {
  await database.change<unknown>((transaction) =>
    wantedKey === null
      ? transaction.run(GIVE_UP, { id })
      : transaction.run(DROP_DESIRED_KEY, { id, wantedKey, keyNumber }),
  );
}

const STORE_DESIRED_KEY = query('want-key', (db: Tables, value: { id: number; publicKey: Buffer; keyNumber: number }) =>
  db
    .updateTable('overlayCertificate')
    .set({ wantedKey: value.publicKey })
    .where((row) => row.and({ id: value.id, state: 'active', keyNumber: value.keyNumber }))
    .where(sql<Buffer>`coalesce(wanted_key, ${value.publicKey})`, '=', value.publicKey)
    .returning('id'),
);

/** Records a new key for the certificate. @throws CONFLICT while another key replacement is in progress */
export async function requestKey(
  { database }: StepContext,
  { id, keyNumber }: CertificateRow,
  publicKey: Buffer,
): Promise<true> {
  const stored = await database.change((transaction) =>
    transaction.run(STORE_DESIRED_KEY, { id, publicKey, keyNumber }),
  );
  if (stored.length === 0) throw conflict('The key of this certificate is being replaced; try again.');
  return true;
}

const IS_REVOKED = query('overlay-certificate-is-revoked', (db: Tables, value: { id: number }) =>
  db.selectFrom('overlayCertificate').where('id', '=', value.id).where('state', 'in', ['revoking', 'revoked']),
);

/** Result of the work; undefined when it failed with CONFLICT because the certificate was revoked meanwhile. */
export async function unlessRevoked<Answer>(
  { database }: Pick<StepContext, 'database'>,
  { id }: CertificateRow,
  work: Promise<Answer>,
): Promise<Answer | undefined> {
  return work.catch(async (error: unknown) => {
    if (errorCode(error) === 'CONFLICT' && (await database.run(IS_REVOKED, { id })).length > 0) return undefined;
    throw error;
  });
}

const LOSE = query('lose-overlay-certificate', (db: Tables, value: { id: number; now: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set({ state: 'revoked', revokedAt: value.now, sealedKey: null, wantedKey: null })
    .where('id', '=', value.id)
    .where('state', 'in', ['pending', 'active']),
);

/** Records that a certificate is gone because its owner deleted the peer. */
export async function markLost({ database, now }: StepContext, id: number): Promise<void> {
  await database.change((transaction) => transaction.run(LOSE, { id, now: now() }));
}

const STORE_TERM = query('overlay-certificate-term', (db: Tables, value: { reference: string; expiresAt: Date }) =>
  db
    .updateTable('overlayCertificate')
    .set({ expiresAt: value.expiresAt })
    .where('reference', '=', value.reference)
    .where('expiresAt', '<>', value.expiresAt),
);

/** Records when a certificate expires. */
export async function storeTerm(
  database: Database,
  { reference, expiresAt }: { readonly reference: string; readonly expiresAt: Date },
): Promise<void> {
  await database.run(STORE_TERM, { reference, expiresAt });
}
