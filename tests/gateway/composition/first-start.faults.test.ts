import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { Client } from 'pg';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, graphql, type Json } from '../../kit/platform.js';
import { challengeFor, newWallet, personalSign, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

// Here and not in the contract suites: these need a platform of their own and its database, and one start is enough.
let url: string;
let platform: PlatformOnDatabase;
let sql: Client;
beforeAll(async () => {
  platform = await startOnDatabase();
  ({ url } = platform);
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

describe('a platform that was started for the first time', () => {
  it('has a key at /.well-known/jwks.json before any token was signed', async () => {
    const { status, body } = await call('GET /.well-known/jwks.json', { url });
    expect({ status, body }).toEqual({ status: 200, body: { keys: [expect.objectContaining({ kty: 'OKP' })] } });
  });

  it('signs the first master token with that key', async () => {
    const { body } = await call('GET /.well-known/jwks.json', { url });
    const { token } = await signIn(undefined, url);
    const { access_token: accessToken } = (await call('GET /api/auth/token/', { token, url })).body;
    expect(decodeProtectedHeader(accessToken).kid).toBe(body.keys[0].kid);
  });
});

const latest = () => call('GET /api/billing/latest-tao-price/', { url });

const record = (priceUsd: string, blockNumber: number) =>
  asAdmin(
    'mutation ($p: Decimal!, $b: Int!) { adminRecordTokenPrice(priceUsd: $p, blockNumber: $b) { priceUsd } }',
    { p: priceUsd, b: blockNumber },
    url,
  );

describe('the latest price', () => {
  it('is 404 while there is no price data', async () => {
    const { status, body } = await latest();
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });

  it('is the one that was recorded last, whatever its block', async () => {
    await record('410.5', 9);
    await record('399.123456789012345678', 8);
    const { body } = await latest();
    expect(body).toMatchObject({ price_usd: '399.123456789012345678', block_number: 8 });
  });
});

describe('a token that has expired', () => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signIn(undefined, url);
    await sql.query(`UPDATE accounts.token SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
      user.userId,
    ]);
  });

  it.each([
    ['GET /api/billing/credits/balance/', { error: expect.any(String) }],
    ['POST /api/network/provision/', { error: expect.any(String) }],
    ['POST /register_folder', { Error: { error: 'unauthorized', message: expect.any(String) } }],
  ])('is refused with 401 at %s', async (target, refusal) => {
    const { status, body } = await call(target, { token: user.token, url });
    expect({ status, body }).toEqual({ status: 401, body: refusal });
  });

  it('is unknown to verify-token', async () => {
    const { status } = await call('POST /api/auth/verify-token/', { url, body: { token: user.token } });
    expect(status).toBe(404);
  });

  it('is refused as UNAUTHENTICATED at /graphql', async () => {
    const { errors } = await graphql('{ me { id } }', { token: user.token, url });
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('is not needed for the price', async () => {
    const { status } = await call('GET /api/billing/latest-tao-price', { token: user.token, url });
    expect(status).not.toBe(401);
  });
});

describe('a token', () => {
  it('is stored as SHA-256 only', async () => {
    const { token } = await signIn(undefined, url);
    const { rows } = await sql.query(
      'SELECT count(*)::int AS count FROM accounts.token t WHERE strpos(t::text, $1) > 0',
      [token.slice(5)],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

describe('a challenge that has expired', () => {
  it('is refused with 401', async () => {
    const wallet = newWallet();
    const { challenge, message } = await challengeFor(wallet, url);
    await sql.query(`UPDATE accounts.challenge SET expires_at = now() - interval '1 second' WHERE challenge = $1`, [
      challenge,
    ]);
    const { status, body } = await call('POST /api/auth/verify/', {
      url,
      body: {
        address: wallet.address,
        substrate_address: wallet.substrateAddress,
        challenge,
        signature: personalSign(wallet, message),
      },
    });
    expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } });
  });
});

const COUNT = 205;

async function page(query: string): Promise<Json> {
  return (await call(`GET /api/billing/credits/balance/${query}`, { token: ADMIN_TOKEN, url })).body;
}

describe('the list of balances', () => {
  beforeAll(async () => {
    const missing = `${COUNT} - (SELECT count(*) FROM accounts.user WHERE substrate_address IS NOT NULL)`;
    await sql.query(
      `WITH added AS (
         INSERT INTO accounts.user (username, substrate_address, created_at)
         SELECT 'user ' || n, 'address ' || n, now() FROM generate_series(1, ${missing}) n RETURNING id)
       INSERT INTO accounts.ledger_account (user_id, balance, updated_at) SELECT id, 0, now() FROM added`,
    );
  });
  it.each([
    ['', 50],
    ['?page_size=7', 7],
    ['?page_size=200', 200],
    ['?page_size=201', 200],
    ['?page_size=5000', 200],
    ['?page=5', 5],
    ['?page=6', 0],
  ])('of %j has %i rows', async (query, rows) => {
    expect((await page(query)).results).toHaveLength(rows);
  });

  it('counts all accounts with an address', async () => {
    expect((await page('?page_size=1')).count).toBe(COUNT);
  });

  it('leaves out accounts without an address, such as the first superuser', async () => {
    const { me } = await asAdmin('{ me { substrateAddress } }', {}, url);
    const pages = await Promise.all(['?page_size=200', '?page_size=200&page=2'].map(page));
    const addresses = pages.flatMap(({ results }) => results.map(({ account_ss58: address }: Json) => typeof address));
    expect([me.substrateAddress, addresses.length, new Set(addresses)]).toEqual([null, COUNT, new Set(['string'])]);
  });

  it('has no page before the first and none after the last', async () => {
    const [first, last] = [await page(''), await page('?page=5')];
    expect({ previous: first.previous, next: last.next }).toEqual({ previous: null, next: null });
  });

  it('is walked by its links without a repetition or a gap', async () => {
    const seen: string[] = [];
    for (let link = '?page_size=60'; link !== '';) {
      const { results, next } = await page(link);
      seen.push(...results.map(({ account_ss58 }: Json) => account_ss58));
      link = next === null ? '' : new URL(next).search;
    }
    expect({ rows: seen.length, different: new Set(seen).size }).toEqual({ rows: COUNT, different: COUNT });
  });

  it('links back to the page before', async () => {
    const { previous } = await page('?page=3&page_size=10');
    expect((await page(new URL(previous).search)).results).toEqual((await page('?page=2&page_size=10')).results);
  });

  it('has links that are addresses clients see', async () => {
    const { next } = await page('');
    expect(next).toMatch(/^http:\/\/localhost:\d+\/api\/billing\/credits\/balance\/?\?/);
  });
});
