import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/supergraph.js';
import { CurrentGraph, graphOf } from '../../../gateway/graphql/current-graph.js';
import { ViewerQueue } from '../../../gateway/graphql/viewer-queue.js';
import { Revocations } from '../../../gateway/graphql/subscriptions/revocations.js';
import { addSockets } from '../../../gateway/websocket/socket.js';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { Subscribers } from '../../../kernel/events/fan-out/subscribers.js';
import { SharedSubscription } from '../../../kernel/events/fan-out/shared-subscription.js';
import { packageRoot } from '../../../kernel/package-root.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import { subgraphSchema } from '../../../kernel/subgraph/subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { UserViewer } from '../../../kernel/security/viewer.js';
import { addUser } from '../../../subgraphs/accounts/identity/user/user.actions.js';
import type { CreditBalance } from '../../../subgraphs/accounts/ledger/credit/credit-balance.js';
import { balanceTopic, postTransfer } from '../../../subgraphs/accounts/ledger/transfer/transfer.actions.js';
import { accounts } from '../../../subgraphs/accounts/subgraph.js';
import { newDatabase } from '../../kit/own-database.js';
import { graphql, type Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { until } from '../../kit/watch.js';
import { grant, newWallet, signIn } from '../../kit/wallet.js';

const BALANCE = 'subscription { creditBalanceChanged { balance } }';
const balanceIn = ({ data }: Json): string => data.creditBalanceChanged.balance;

const log = openLog('silent', 'tests');
const now = () => new Date();
const changes = new Subscribers();
const statements: string[] = [];
const executed = new Map<AbortSignal, number>();
let database: Database;
let http: Server;
let close: () => void;
let url: string;
beforeAll(async () => {
  database = await openDatabase({ url: await newDatabase(), schema: 'accounts', log });
  const counted: Pick<Database, 'run'> = {
    run: (query, values) => {
      statements.push(query.name);
      return database.run(query, values);
    },
  };
  const runtime = {
    database: counted,
    events: { subscribe: (topics: readonly string[], signal: AbortSignal) => changes.add(topics, signal) },
    services: { balances: new SharedSubscription<CreditBalance>({ everyMs: 0, isReadForJoiners: true }) },
    log,
  };
  const subgraph = new LocalSubgraph(subgraphSchema(accounts), runtime as Partial<Runtime> as Runtime);
  const subscribe = subgraph.subscribe.bind(subgraph);
  jest.spyOn(subgraph, 'subscribe').mockImplementation((request, signal) => {
    executed.set(signal, 'userId' in request.viewer ? request.viewer.userId : 0);
    signal.addEventListener('abort', () => executed.delete(signal), { once: true });
    return subscribe(request, signal);
  });
  const supergraph = readSupergraph(readFileSync(join(packageRoot(), 'schema/supergraph.graphql'), 'utf8'));
  const engine = new Engine(supergraph, new Map([['accounts', subgraph]]));
  http = createServer();
  close = addSockets(http, {
    graph: new CurrentGraph(graphOf(engine, { isLimited: true })),
    access: {
      viewerQueue: new ViewerQueue(),
      revocations: new Revocations(subgraph, log),
      findViewer: (authorization = '') => Promise.resolve(viewerIn(authorization)),
    },
    log,
    countOperation: () => undefined,
    clientAddressOf: () => '127.0.0.1',
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  close();
  http.close();
  await database.close();
});

/** The token of this test is the id of the user, and another word for another token of the user. */
function viewerIn(authorization: string): UserViewer {
  const token = authorization.split(' ')[1] ?? '';
  const user = { kind: 'user', username: 'a-test', substrateAddress: null, roles: [] } as const;
  return { ...user, userId: Number.parseInt(token, 10), tokenId: token, expiresAt: null };
}

/** How many subscriptions of the user the subgraph executes. */
function executedFor(userId: number): number {
  return [...executed.values()].filter((id) => id === userId).length;
}

async function newUser(): Promise<number> {
  const userId = await database.change((transaction) =>
    addUser(transaction, { username: randomUUID(), ethereumAddress: null, roles: [] }, now()),
  );
  return userId ?? 0;
}

async function grantTo(userId: number): Promise<void> {
  const transfer = { source: 'administrator', reference: randomUUID(), kind: 'grant', reason: 'a test' } as const;
  await database.change((transaction) => postTransfer(transaction, { ...transfer, userId, credits: '1' }, now()));
  changes.deliver(balanceTopic(userId));
}

let sockets: TestSocket[];
beforeEach(() => {
  sockets = [];
});
afterEach(() => {
  for (const socket of sockets) socket.drop();
});

async function watch(userId: number, id = '1', token = ''): Promise<TestSocket> {
  const socket = await TestSocket.open(`${userId}${token}`, url);
  sockets.push(socket);
  socket.subscribe(id, BALANCE);
  await socket.result(id, 1);
  return socket;
}

async function statementsOfChange(userId: number, watching: readonly TestSocket[]): Promise<string[]> {
  statements.length = 0;
  const known = watching.map((socket) => socket.results('1').length);
  await grantTo(userId);
  await Promise.all(watching.map((socket, index) => socket.result('1', (known[index] ?? 0) + 1)));
  return [...statements];
}

describe('one change for many sockets of a user', () => {
  it('takes as many statements as for one, and tells another user nothing', async () => {
    const [userId, anotherId] = [await newUser(), await newUser()];
    const another = await watch(anotherId);
    const first = await watch(userId);
    expect(await statementsOfChange(userId, [first])).toEqual(['balance-of-user']);
    const all = [first, ...(await Promise.all(Array.from({ length: 15 }, () => watch(userId))))];
    expect(await statementsOfChange(userId, all)).toEqual(['balance-of-user']);
    expect(all.map((socket) => socket.results('1').map(balanceIn))).toEqual([
      ['0', '1', '2'],
      ...Array.from({ length: 15 }, () => ['1', '2']),
    ]);
    expect(another.results('1').map(balanceIn)).toEqual(['0']);
    expect([executedFor(userId), executedFor(anotherId)]).toEqual([1, 1]);
  });

  it('is the same message but for the id of the operation', async () => {
    const userId = await newUser();
    const [one, other] = [await watch(userId, 'one'), await watch(userId, '"2"')];
    await grantTo(userId);
    await Promise.all([one.result('one', 2), other.result('"2"', 2)]);
    const payload = { data: { creditBalanceChanged: { balance: '1' } } };
    expect(one.messages.at(-1)).toEqual({ id: 'one', type: 'next', payload });
    expect(other.messages.at(-1)).toEqual({ id: '"2"', type: 'next', payload });
  });

  it('is executed again for another token and for other variables', async () => {
    const userId = await newUser();
    const first = await watch(userId);
    await watch(userId, '1', '-another');
    expect(executedFor(userId)).toBe(2);
    const payload = { query: BALANCE, variables: { unused: 1 } };
    first.send({ id: '2', type: 'subscribe', payload });
    await first.result('2', 1);
    expect(executedFor(userId)).toBe(3);
  });

  it('is executed for nobody when the last socket has gone', async () => {
    const userId = await newUser();
    const [first, second] = [await watch(userId), await watch(userId)];
    first.send({ id: '1', type: 'complete' });
    await until(async () => second.messages.length > 0 && executedFor(userId) === 1);
    second.drop();
    await until(async () => executedFor(userId) === 0);
  });

  it('still comes when the socket that was first has gone', async () => {
    const userId = await newUser();
    const [first, second] = [await watch(userId), await watch(userId)];
    await grantTo(userId);
    await Promise.all([first.result('1', 2), second.result('1', 2)]);
    first.send({ id: '1', type: 'complete' });
    first.subscribe('2', '{ __typename }');
    await first.result('2', 1);
    await grantTo(userId);
    expect(balanceIn(await second.result('1', 3))).toBe('2');
    expect(first.results('1')).toHaveLength(2);
  });

  it('does not wait for a slow reader, which skips changes and gets the latest', async () => {
    const userId = await newUser();
    // Each message repeats the id, so messages soon fill the buffers of the network.
    const id = 'x'.repeat(60_000);
    const [slow, fast] = [await watch(userId, id), await watch(userId)];
    slow.stopReading();
    const count = 300;
    for (let number = 1; number <= count; number++) {
      await grantTo(userId);
      expect(balanceIn(await fast.result('1', number + 1))).toBe(`${number}`);
    }
    slow.readAgain();
    let last = 1;
    while (balanceIn(await slow.result(id, last)) !== `${count}`) last++;
    expect(last).toBeLessThan(count);
  }, 60_000);
});

describe('two tokens of a user', () => {
  it('get the same until one is revoked; the sockets of the other stay', async () => {
    const wallet = newWallet();
    const [revoked, kept] = [await signIn(wallet), await signIn(wallet)];
    const [closing, open] = [await TestSocket.open(revoked.token), await TestSocket.open(kept.token)];
    sockets.push(closing, open);
    for (const socket of sockets) {
      socket.subscribe('1', BALANCE);
      await socket.result('1', 1);
    }
    await grant(kept, '1');
    for (const socket of sockets) expect(balanceIn(await socket.result('1', 2))).toBe('1');
    const { data } = await graphql('{ tokens { id isCurrent } }', { token: revoked.token });
    const { id } = data.tokens.find(({ isCurrent }: Json) => isCurrent);
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token: kept.token, variables: { id } });
    expect((await closing.closing()).code).toBe(4403);
    await grant(kept, '1');
    expect(balanceIn(await open.result('1', 3))).toBe('2');
    expect(open.closed).toBeUndefined();
  });
});
