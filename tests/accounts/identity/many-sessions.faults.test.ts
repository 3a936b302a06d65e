import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hashToken } from '../../../kernel/security/credentials.js';
import type { UserViewer } from '../../../kernel/security/viewer.js';
import { issueSignInToken } from '../../../subgraphs/accounts/identity/api-token/new-token.actions.js';
import { beginSession } from '../../../subgraphs/accounts/identity/session/new-session.actions.js';
import { revokeSession } from '../../../subgraphs/accounts/identity/session/session.actions.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

const NOON = new Date('2026-01-01T12:00:00Z');
const EARLIER = new Date('2026-01-01T11:59:59Z');

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

/** Begins a session with an API token or an earlier session. @returns its id */
async function begin(viewer: UserViewer, now: Date): Promise<string> {
  const start = { now, userAgent: null, replacesToken: false };
  return (await beginSession(ledger.database, async () => randomUUID(), viewer, start)).sessionId;
}

async function signedIn(): Promise<UserViewer> {
  const userId = await ledger.user();
  const token = await ledger.database.change((transaction) =>
    issueSignInToken(transaction, { userId, name: 'tests' }, NOON),
  );
  const { rows } = await sql.query('SELECT id FROM accounts.token WHERE hash = $1', [hashToken(token)]);
  const identity = { username: 'ada', substrateAddress: null, roles: [], expiresAt: null };
  return { kind: 'user', userId, tokenId: rows[0].id, ...identity };
}

/** The sessions out of these that are stored, with whether they ended. */
async function stored(ids: readonly string[]): Promise<object[]> {
  const text = `SELECT array_position($1, id) AS place, revoked_at IS NOT NULL AS "hasEnded" FROM accounts.session
                 WHERE id = ANY($1) ORDER BY place`;
  return (await sql.query(text, [ids])).rows;
}

it('a session still ends with the first of its chain after those between were dropped as the oldest', async () => {
  const viewer = await signedIn();
  const first = await begin(viewer, NOON);
  // The clock of the replica that created these two was behind.
  const second = await begin({ ...viewer, tokenId: first }, EARLIER);
  const third = await begin({ ...viewer, tokenId: second }, EARLIER);
  const fourth = await begin({ ...viewer, tokenId: third }, NOON);
  await sql.query(
    `INSERT INTO accounts.session (user_id, created_at, expires_at)
     SELECT user_id, created_at, expires_at FROM accounts.session, generate_series(1, 97) WHERE id = $1`,
    [first],
  );
  await begin(viewer, NOON);
  await revokeSession(ledger.database, { id: first, userId: viewer.userId, viewer }, NOON);
  expect(await stored([first, second, third, fourth])).toEqual([
    { place: 1, hasEnded: true },
    { place: 4, hasEnded: true },
  ]);
});
