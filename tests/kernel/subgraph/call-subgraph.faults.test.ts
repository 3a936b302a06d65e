import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSubgraphCalls, type CallSubgraph } from '../../../kernel/subgraph/call-subgraph.js';
import { errorCode } from '../../../kernel/errors.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { remoteEndpointOf } from '../../../kernel/subgraph/endpoint/caller-headers.js';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const SECRET = 'the-secret-between-subgraphs';

let platform: RunningPlatform;
let accounts: RemoteSubgraphClient;
let callSubgraph: CallSubgraph;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase({ SUBGRAPH_SECRET: SECRET });
  accounts = new RemoteSubgraphClient(remoteEndpointOf('accounts', `${platform.url}/_subgraphs/accounts`, SECRET));
  callSubgraph = openSubgraphCalls('infrastructure', () => accounts);
  user = await signIn(undefined, platform.url);
  const grant = `mutation ($to: String!) { adminGrantCredits(substrateAddress: $to, credits: "10", reason: "x") { balance } }`;
  await asAdmin(grant, { to: user.substrateAddress }, platform.url);
}, 60_000);
afterAll(async () => {
  await accounts.close();
  await platform.stop();
});

/** Asks for one mutation as another subgraph does. */
function asInfrastructure(field: string, variables: Record<string, unknown> = {}): Promise<Json> {
  const document = `mutation Asked($userId: Int!, $reference: String!, $expiresAt: DateTimeISO!) { ${field} }`;
  const given = { userId: user.userId, reference: 'vm-1', expiresAt: new Date(Date.now() + 3_600_000), ...variables };
  return callSubgraph(
    { subgraph: 'accounts', document, read: (data) => Object.values(data)[0] as Json },
    given,
    'of-the-tests',
  );
}

const PLACE = (credits: string) =>
  `placeHold(userId: $userId, source: "vm", reference: $reference, credits: "${credits}", reason: "a machine", expiresAt: $expiresAt) { state remaining }`;
const SETTLE = (settlement: string, credits: string) =>
  `settleHold(source: "vm", reference: $reference, settlement: "${settlement}", credits: "${credits}") { state settled remaining }`;
const SPEND = (credits: string) =>
  `spendCredits(userId: $userId, source: "vm", reference: $reference, credits: "${credits}", reason: "a machine") { balance held }`;

describe('another subgraph', () => {
  it('holds, settles in part and releases', async () => {
    expect([
      await asInfrastructure(PLACE('4')),
      await asInfrastructure(PLACE('4')),
      await asInfrastructure(SETTLE('hour 1', '1.5')),
      await asInfrastructure(SETTLE('hour 1', '1.5')),
      await asInfrastructure('releaseHold(source: "vm", reference: $reference) { state settled remaining }'),
    ]).toEqual([
      { state: 'open', remaining: '4' },
      { state: 'open', remaining: '4' },
      { state: 'open', settled: '1.5', remaining: '2.5' },
      { state: 'open', settled: '1.5', remaining: '2.5' },
      { state: 'released', settled: '1.5', remaining: '0' },
    ]);
  });

  it('spends once for one reference', async () => {
    expect([await asInfrastructure(SPEND('1')), await asInfrastructure(SPEND('1'))]).toEqual([
      { balance: '7.5', held: '0' },
      { balance: '7.5', held: '0' },
    ]);
  });

  it('is told that credits are missing', async () => {
    const refused = [PLACE('100'), SPEND('100')].map((field) =>
      asInfrastructure(field, { reference: 'vm-2' }).catch(errorCode),
    );
    expect(await Promise.all(refused)).toEqual(['PAYMENT_REQUIRED', 'PAYMENT_REQUIRED']);
  });

  it('is told that there is no such user, or hold', async () => {
    expect([
      await asInfrastructure(SPEND('1'), { userId: 2 ** 31 - 1, reference: 'vm-3' }).catch(errorCode),
      await asInfrastructure(SETTLE('1', '1'), { reference: 'vm-3' }).catch(errorCode),
    ]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  it('is told that an identity stood for something else', async () => {
    expect(await asInfrastructure(SPEND('2')).catch(errorCode)).toBe('CONFLICT');
  });

  it.each(['0', '-1'])('does not move %s credits', async (credits) => {
    expect(await asInfrastructure(SPEND(credits), { reference: 'vm-4' }).catch(errorCode)).toBe('UNAVAILABLE');
  });

  it('tells a user something once for a key', async () => {
    const tell =
      'tellUser(userId: $userId, kind: low_credit, key: $reference, title: "t", text: "x", link: "/machines")';
    const document = `mutation Asked($userId: Int!, $reference: String!) { ${tell} }`;
    const notified = () =>
      callSubgraph(
        { subgraph: 'accounts', document, read: (data) => data.tellUser as boolean },
        { userId: user.userId, reference: 'vm:1:1' },
        'of-the-tests',
      );
    expect([await notified(), await notified()]).toEqual([true, false]);
  });

  it('leaves what it spent in the statement', async () => {
    const query = '{ statement { lines { amount kind source link reason } } }';
    const { data } = await graphql(query, { token: user.token, url: platform.url });
    expect(data.statement.lines.slice(0, 2)).toEqual([
      { amount: '-1', kind: 'spending', source: 'vm', link: 'vm-1', reason: 'a machine' },
      { amount: '-1.5', kind: 'settlement', source: 'vm', link: 'vm-1', reason: 'a machine' },
    ]);
  });
});

describe('nobody else', () => {
  it('finds these mutations', async () => {
    const query = 'mutation { releaseHold(source: "vm", reference: "vm-1") { state } }';
    expect(codeOf(await graphql(query, { token: user.token, url: platform.url }))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('may use them, also over HTTP', async () => {
    const viewer = { kind: 'user', userId: user.userId, roles: ['SUPERUSER'], substrateAddress: null };
    const { body } = await call('POST /_subgraphs/accounts', {
      url: platform.url,
      body: { query: 'mutation { releaseHold(source: "vm", reference: "vm-1") { state } }' },
      headers: {
        'x-subgraph-secret': SECRET,
        'x-viewer': Buffer.from(JSON.stringify(viewer)).toString('base64url'),
      },
    });
    expect(codeOf(body)).toBe('FORBIDDEN');
  });
});
