import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '../../kit/database/own-database.js';
import { startPostgresProxy, type PostgresProxy } from '../../kit/database/postgres-proxy.js';
import { NetbirdPlatform } from '../../kit/network/netbird-platform.js';
import { graphql, type Json } from '../../kit/platform.js';

const STATEMENT = 'insert-setup-key';

let proxy: PostgresProxy;
let platform: NetbirdPlatform;
beforeAll(async () => {
  const databaseUrl = await newDatabase();
  proxy = await startPostgresProxy(databaseUrl);
  platform = await NetbirdPlatform.start({ DATABASE_URL: proxy.url }, databaseUrl);
  await platform.settled();
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await proxy.close();
});

/** The server's groups and setup keys of a peer of the first user. */
const objectsOf = (peer: number): Json[] =>
  (['groups', 'setup-keys'] as const).map((kind) => platform.named(kind, `peer:${peer}`));

/** Reconciles until nothing is left to do. */
async function reconcile(): Promise<void> {
  await platform.settled();
  await platform.look();
  await platform.settled();
}

describe('a commit that takes effect without an answer, as in a failover', () => {
  it('leaves the group and the setup key of a peer at the server', async () => {
    proxy.loseCommitOf(STATEMENT);
    const { status } = await platform.enroll();
    expect({ status, broken: proxy.broken }).toEqual({ status: 503, broken: 1 });
    await reconcile();
    const [{ id }] = (await platform.send('GET /api/network/peers/')).body;
    expect(objectsOf(id)).toEqual([expect.anything(), expect.objectContaining({ revoked: false })]);
    const [{ valid }] = (await platform.send('GET /api/network/enroll-keys/')).body;
    expect(valid).toBe(true);
  });

  it('leaves the setup key of a machine of the platform', async () => {
    const machine = (await platform.send('POST /api/network/infra/enroll/', { name: 'gateway' })).body;
    await reconcile();
    proxy.loseCommitOf(STATEMENT);
    const issue = `mutation { issueInfraSetupKey(id: ${machine.id}) { id } }`;
    const { errors } = await graphql(issue, { token: platform.owner.user.token, url: platform.url });
    expect(errors[0].extensions.code).toBe('UNAVAILABLE');
    await reconcile();
    expect(objectsOf(machine.peer)).toEqual([expect.anything(), expect.objectContaining({ revoked: false })]);
  });
});

describe('a transaction that breaks before its commit', () => {
  it('leaves nothing at the server, without the time-out of the enrollment', async () => {
    const [groups, keys] = [platform.netbird.list('groups').length, platform.netbird.list('setup-keys').length];
    proxy.breakNext(STATEMENT);
    expect((await platform.enroll()).status).toBe(503);
    await platform.heals(
      () => platform.netbird.list('groups').length === groups && platform.netbird.list('setup-keys').length === keys,
    );
  });
});
