import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { sql, type RawBuilder } from 'kysely';
import { randomUUID } from 'node:crypto';
import { hashToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import type { Jwk, SigningKey, SigningKeyRow } from './signing-key.js';

const ALGORITHM = 'EdDSA';

const DAY_MS = 86_400_000;

/** Days after which a key is rotated automatically. */
const KEY_TTL_DAYS = 30;

/** Seconds that a retired key stays published: longer than the lifetime of access tokens. */
const RETIRED_KEY_TTL_SECONDS = 3_600;

/** Signs tokens. */
export interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
}

const ACTIVE = query('signing-key-active', (db: Tables, value: { sealedBy: string }) =>
  db
    .selectFrom('signingKey')
    .select(['kid', 'createdAt', 'sealedPrivateKey'])
    .where('sealedBy', '=', value.sealedBy)
    .where('retiredAt', 'is', null),
);

/** The active signing key; creates the first one, once for concurrent callers. */
export async function openSigner(database: Database, secret: string, now: Date): Promise<Signer> {
  const values = { sealedBy: hashToken(secret) };
  const [active] = await database.run(ACTIVE, values);
  if (!active) await database.change((transaction) => addKey(transaction, secret, now));
  const kept = active ?? (await database.run(ACTIVE, values))[0];
  if (!kept) throw new Error('the new signing key is not there');
  const jwk = JSON.parse(decrypt(keyOf(secret), kept.sealedPrivateKey)) as JWK;
  return { kid: kept.kid, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
}

/** Rotates the signing key; tokens of earlier keys stay valid until they expire. */
export function rotateSigningKey(database: Database, secret: string, now: Date): Promise<SigningKey> {
  return database.change((transaction) => replaceKeys(transaction, secret, now));
}

const RETIRE = query('retire-signing-keys', (db: Tables, value: { now: Date }) =>
  db.updateTable('signingKey').set({ retiredAt: value.now }).where('retiredAt', 'is', null),
);

const DELETE_RETIRED = query('delete-retired-signing-keys', (db: Tables, value: { now: Date }) =>
  db.deleteFrom('signingKey').where('retiredAt', '<', publishedSince(value.now)),
);

/** Keys that were retired before this time are no longer published. */
function publishedSince(now: Date): RawBuilder<Date> {
  return sql`${now}::timestamptz - make_interval(secs => ${sql.lit(RETIRED_KEY_TTL_SECONDS)})`;
}

async function replaceKeys(transaction: Transaction, secret: string, now: Date): Promise<SigningKey> {
  await transaction.run(RETIRE, { now });
  await transaction.run(DELETE_RETIRED, { now });
  await addKey(transaction, secret, now);
  const [key] = await transaction.run(ACTIVE, { sealedBy: hashToken(secret) });
  if (!key) throw new Error('the new signing key is not there');
  return { kid: key.kid, createdAt: key.createdAt };
}

const INSERT = query(
  'insert-signing-key',
  (db: Tables, { kid, publicX, sealedPrivateKey, sealedBy, createdAt }: Omit<SigningKeyRow, 'retiredAt'>) =>
    db
      .insertInto('signingKey')
      .values({ kid, publicX, sealedPrivateKey, sealedBy, createdAt })
      .onConflict((on) => on.doNothing()),
);

/** The unique index on the active key lets one of several concurrent inserts succeed. */
async function addKey(transaction: Transaction, secret: string, now: Date): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { x } = await exportJWK(publicKey);
  if (x === undefined) throw new Error('the new signing key has no public key');
  await transaction.run(INSERT, {
    kid: randomUUID(),
    publicX: x,
    sealedPrivateKey: encrypt(keyOf(secret), JSON.stringify(await exportJWK(privateKey))),
    sealedBy: hashToken(secret),
    createdAt: now,
  });
}

const PUBLIC = query('signing-key-public', (db: Tables, value: { now: Date }) =>
  db
    .selectFrom('signingKey')
    .select(['kid', 'publicX as x'])
    .where((eb) => eb.or([eb('retiredAt', 'is', null), eb('retiredAt', '>', publishedSince(value.now))]))
    .orderBy('createdAt', 'desc')
    .orderBy('kid'),
);

/** The public keys of all tokens that are still valid. */
export async function listPublicKeys(database: Database, now: Date): Promise<Jwk[]> {
  const keys = await database.run(PUBLIC, { now });
  return keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: ALGORITHM }));
}

const LOCK_OLD = query('lock-old-signing-keys', (db: Tables, value: { before: Date }) =>
  db
    .selectFrom('signingKey')
    .select('kid')
    .where('retiredAt', 'is', null)
    .where('createdAt', '<=', value.before)
    .forUpdate()
    .skipLocked(),
);

/** Rotates old keys; safe to run in several replicas. */
export const rotateOldKeys: JobDefinition<AccountsRuntime> = {
  name: 'rotate-signing-key',
  cron: '17 3 * * *',
  async work(_data, { database, services, now }) {
    const at = now();
    await database.change(async (transaction) => {
      const old = await transaction.run(LOCK_OLD, { before: new Date(at.getTime() - KEY_TTL_DAYS * DAY_MS) });
      if (old.length > 0) await replaceKeys(transaction, services.signingSecret, at);
    });
  },
};
