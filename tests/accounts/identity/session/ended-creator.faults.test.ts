import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hashToken } from '../../../../kernel/security/credentials.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import { issueSignInToken } from '../../../../subgraphs/accounts/identity/api-token/new-token.actions.js';
import { listSessions } from '../../../../subgraphs/accounts/identity/session/active-sessions.actions.js';
import { beginSession } from '../../../../subgraphs/accounts/identity/session/new-session.actions.js';
import { continueSession, type LiveSession } from '../../../../subgraphs/accounts/identity/session/session.actions.js';
import { openLedger, type LedgerUnderTest } from '../../../kit/accounts/ledger.js';

/** Days after the sign-in, whose token expires after 30. */
const day = (days: number): Date => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000);

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

/** A user with the API token of a sign-in on day 0. */
async function signedIn(): Promise<UserViewer> {
  const userId = await ledger.user();
  const token = await ledger.database.change((transaction) =>
    issueSignInToken(transaction, { userId, name: 'tests' }, day(0)),
  );
  const { rows } = await sql.query('SELECT id FROM accounts.token WHERE hash = $1', [hashToken(token)]);
  const identity = { username: 'ada', substrateAddress: null, roles: [], expiresAt: null };
  return { kind: 'user', userId, tokenId: rows[0].id, ...identity };
}

const sign = async ({ userId }: { userId: number }): Promise<string> =>
  new UnsecuredJWT().setSubject(String(userId)).setJti(randomUUID()).encode();

const begin = (viewer: UserViewer, days: number, replacesToken = false): Promise<LiveSession> =>
  beginSession(ledger.database, sign, viewer, { now: day(days), userAgent: null, replacesToken });

/** Refreshes a session on these days, as long as it is refreshed. @returns the last day on which it was */
async function lastRefresh({ refreshToken }: LiveSession, days: readonly number[]): Promise<number | undefined> {
  let [current, last]: [string, number | undefined] = [refreshToken, undefined];
  for (const at of days) {
    const next = await continueSession(ledger.database, sign, current, day(at));
    if (!next || !('refreshToken' in next)) return last;
    [current, last] = [next.refreshToken, at];
  }
  return last;
}

describe('a session that was begun with an API token', () => {
  it('is refreshed until the token expires, and ends then', async () => {
    const viewer = await signedIn();
    const last = await lastRefresh(await begin(viewer, 1), [20, 29, 31, 40]);
    expect([last, await listSessions(ledger.database, viewer, day(32))]).toEqual([29, []]);
  });

  it('is refreshed without end if the token does not expire', async () => {
    const viewer = await signedIn();
    await sql.query('UPDATE accounts.token SET expires_at = NULL WHERE id = $1', [viewer.tokenId]);
    expect(await lastRefresh(await begin(viewer, 1), [20, 40, 60])).toBe(60);
  });

  it('is refreshed without end if it replaced the token', async () => {
    expect(await lastRefresh(await begin(await signedIn(), 1, true), [20, 40, 60])).toBe(60);
  });
});

describe('a session that was begun from another one', () => {
  it('ends when the other one expires', async () => {
    const viewer = await signedIn();
    const { sessionId } = await begin(viewer, 0, true);
    const child = await begin({ ...viewer, tokenId: sessionId }, 1);
    expect(await lastRefresh(child, [20, 29, 31])).toBe(29);
  });

  it('ends when the API token of the first one expires', async () => {
    const viewer = await signedIn();
    const { sessionId } = await begin(viewer, 10);
    const child = await begin({ ...viewer, tokenId: sessionId }, 11);
    expect(await lastRefresh(child, [20, 29, 31])).toBe(29);
  });
});

describe('a session', () => {
  it('is not begun from one whose API token has expired', async () => {
    const viewer = await signedIn();
    const { sessionId } = await begin(viewer, 10);
    await expect(begin({ ...viewer, tokenId: sessionId }, 31)).rejects.toMatchObject({
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });
});
