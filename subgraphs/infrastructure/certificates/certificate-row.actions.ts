import { sql } from 'kysely';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Database } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import { rateLimited } from '../../../kernel/errors.js';
import { pemOf } from '../../../kernel/security/host-key.js';
import type { Tables } from '../entities.js';
import type { InfrastructureContext } from '../services.js';
import { sealPurpose } from './certificate.rules.js';
import type { OverlayCertificateRow } from './rows.js';

/** The columns that the steps of a certificate need. The certificate itself is stored by network. */
export const CERTIFICATE_COLUMNS = [
  'id',
  'reference',
  'userId',
  'state',
  'publicKey',
  'sealedKey',
  'keyNumber',
  'requestedKey',
  'createdAt',
] as const;

export type CertificateRow = Pick<OverlayCertificateRow, (typeof CERTIFICATE_COLUMNS)[number]>;

const CERTIFICATE_OF_USER = query('overlay-certificate-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('overlayCertificate')
    .select(CERTIFICATE_COLUMNS)
    .where('userId', '=', value.userId)
    .where('state', 'in', ['pending', 'active']),
);

/** The user's pending or active certificate. */
export async function certificateOfUser(database: Database, userId: number): Promise<CertificateRow | undefined> {
  const [row] = await database.run(CERTIFICATE_OF_USER, { userId });
  return row;
}

const DAY_MS = 24 * 3_600_000;

/** New certificates per user and day. A revoked certificate stays on every revocation list until it would have expired. */
const MAX_A_DAY = 24;

const ADD = query(
  'add-overlay-certificate',
  (db: Tables, value: Omit<CertificateRow, 'id' | 'state' | 'keyNumber' | 'requestedKey'> & { isOwnKey: boolean }) => {
    const { reference, userId, publicKey, sealedKey, isOwnKey, createdAt } = value;
    return db
      .insertInto('overlayCertificate')
      .values({ reference, userId, state: 'pending', publicKey, sealedKey, isOwnKey, createdAt })
      .onConflict((on) => on.column('userId').where('state', 'in', ['pending', 'active']).doNothing());
  },
);

const COUNT_SINCE = query('overlay-certificates-since', (db: Tables, value: { userId: number; since: Date }) =>
  db
    .selectFrom('overlayCertificate')
    .select(sql<number>`count(*)::integer`.as('lately'))
    .where('userId', '=', value.userId)
    .where('createdAt', '>', value.since),
);

/**
 * Returns the user's certificate row; inserts it if there is none. An existing row may have another key: the caller checks.
 * Undefined if the existing row was revoked meanwhile. @throws RATE_LIMITED
 */
export async function openCertificate(
  { database, services, now }: InfrastructureContext,
  userId: number,
  publicKey: Buffer | undefined,
): Promise<CertificateRow | undefined> {
  const existing = await certificateOfUser(database, userId);
  if (existing) return existing;
  const [reference, createdAt] = [randomUUID(), now()];
  const { publicKey: usedKey, privateKey } = publicKey ? { publicKey, privateKey: null } : newPair();
  const sealedKey = privateKey && services.secretBox.seal(pemOf('hostKey', privateKey), sealPurpose(reference));
  const isOwnKey = sealedKey === null;
  return database.change(async (transaction) => {
    await transaction.run(ADD, { reference, userId, publicKey: usedKey, sealedKey, isOwnKey, createdAt });
    const [{ lately } = { lately: 0 }] = await transaction.run(COUNT_SINCE, {
      userId,
      since: new Date(createdAt.getTime() - DAY_MS),
    });
    if (lately > MAX_A_DAY)
      throw rateLimited(`At most ${MAX_A_DAY} certificates a day; renew your current certificate instead.`, {
        retryAfter: 3_600,
      });
    const [row] = await transaction.run(CERTIFICATE_OF_USER, { userId });
    return row;
  });
}

function newPair(): { readonly publicKey: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  };
}
