import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importJWK, SignJWT, type JWTPayload } from 'jose';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { decrypt, keyOf } from '../../../kernel/security/encryption.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, type Json } from '../../kit/platform.js';
import { partOf } from '../../kit/accounts/session.js';
import { challengeFor, newWallet, personalSign, signIn } from '../../kit/accounts/wallet.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeAddress, randomAsU8a, sr25519PairFromSeed, sr25519Sign } from '@polkadot/util-crypto';

let platform: PlatformOnDatabase;
let sql: Client;
let userToken: string;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  userToken = (await signIn(undefined, platform.url)).token;
}, 120_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

const begin = async (): Promise<Json> =>
  (await call('GET /api/auth/token/', { token: userToken, url: platform.url })).body;
const refresh = (refresh_token: string) =>
  call('POST /api/auth/token/refresh/', { body: { refresh_token }, url: platform.url });
const statusWith = async (token: string): Promise<number> =>
  (await call('GET /api/billing/credits/balance/', { token, url: platform.url })).status;
const secretFile = (): string => join(platform.dataDir, 'data-key');

/** Moves the uses of all refresh tokens into the past. */
const age = (seconds: number) =>
  sql.query('UPDATE accounts.refresh_token SET used_at = used_at - make_interval(secs => $1)', [seconds]);

describe('a used refresh token', () => {
  it('has its successor told again just before the grace of 20 s ends', async () => {
    const { refresh_token } = await begin();
    const first = await refresh(refresh_token);
    await age(15);
    const again = await refresh(refresh_token);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
  });

  it('ends its session after the grace, the successor and the access tokens with it', async () => {
    const { refresh_token, access_token } = await begin();
    const { body } = await refresh(refresh_token);
    await age(20);
    const reused = await refresh(refresh_token);
    const after = [await statusWith(access_token), await statusWith(body.access_token)];
    expect([reused.status, (await refresh(body.refresh_token)).status, ...after]).toEqual([401, 401, 401, 401]);
  });

  it('ends the sessions that were begun from its own too', async () => {
    const { refresh_token, access_token } = await begin();
    const { body: child } = await call('GET /api/auth/token/', { token: access_token, url: platform.url });
    await refresh(refresh_token);
    await age(20);
    await refresh(refresh_token);
    expect([await statusWith(child.access_token), (await refresh(child.refresh_token)).status]).toEqual([401, 401]);
  });

  it('that has expired is refused with 401', async () => {
    const { refresh_token } = await begin();
    await sql.query("UPDATE accounts.refresh_token SET expires_at = now() - interval '1 second'");
    expect((await refresh(refresh_token)).status).toBe(401);
  });
});

/** The status of asking once for a new session, and how long to wait then. */
async function ask(token: string): Promise<{ status: number; wait: number; body: Json }> {
  const { status, headers, body } = await call('GET /api/auth/token/', { token, url: platform.url });
  return { status, wait: Number(headers.get('retry-after')), body };
}

describe('new sessions', () => {
  it('are thirty a minute for one user, by whichever token; then 429 says when to try again', async () => {
    const { token } = await signIn(undefined, platform.url);
    const first = await ask(token);
    const more = await Promise.all(Array.from({ length: 29 }, () => ask(first.body.access_token)));
    const next = await ask(token);
    const other = await ask((await signIn(undefined, platform.url)).token);
    expect({
      thirty: new Set([first, ...more].map(({ status }) => status)),
      next: next.status,
      wait: next.wait >= 1 && next.wait <= 60,
      other: other.status,
    }).toEqual({ thirty: new Set([200]), next: 429, wait: true, other: 200 });
  }, 120_000);

  it('end the oldest beyond a hundred, and leave what was begun from it to what that was begun from', async () => {
    const { token, userId } = await signIn(undefined, platform.url);
    const oldest = (await ask(token)).body;
    const second = (await ask(oldest.access_token)).body;
    await sql.query(
      `INSERT INTO accounts.session (user_id, token_id, created_at, expires_at)
       SELECT user_id, token_id, created_at, expires_at FROM accounts.session, generate_series(1, 97) WHERE id = $1`,
      [partOf(second.access_token).sid],
    );
    const third = (await ask(second.access_token)).body;
    const atHundred = await statusWith(oldest.access_token);
    await Promise.all([ask(third.access_token), ask(third.access_token)]);
    const { rows } = await sql.query('SELECT count(*)::integer FROM accounts.session WHERE user_id = $1', [userId]);
    const ended = [await statusWith(oldest.access_token), (await refresh(oldest.refresh_token)).status];
    expect({ atHundred, ended, kept: rows[0].count, third: await statusWith(third.access_token) }).toEqual({
      atHundred: 200,
      ended: [401, 401],
      kept: 100,
      third: 200,
    });
  });
});

