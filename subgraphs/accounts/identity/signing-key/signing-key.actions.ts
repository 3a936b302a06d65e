import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { randomUUID } from 'node:crypto';
import { hashToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { AccountsRuntime } from '../../services.js';
import type { Jwk, SigningKey } from './signing-key.js';

const ALGORITHM = 'EdDSA';

const DAY_MS = 86_400_000;

/** Days after which a key is rotated automatically. */
const KEY_TTL_DAYS = 30;

/** Seconds that a retired key stays published: longer than the lifetime of access tokens. */
const RETIRED_FOR_SECONDS = 3_600;

/** Signs tokens. */
export interface Signer {
  readonly kid: string;
  readonly key: CryptoKey;
}

interface KeptKey {
  readonly kid: string;
  readonly sealedPrivateKey: Buffer;
}

const ACTIVE = {
  name: 'signing-key-active',
  text: `SELECT kid, sealed_private_key AS "sealedPrivateKey" FROM accounts.signing_key
          WHERE sealed_by = $1 AND retired_at IS NULL`,
};

/** The active signing key; creates the first one, once for concurrent callers. */
export async function openSigner(database: Database, secret: string, now: Date): Promise<Signer> {
  const values = [hashToken(secret)];
  const [active] = await database.rows<KeptKey>(ACTIVE, values);
  if (!active) await database.change((transaction) => addKey(transaction, secret, now));
  const kept = active ?? (await database.rows<KeptKey>(ACTIVE, values))[0];
  if (!kept) throw new Error('the new signing key is not there');
  const jwk = JSON.parse(decrypt(keyOf(secret), kept.sealedPrivateKey)) as JWK;
  return { kid: kept.kid, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
}

/** Rotates the signing key; tokens of earlier keys stay valid until they expire. */
export function rotateSigningKey(database: Database, secret: string, now: Date): Promise<SigningKey> {
  return database.change((transaction) => replaceKeys(transaction, secret, now));
}

async function replaceKeys(transaction: Transaction, secret: string, now: Date): Promise<SigningKey> {
  await transaction.execute('UPDATE accounts.signing_key SET retired_at = $1 WHERE retired_at IS NULL', [now]);
  await transaction.execute(
    `DELETE FROM accounts.signing_key WHERE retired_at < $1::timestamptz - make_interval(secs => $2)`,
    [now, RETIRED_FOR_SECONDS],
  );
  await addKey(transaction, secret, now);
  const [key] = await transaction.execute<SigningKey>(
    'SELECT kid, created_at AS "createdAt" FROM accounts.signing_key WHERE sealed_by = $1 AND retired_at IS NULL',
    [hashToken(secret)],
  );
  if (!key) throw new Error('the new signing key is not there');
  return key;
}

/** The unique index on the active key lets one of several concurrent inserts succeed. */
async function addKey(transaction: Transaction, secret: string, now: Date): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { x } = await exportJWK(publicKey);
  const sealed = encrypt(keyOf(secret), JSON.stringify(await exportJWK(privateKey)));
  await transaction.execute(
    `INSERT INTO accounts.signing_key (kid, public_x, sealed_private_key, sealed_by, created_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [randomUUID(), x, sealed, hashToken(secret), now],
  );
}

const PUBLIC = {
  name: 'signing-key-public',
  text: `SELECT kid, public_x AS x FROM accounts.signing_key
          WHERE retired_at IS NULL OR retired_at > $1::timestamptz - make_interval(secs => $2)
          ORDER BY created_at DESC, kid`,
};

/** The public keys of all tokens that are still valid. */
export async function listPublicKeys(database: Database, now: Date): Promise<Jwk[]> {
  const keys = await database.rows<{ kid: string; x: string }>(PUBLIC, [now, RETIRED_FOR_SECONDS]);
  return keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: ALGORITHM }));
}

/** Rotates old keys; safe to run in several replicas. */
export const rotateOldKeys: JobDefinition<AccountsRuntime> = {
  name: 'rotate-signing-key',
  cron: '17 3 * * *',
  async work(_data, { database, services, now }) {
    const at = now();
    await database.change(async (transaction) => {
      const old = await transaction.execute<object>(
        'SELECT kid FROM accounts.signing_key WHERE retired_at IS NULL AND created_at <= $1 FOR UPDATE SKIP LOCKED',
        [new Date(at.getTime() - KEY_TTL_DAYS * DAY_MS)],
      );
      if (old.length > 0) await replaceKeys(transaction, services.signingSecret, at);
    });
  },
};
