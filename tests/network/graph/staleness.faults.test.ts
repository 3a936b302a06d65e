import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { pino } from 'pino';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { publishStalePeers } from '../../../subgraphs/network/graph/peer/staleness.actions.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let database: Database;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  database = connectDatabase({ url: platform.databaseUrl, schema: 'network', log: pino({ level: 'silent' }) });
  user = await signIn(undefined, platform.url);
  await send('POST /api/network/provision/');
}, 120_000);
afterAll(async () => {
  await database.close();
  await platform.stop();
});

const send = (target: string, body?: unknown) => call(target, { token: user.token, url: platform.url, body });
const change = (sql: string) => ask(platform.databaseUrl, sql);
const after = (seconds: number) => new Date(Date.now() + seconds * 1000);
const etag = async () => (await send('GET /api/network/topology/')).headers.get('etag');
/** Without what it says of peers that time alone made stale. */
const revision = async () => /^"\d+-\d+/.exec((await etag()) ?? '')?.[0];
const tell = (now: Date) => publishStalePeers(database, now);

describe('a graph that the client has', () => {
  it('is not read again', async () => {
    const headers = { 'if-none-match': (await etag()) ?? '' };
    const holder = new Client({ connectionString: platform.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE network.policy, network.member IN ACCESS EXCLUSIVE MODE');
      const { status } = await call('GET /api/network/topology/', { token: user.token, url: platform.url, headers });
      expect(status).toBe(304);
    } finally {
      await holder.end();
    }
  });
});

describe('a peer that is not heard of any more', () => {
  it('grows the revision of its graph, once', async () => {
    await send('POST /api/network/peers/enroll/', {});
    await change(
      `UPDATE network.peer SET joined_at = now(), last_seen = now(), config_changed_at = now(), config_hash = 'a', applied_hash = 'a'`,
    );
    const [fresh] = [await etag(), await tell(after(60))];
    expect(await etag()).toBe(fresh);
    await tell(after(100));
    const stale = await etag();
    expect(stale).not.toBe(fresh);
    await tell(after(200));
    expect(await etag()).toBe(stale);
  });

  it('grows it again after it was heard of', async () => {
    const before = await revision();
    await change(`UPDATE network.peer SET last_seen = now() + interval '300 s'`);
    await tell(after(310));
    expect(await revision()).toBe(before);
    await tell(after(500));
    expect(await revision()).not.toBe(before);
  });

  it('is shown under another ETag as soon as time says so', async () => {
    await change('UPDATE network.peer SET last_seen = now(), is_published_stale = false');
    const [fresh, before] = [await etag(), await revision()];
    await change(`UPDATE network.peer SET last_seen = now() - interval '100 s'`);
    expect(await revision()).toBe(before);
    const headers = { 'if-none-match': fresh ?? '' };
    const { status } = await call('GET /api/network/topology/', { token: user.token, url: platform.url, headers });
    expect([fresh === (await etag()), status]).toEqual([false, 200]);
  });

  it('is named alike by the version alone and by the graph', async () => {
    await change(`INSERT INTO network.peer (tenant_id, label, ip, joined_at, last_seen, is_published_stale, created_at)
      SELECT t.id, 'vm-' || n, set_masklen(t.address_range::inet + n, 32),
             CASE WHEN n % 5 > 0 THEN now() - n * interval '1 s' END, CASE WHEN n % 2 > 0 THEN now() - (n - 20) * interval '1 s' END,
             n % 3 = 0, now()
        FROM network.tenant t, generate_series(20, 199) n`);
    const { data } = await graphql('{ topologyVersion topology { version } }', {
      token: user.token,
      url: platform.url,
    });
    expect(data.topologyVersion).toMatch(/^\d+-\d+-[0-9a-f]{16}$/);
    expect(data.topologyVersion).toBe(data.topology.version);
    await change('DELETE FROM network.peer WHERE id > (SELECT min(id) FROM network.peer)');
  });

  it('is nothing new where it has not joined', async () => {
    await change('UPDATE network.peer SET joined_at = NULL, is_published_stale = false');
    const before = await etag();
    await tell(after(1000));
    expect(await etag()).toBe(before);
  });
});
