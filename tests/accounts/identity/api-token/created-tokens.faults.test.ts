import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { hashToken } from '../../../../kernel/security/credentials.js';
import { openLookups } from '../../../../subgraphs/accounts/identity/api-token/lookups.js';
import { createToken, issueSignInToken } from '../../../../subgraphs/accounts/identity/api-token/new-token.actions.js';
import { deleteOldTokens } from '../../../../subgraphs/accounts/identity/api-token/old-tokens.js';
import { findTokenHolder } from '../../../../subgraphs/accounts/identity/api-token/token.actions.js';
import type { AccountsContext, AccountsRuntime } from '../../../../subgraphs/accounts/services.js';
import { openLedger, type LedgerUnderTest } from '../../../kit/accounts/ledger.js';

const NOON = new Date('2026-01-01T12:00:00Z');
const DAY_MS = 86_400_000;
const after = (days: number) => new Date(NOON.getTime() + days * DAY_MS);

let ledger: LedgerUnderTest;
let sql: Client;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

const signInAt = (now: Date) =>
  ledger.database.change((transaction) => issueSignInToken(transaction, { userId, name: 'tests' }, now));

let userId: number;
let tokenId: string;
beforeEach(async () => {
  userId = await ledger.user();
  const { rows } = await sql.query('SELECT id FROM accounts.token WHERE hash = $1', [hashToken(await signInAt(NOON))]);
  tokenId = rows[0].id;
});

const create = (now = NOON, days = 90) => createToken(ledger.database, { userId, tokenId }, { name: 'CI', days }, now);

/** Adds created tokens that end at this time. */
const addTokens = (count: number, expiresAt: Date) =>
  sql.query(
    `INSERT INTO accounts.token (hash, user_id, name, created_at, expires_at, is_user_created)
     SELECT gen_random_uuid()::text, $1, 'tests', $2, $3, true FROM generate_series(1, $4)`,
    [userId, after(-40), expiresAt, count],
  );

const count = async (condition: string): Promise<number> =>
  (await sql.query(`SELECT count(*)::integer FROM accounts.token WHERE user_id = $1 AND ${condition}`, [userId]))
    .rows[0].count;

describe('a user with a hundred valid created tokens', () => {
  it('creates no further one until one of them ends', async () => {
    await addTokens(50, after(-1));
    await addTokens(99, after(1));
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({
      message: 'You have created 100 tokens that are valid; revoke one first.',
      extensions: { code: 'CONFLICT' },
    });
    await sql.query('UPDATE accounts.token SET revoked_at = $2 WHERE id = $1', [id, NOON]);
    await create();
    await expect(create()).rejects.toMatchObject({ extensions: { code: 'CONFLICT' } });
    await create(after(2));
  });

  it('has no more of them when several are created at once', async () => {
    await addTokens(97, after(1));
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await count('is_user_created')).toBe(100);
  });

  it('keeps all of them at the thousandth sign-in, which ends the oldest of sign-ins', async () => {
    await addTokens(100, after(90));
    await sql.query(
      `INSERT INTO accounts.token (hash, user_id, name, created_at, expires_at)
       SELECT gen_random_uuid()::text, $1, 'tests', $2, $3 FROM generate_series(1, 998)`,
      [userId, after(1), after(31)],
    );
    await signInAt(after(2));
    expect(await count('revoked_at IS NOT NULL')).toBe(0);
    await signInAt(after(2));
    expect([await count('revoked_at IS NOT NULL'), await count('is_user_created AND revoked_at IS NULL')]).toEqual([
      1, 100,
    ]);
  });
});

describe('a created token', () => {
  const holderAt = (token: string, now: Date) =>
    findTokenHolder(
      { database: ledger.database, services: { lookups: openLookups() }, now: () => now } as AccountsContext,
      hashToken(token),
    );

  it('is valid until the second that it says', async () => {
    const { token, expiresAt } = await create(NOON, 7);
    expect(expiresAt).toEqual(after(7));
    expect(await holderAt(token, new Date(expiresAt.getTime() - 1))).toMatchObject({ userId, expiresAt });
    expect(await holderAt(token, expiresAt)).toBeUndefined();
  });

  it('is deleted by the job a day after it expired', async () => {
    await addTokens(1, after(1));
    const forgetAt = (now: Date) =>
      deleteOldTokens.work({}, { database: ledger.database, now: () => now } as AccountsRuntime);
    await forgetAt(after(1.9));
    expect(await count('is_user_created')).toBe(1);
    await forgetAt(after(2.1));
    expect(await count('is_user_created')).toBe(0);
  });

  it.each([
    ['token', 'UPDATE accounts.token SET revoked_at = $2 WHERE id = $1'],
    ['session', 'UPDATE accounts.session SET revoked_at = $2 WHERE id = $1'],
  ])('is refused to a %s that was revoked meanwhile', async (kind, revoke) => {
    const { rows } = await sql.query(
      `INSERT INTO accounts.session (user_id, token_id, created_at, expires_at) VALUES ($1, $2, $3, $4) RETURNING id`,
      [userId, tokenId, NOON, after(30)],
    );
    if (kind === 'session') tokenId = rows[0].id;
    await create();
    await sql.query(revoke, [tokenId, NOON]);
    await expect(create()).rejects.toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    expect(await count('is_user_created')).toBe(1);
  });
});
