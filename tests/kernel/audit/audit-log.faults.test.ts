import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { auditExpiry } from '../../../kernel/audit/expiry.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort, startInProcess, startProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { partOf } from '../../kit/accounts/session.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const DAY_MS = 24 * 3_600_000;

let databaseUrl: string;
let client: Client;
beforeEach(async () => {
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
});
afterEach(() => client.end());

async function namesIn(text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text);
  return rows.map(({ name }) => name);
}

describe('an entry of the audit log', () => {
  let platform: RunningPlatform;
  let user: SignedIn;
  beforeAll(async () => {
    databaseUrl = await newDatabase();
    platform = await startInProcess({ DATABASE_URL: databaseUrl });
    const { url } = platform;
    user = await signIn(undefined, url);
    await call('POST /api/network/provision/', { token: user.token, url });
  }, 60_000);
  afterAll(() => platform.stop());

  it('has the transaction of its change', async () => {
    const { url } = platform;
    for (const label of ['a', 'b', 'c'])
      await call('POST /api/network/groups/', { token: user.token, body: { label }, url });
    await graphql('mutation { updateNotificationPreferences(emailEnabled: false) { emailEnabled } }', {
      token: user.token,
      url,
    });
    const groups = `SELECT g.label AS name FROM network.group g JOIN network.audit_entry a ON a.xmin = g.xmin
                     WHERE a.mutation = 'createGroup' ORDER BY g.id`;
    expect(await namesIn(groups)).toEqual(['a', 'b', 'c']);
    const preferences = `SELECT a.mutation AS name FROM accounts.audit_entry a JOIN accounts.preference p ON a.xmin = p.xmin`;
    expect(await namesIn(preferences)).toEqual(['updateNotificationPreferences']);
  });

  const refresh = (refresh_token: string) =>
    call('POST /api/auth/token/refresh/', { body: { refresh_token }, url: platform.url });
  const entriesOf = async (mutation: string): Promise<Json[]> => {
    const entry = 'results { caller tokenId argumentIds { name value } resultIds { name value } }';
    const query = `query ($mutation: String!) { me { accountsAuditLog(mutation: $mutation) { ${entry} } } }`;
    const { data } = await graphql(query, { token: user.token, url: platform.url, variables: { mutation } });
    return data.me.accountsAuditLog.results;
  };
  /** Starts a session. Returns its refresh token, and the entry that names it. */
  async function beginAudited() {
    const { body } = await call('GET /api/auth/token/', { token: user.token, url: platform.url });
    const ids = [
      { name: 'sessionId', value: partOf(body.access_token).sid },
      { name: 'userId', value: String(user.userId) },
    ];
    const entry = { caller: 'ANONYMOUS', tokenId: null, argumentIds: [], resultIds: ids };
    return { refreshToken: body.refresh_token, entry };
  }

  it('of a stolen refresh token, which ends the session, names the owner and the session; there is none for its later uses', async () => {
    const { refreshToken, entry } = await beginAudited();
    expect((await refresh(refreshToken)).status).toBe(200);
    await client.query("UPDATE accounts.refresh_token SET used_at = used_at - interval '20 seconds'");
    expect([(await refresh(refreshToken)).status, (await refresh(refreshToken)).status]).toEqual([401, 401]);
    const log = await entriesOf('refreshMasterToken');
    expect(log).toEqual([entry, entry]);
    expect(JSON.stringify(log)).not.toContain(refreshToken);
  });

  it('of a refresh token that is given up names the owner and the session; there is none for an unknown one', async () => {
    const { refreshToken, entry } = await beginAudited();
    const revoke = 'mutation ($refreshToken: String!) { revokeRefreshToken(refreshToken: $refreshToken) }';
    for (const sent of ['unknown', refreshToken])
      await graphql(revoke, { url: platform.url, variables: { refreshToken: sent } });
    expect(await entriesOf('revokeRefreshToken')).toEqual([entry]);
    const all = "SELECT user_id::text AS name FROM accounts.audit_entry WHERE mutation = 'revokeRefreshToken'";
    expect(await namesIn(all)).toEqual([String(user.userId)]);
  });

  it('of a new session names the oldest one that it replaced', async () => {
    const [token, refreshed] = [await beginAudited(), await beginAudited()];
    const oldest = token.entry.resultIds[0]?.value;
    await client.query(
      `INSERT INTO accounts.session (user_id, parent_id, created_at, expires_at)
       SELECT user_id, $2, created_at, expires_at FROM accounts.session, generate_series(1, 98) WHERE id = $1`,
      [refreshed.entry.resultIds[0]?.value, oldest],
    );
    const { entry } = await beginAudited();
    const text = `SELECT previous_ids AS ids FROM accounts.audit_entry WHERE result_ids -> 0 ->> 'value' = $1`;
    const { rows } = await client.query(text, [entry.resultIds[0]?.value]);
    expect(rows[0].ids).toContainEqual({ name: 'session.id', value: oldest });
  });

  it('cannot be changed or deleted', async () => {
    for (const subgraph of ['accounts', 'infrastructure', 'network', 'sync'])
      for (const statement of [
        `UPDATE ${subgraph}.audit_entry SET caller = 'SESSION'`,
        `TRUNCATE ${subgraph}.audit_entry`,
      ])
        await expect(client.query(statement)).rejects.toThrow('the audit log is append-only');
    await expect(client.query('DELETE FROM network.audit_entry')).rejects.toThrow('the audit log is append-only');
  });

  it('is deleted by the job of its subgraph after AUDIT_DAYS', async () => {
    const database: Database = connectDatabase({
      url: databaseUrl,
      schema: 'network',
      log: openLog('silent', 'tests'),
    });
    const count = `SELECT count(*)::text AS name FROM network.audit_entry`;
    const before = await namesIn(count);
    const expireAt = (ms: number) => auditExpiry(400).work({}, { database, now: () => new Date(Date.now() + ms) });
    await expireAt(399 * DAY_MS);
    expect(await namesIn(count)).toEqual(before);
    await expireAt(401 * DAY_MS);
    expect(await namesIn(count)).toEqual(['0']);
    await database.close();
  });
});

describe('kill -9 while many mutations run', () => {
  beforeAll(async () => {
    databaseUrl = await newDatabase();
  });

  it('leaves no change without its entry, and no entry without its change', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    const port = await freePort();
    const env = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    const { child } = await startProcess(['bundle/platform.js'], env);
    const exited = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    const user = await signIn(undefined, url);
    await call('POST /api/network/provision/', { token: user.token, url });
    const create = async (worker: number) => {
      for (let made = 0; ; made += 1) {
        const body = { label: `of-${worker}-${made}` };
        await call('POST /api/network/groups/', { token: user.token, body, url });
        if (worker + made === 40) child.kill('SIGKILL');
      }
    };
    await Promise.allSettled(Array.from({ length: 8 }, (_, worker) => create(worker)));
    await exited;
    await rm(dataDir, { recursive: true });
    const made = `SELECT g.id::text AS name FROM network.group g WHERE g.label LIKE 'of-%' ORDER BY 1`;
    const logged = `SELECT a.result_ids -> 0 ->> 'value' AS name FROM network.audit_entry a
                     WHERE a.mutation = 'createGroup' AND a.user_id = ${user.userId} ORDER BY 1`;
    const groups = await namesIn(made);
    expect(groups.length).toBeGreaterThanOrEqual(40);
    expect(await namesIn(logged)).toEqual(groups);
  }, 120_000);
});
