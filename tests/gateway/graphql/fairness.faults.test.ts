import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { FORM_TYPE, formOf, send, type RawReply } from '../../kit/files/bytes.js';
import { call, graphql } from '../../kit/platform.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { TestSocket } from '../../kit/socket.js';
import { TestUpload } from '../../kit/files/upload.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask as askDatabase, until } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  user = await signIn(undefined, platform.url);
  other = await signIn(undefined, platform.url);
}, 60_000);
afterAll(() => platform.stop());

describe('two thousand requests of one user and two thousand by unknown tokens at once', () => {
  it('leave another user answered meanwhile, and nobody sees a fault of ours', async () => {
    const [upload, others] = await Promise.all([
      TestUpload.open({ user, url: platform.url }),
      TestUpload.open({ user: other, url: platform.url }),
    ]);
    let answered = 0;
    const ask = (target: string, token: string): Promise<RawReply> => {
      const reply = send(target, undefined, { token, url: platform.url });
      return reply.finally(() => answered++);
    };
    const flood = Array.from({ length: 2_000 }, () => [
      ask(`GET /list_folders/${other.substrateAddress}`, `arch_${randomBytes(32).toString('base64url')}`),
      ask(`GET /upload/session/${upload.id}/status`, user.token),
    ]).flat();
    await Promise.race(flood);
    const list = () => call(`GET /list_folders/${other.substrateAddress}`, { token: other.token, url: platform.url });
    const mine = await Promise.all([list(), others.status(), others.put(0), list(), others.status(), others.put(1)]);
    expect({ statuses: mine.map(({ status }) => status), isOver: answered === flood.length }).toEqual({
      statuses: [200, 200, 200, 200, 200, 200],
      isOver: false,
    });
    const replies = await Promise.all(flood);
    const faults = replies.filter(({ status }) => ![200, 401, 429].includes(status));
    expect(faults.map(({ status, body }) => ({ status, body }))).toEqual([]);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.filter(({ headers }) => !(Number(headers['retry-after']) > 0))).toEqual([]);
  }, 120_000);
});

describe('operations of one user that wait long for the database', () => {
  let sql: Client;
  beforeAll(async () => {
    sql = new Client({ connectionString: platform.databaseUrl });
    await sql.connect();
  });
  afterAll(() => sql.end());

  const AT_ONCE = 20;

  /** Twenty operations that need the row of their user, in one of the ways to ask; whether all were done. */
  type SendRequest = (one: SignedIn, tokenId: string) => Promise<boolean>;
  const ways: [string, SendRequest][] = [
    [
      'REST',
      async ({ token }) => {
        const all = Array.from({ length: AT_ONCE }, () => call('GET /api/auth/token/', { token, url: platform.url }));
        return (await Promise.all(all)).every(({ status }) => status === 200);
      },
    ],
    [
      'GraphQL',
      async ({ token }, tokenId) => {
        const revoke = `mutation { revokeToken(id: "${tokenId}") }`;
        const all = Array.from({ length: AT_ONCE }, () => graphql(revoke, { token, url: platform.url }));
        return (await Promise.all(all)).every(({ data }) => data?.revokeToken === true);
      },
    ],
    [
      'GraphQL in forms without a file',
      async ({ token }, tokenId) => {
        const query = `mutation { revokeToken(id: "${tokenId}") }`;
        const form = formOf([
          { name: 'operations', bytes: JSON.stringify({ query }) },
          { name: 'map', bytes: '{}' },
        ]);
        const headers = { 'content-type': FORM_TYPE, 'apollo-require-preflight': '1' };
        const post = () => send('POST /graphql', form, { token, headers, url: platform.url });
        const all = await Promise.all(Array.from({ length: AT_ONCE }, post));
        return all.every(({ body }) => body.data?.revokeToken === true);
      },
    ],
    [
      'a websocket',
      async ({ token }, tokenId) => {
        const socket = await TestSocket.open(token, platform.url);
        const ids = Array.from({ length: AT_ONCE }, (_, index) => `${index}`);
        for (const id of ids) socket.subscribe(id, `mutation { revokeToken(id: "${tokenId}") }`);
        const results = await Promise.all(ids.map((id) => socket.result(id, 1)));
        socket.close();
        return results.every(({ data }) => data?.revokeToken === true);
      },
    ],
  ];

  it.each(ways)('leave others a connection when they are asked by %s', async (_, ask) => {
    const wallet = newWallet();
    await signIn(wallet, platform.url);
    const slow = await signIn(wallet, platform.url);
    const { data } = await graphql('{ tokens { id isCurrent } }', { token: slow.token, url: platform.url });
    const unused = data.tokens.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    await sql.query('BEGIN');
    await sql.query('SELECT 1 FROM accounts.user WHERE id = $1 FOR UPDATE', [slow.userId]);
    const all = ask(slow, unused.id);
    await until(async () => (await waitingForLocks()) >= 8);
    const { status } = await call('GET /api/billing/credits/balance/', { token: other.token, url: platform.url });
    const waiting = await waitingForLocks();
    await sql.query('COMMIT');
    expect({ status, waiting, areDone: await all }).toEqual({ status: 200, waiting: 8, areDone: true });
  });

  /** Over a connection of its own: within a transaction PostgreSQL tells the same for ever. */
  async function waitingForLocks(): Promise<number> {
    const waiting = `SELECT count(*)::integer FROM pg_stat_activity
                      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return Number(await askDatabase(platform.databaseUrl, waiting));
  }
});
