import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { hashToken } from '../../../kernel/security/credentials.js';
import { issueSignInToken } from '../../../subgraphs/accounts/identity/api-token/new-token.actions.js';
import { deleteOldTokens } from '../../../subgraphs/accounts/identity/api-token/old-tokens.js';
import { publishTokensChanged } from '../../../subgraphs/accounts/identity/api-token/token.actions.js';
import type { AccountsRuntime } from '../../../subgraphs/accounts/services.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

const NOON = new Date('2026-01-01T12:00:00Z');
const DAY_MS = 86_400_000;
const after = (days: number) => new Date(NOON.getTime() + days * DAY_MS);

let ledger: LedgerUnderTest;
let sql: Client;
const events: string[] = [];
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
  sql.on('notification', ({ payload = '' }) => events.push(payload));
  await sql.query('LISTEN archipelago_accounts');
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

let userId: number;
beforeEach(async () => {
  userId = await ledger.user();
});

const signIn = (now: Date) =>
  ledger.database.change((transaction) => issueSignInToken(transaction, { userId, name: 'tests' }, now));

/** Adds tokens that were issued at this time and never used. */
const addTokens = (count: number, issuedAt: Date) =>
  sql.query(
    `INSERT INTO accounts.token (hash, user_id, name, created_at, expires_at)
     SELECT gen_random_uuid()::text, $1, 'tests', $2, $2::timestamptz + interval '30 days' FROM generate_series(1, $3)`,
    [userId, issuedAt, count],
  );

const count = async (condition: string): Promise<number> =>
  (await sql.query(`SELECT count(*)::integer FROM accounts.token WHERE user_id = $1 AND ${condition}`, [userId]))
    .rows[0].count;

const isRevoked = async (token: string): Promise<boolean> => {
  const { rows } = await sql.query('SELECT revoked_at FROM accounts.token WHERE hash = $1', [hashToken(token)]);
  return rows[0].revoked_at !== null;
};

/** The events of a change of all tokens of the user. */
async function eventsOfChange(): Promise<string[]> {
  events.length = 0;
  await ledger.database.change((transaction) => publishTokensChanged(transaction, userId, NOON));
  // The connection gets the events before the answer to a later query.
  await sql.query('SELECT');
  return events.filter((text) => text.includes('token-changed'));
}

describe('sign-ins beyond a thousand valid tokens', () => {
  it('revoke the least recently used tokens', async () => {
    const [used, unused] = [await signIn(NOON), await signIn(NOON)];
    await sql.query('UPDATE accounts.token SET last_used_at = $2 WHERE hash = $1', [hashToken(used), after(2)]);
    await addTokens(998, after(1));
    const newest = await signIn(after(2));
    const revoked = [await isRevoked(used), await isRevoked(unused), await isRevoked(newest)];
    expect({ revoked, valid: await count('revoked_at IS NULL') }).toEqual({
      revoked: [false, true, false],
      valid: 1_000,
    });
  });

  it('do not revoke tokens of active sessions', async () => {
    const token = await signIn(NOON);
    await sql.query(
      `INSERT INTO accounts.session (user_id, token_id, created_at, expires_at)
       SELECT user_id, id, $2, $3 FROM accounts.token WHERE hash = $1`,
      [hashToken(token), NOON, after(30)],
    );
    await addTokens(1_000, after(1));
    await signIn(after(2));
    expect({ revoked: await isRevoked(token), valid: await count('revoked_at IS NULL') }).toEqual({
      revoked: false,
      valid: 1_001,
    });
  });
});

describe('a change of all tokens of a user', () => {
  it('is one event for each valid token, and none for those that expired', async () => {
    await addTokens(3, NOON);
    await addTokens(200, after(-31));
    expect((await eventsOfChange()).length).toBe(3);
  });

  it('is one event for all tokens when there are more than a hundred', async () => {
    await addTokens(101, NOON);
    expect((await eventsOfChange()).map((text) => JSON.parse(text))).toEqual([{ topic: 'token-changed' }]);
  });
});

describe('tokens that ended more than a day ago', () => {
  const forgetAt = (now: Date) =>
    deleteOldTokens.work({}, { database: ledger.database, now: () => now } as AccountsRuntime);

  it('are deleted by a job, however many there are', async () => {
    await addTokens(25_000, after(-32));
    await addTokens(1, NOON);
    await sql.query('UPDATE accounts.token SET revoked_at = $2 WHERE user_id = $1 AND created_at = $2', [userId, NOON]);
    await addTokens(1, after(1));
    await forgetAt(after(0.9));
    const withinADay = await count('true');
    await forgetAt(after(1.1));
    expect([withinADay, await count('true')]).toEqual([2, 1]);
  });

  it('stay as long as a session names them', async () => {
    await addTokens(1, after(-40));
    await sql.query(
      `INSERT INTO accounts.session (user_id, token_id, created_at, expires_at)
       SELECT user_id, id, created_at, $2 FROM accounts.token WHERE user_id = $1`,
      [userId, after(30)],
    );
    await forgetAt(NOON);
    expect(await count('true')).toBe(1);
  });
});