/** Signs claims with the platform's own key. */
async function signed(change: (claims: JWTPayload) => JWTPayload, typ = 'JWT'): Promise<string> {
  const { access_token } = await begin();
  const { kid } = partOf(access_token, 0);
  const { rows } = await sql.query('SELECT sealed_private_key AS sealed FROM accounts.signing_key WHERE kid = $1', [
    kid,
  ]);
  const secret = (await openSecretBox({ dataKeys: [], dataDir: platform.dataDir })).derive('signing keys');
  const key = await importJWK(JSON.parse(decrypt(keyOf(secret), rows[0].sealed)), 'EdDSA');
  return new SignJWT(change(partOf(access_token))).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(key);
}

const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));

describe('an access token by our own key', () => {
  it('is good with the claims as they are', async () => {
    expect(await statusWith(await signed((claims) => claims))).toBe(200);
  });

  it.each([
    ['that has expired', (claims: JWTPayload) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 })],
    ['without an end', (claims: JWTPayload) => without(claims, 'exp')],
    ['of another issuer', (claims: JWTPayload) => ({ ...claims, iss: 'https://evil.example' })],
    ['of no issuer', (claims: JWTPayload) => without(claims, 'iss')],
    ['of another user than its session', (claims: JWTPayload) => ({ ...claims, sub: '1' })],
    ['of no session', (claims: JWTPayload) => without(claims, 'sid')],
    ['of an unknown session', (claims: JWTPayload) => ({ ...claims, sid: '00000000-0000-4000-8000-000000000000' })],
    ['of a session that is no text', (claims: JWTPayload) => ({ ...claims, sid: 7 })],
  ])('%s is refused with 401', async (_, change) => {
    expect(await statusWith(await signed(change))).toBe(401);
  });
});

describe('a token of one kind', () => {
  it('is never one of the other, whatever it claims', async () => {
    const { refresh_token } = await begin();
    const access = await signed((claims) => claims, 'refresh+jwt');
    const mixed = await signed((claims) => ({ ...claims, ...partOf(refresh_token), sid: claims.sid }), 'refresh+jwt');
    expect([await statusWith(access), await statusWith(mixed), (await refresh(mixed)).status]).toEqual([401, 401, 401]);
  });
});

describe('what is kept', () => {
  it('holds no refresh token, no code and no private key to be read', async () => {
    const { refresh_token } = await begin();
    const { body } = await refresh(refresh_token);
    const kept: string[] = [];
    for (const table of ['refresh_token', 'session', 'signing_key', 'token']) {
      const { rows } = await sql.query(`SELECT t::text AS row FROM accounts.${table} t`);
      kept.push(...rows.map(({ row }: { row: string }) => row));
    }
    const text = kept.join('\n');
    expect([refresh_token, body.refresh_token, userToken, '"d":'].filter((secret) => text.includes(secret))).toEqual(
      [],
    );
  });

  it('seals private keys with a file that only the platform reads', async () => {
    await begin();
    expect((await stat(secretFile())).mode & 0o777).toBe(0o600);
  });
});

describe('the refresh tokens of a user', () => {
  it('are exchanged sixty times a minute; then 429 says when to try again', async () => {
    await sql.query("DELETE FROM accounts.rate WHERE scope = 'refresh-token'");
    let { refresh_token: last } = await begin();
    for (let times = 0; times < 60; times += 1) last = (await refresh(last)).body.refresh_token;
    const { status, headers } = await refresh(last);
    await sql.query("DELETE FROM accounts.rate WHERE scope = 'refresh-token'");
    const waits = Number(headers.get('retry-after')) > 0;
    expect({ status, waits, later: (await refresh(last)).status }).toEqual({ status: 429, waits: true, later: 200 });
  }, 60_000);
});

describe('a signing key', () => {
  it('that is rotated is shown until its last token has expired', async () => {
    const { access_token } = await begin();
    await asAdmin('mutation { adminRotateSigningKey { kid } }', {}, platform.url);
    const { kid } = partOf(access_token, 0);
    const kids = async () =>
      (await call('GET /.well-known/jwks.json', { url: platform.url })).body.keys.map((key: Json) => key.kid);
    const shown = (await kids()).includes(kid);
    await sql.query("UPDATE accounts.signing_key SET retired_at = retired_at - interval '2 hours' WHERE kid = $1", [
      kid,
    ]);
    expect([shown, (await kids()).includes(kid)]).toEqual([true, false]);
  });
});

describe('a claimant whose address another wallet has proved', () => {
  it('is told, once, with the sign-in that displaced it', async () => {
    const { url } = platform;
    const pair = sr25519PairFromSeed(randomAsU8a(32));
    const substrateAddress = encodeAddress(pair.publicKey, 42);
    const claimant = await signIn(newWallet(substrateAddress), url);
    const prover = newWallet(substrateAddress);
    const { challenge, message } = await challengeFor(prover, url);
    await call('POST /api/auth/verify/', {
      url,
      body: {
        address: prover.address,
        substrate_address: substrateAddress,
        challenge,
        signature: personalSign(prover, message),
        substrate_signature: `0x${bytesToHex(sr25519Sign(utf8ToBytes(message), pair))}`,
      },
    });
    const { rows } = await sql.query('SELECT kind, text FROM accounts.notification WHERE user_id = $1', [
      claimant.userId,
    ]);
    expect(rows).toEqual([{ kind: 'account', text: expect.stringContaining(substrateAddress) }]);
  });
});
