import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call, type Json, type Reply } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

let platform: RunningPlatform;
let token: string;
beforeAll(async () => {
  platform = await startOnDatabase({ LOG_LEVEL: 'info' });
  ({ token } = await signIn(undefined, platform.url));
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

const send = (body: object, signedIn?: string): Promise<Reply> =>
  call('POST /graphql', { url: platform.url, body, ...(signedIn !== undefined && { token: signedIn }) });

const linesOf = (requestId: string | null): Json[] =>
  platform.processes
    .flatMap((process) => process.output().split('\n'))
    .filter((line) => line.startsWith('{') && line.includes(`"requestId":"${requestId}"`) && line.endsWith('}'))
    .map((line) => JSON.parse(line));

/** What the log says of this request. */
async function logged({ headers }: Reply): Promise<Json> {
  const found = () => linesOf(headers.get('x-request-id')).find(({ msg }) => msg === 'request');
  await until(async () => found() !== undefined);
  return found();
}

const series = async (): Promise<string[]> => {
  const { text } = await call('GET /metrics', { url: platform.url });
  return text.split('\n').filter((line) => line.startsWith('graphql_operations_total{'));
};

describe('the log of a GraphQL request', () => {
  it.each([
    ['query NameOfTheTests { me { id } }', [], 'me', 'NameOfTheTests'],
    ['query NameOfTheTests { own: me { id } }', [], 'me', 'NameOfTheTests'],
    ['{ me { id } creditBalance { balance } }', [], 'several', undefined],
    ['query Of { ...F } fragment F on Query { me { id } }', [], 'several', 'Of'],
    ['{ __schema { queryType { name } } }', [], '__schema', undefined],
    ['query Of { creditBalances { count } }', ['FORBIDDEN'], 'creditBalances', 'Of'],
    [`query ${'N'.repeat(200)} { me { id } }`, [], 'me', 'N'.repeat(64)],
  ])('names the operation and its codes: %s', async (query, codes, field, name) => {
    const reply = await send({ query }, token);
    expect(await logged(reply)).toMatchObject({
      route: '/graphql',
      status: reply.status,
      operation: { type: 'query', field, codes, ...(name !== undefined && { name }) },
    });
  });

  it('names each code once', async () => {
    const reply = await send({ query: '{ a: creditBalance { balance } b: creditBalance { balance } }' });
    expect((await logged(reply)).operation).toEqual({ type: 'query', field: 'several', codes: ['UNAUTHENTICATED'] });
  });

  it.each([
    ['{ nonsense }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{', 'GRAPHQL_PARSE_FAILED'],
  ])('names the code of a document that is refused: %s', async (query, code) => {
    expect((await logged(await send({ query }))).operation).toEqual({ type: 'none', field: 'none', codes: [code] });
  });

  it('tells nothing of the variables', async () => {
    const query = 'query ($of: String) { creditBalance(substrateAddress: $of) { balance } }';
    const reply = await send({ query, variables: { of: 'a-secret-of-the-tests' } }, token);
    expect(JSON.stringify(await logged(reply))).not.toContain('a-secret-of-the-tests');
  });
});

describe('the metrics of GraphQL', () => {
  it('count operations by type, root field and code', async () => {
    await send({ query: 'mutation { revokeToken(id: "x") }' });
    expect(await series()).toContain(
      'graphql_operations_total{type="mutation",operation="revokeToken",code="UNAUTHENTICATED"} 1',
    );
  });

  it('have no more series however clients name their operations and fields', async () => {
    await send({ query: '{ __typename }' });
    const before = (await series()).length;
    for (let n = 0; n < 30; n++)
      await send({ query: `query Name${n} { alias${n}: __typename }`, operationName: `Name${n}` });
    const after = await series();
    expect([after.length, after.filter((line) => /Name\d|alias/.test(line))]).toEqual([before, []]);
  });
});

describe('an operation on a websocket', () => {
  let socket: TestSocket;
  beforeEach(async () => {
    socket = await TestSocket.open(token, platform.url);
  });
  afterEach(() => socket.close());

  const lines = (): Json[] =>
    platform.processes
      .flatMap((process) => process.output().split('\n'))
      .filter((line) => line.includes('"msg":"socket operation"') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
  const named = (name: string): Json[] => lines().filter(({ operation }) => operation.name === name);
  const counted = async (type: string, operation: string, code: string): Promise<number> => {
    const labels = `{type="${type}",operation="${operation}",code="${code}"}`;
    const line = (await series()).find((text) => text.startsWith(`graphql_operations_total${labels}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  it.each([
    ['query', 'me', 'OK', 'query OnSocket1 { own: me { id } }'],
    ['query', 'creditBalances', 'FORBIDDEN', 'query OnSocket2 { creditBalances { count } }'],
    ['mutation', 'revokeToken', 'NOT_FOUND', 'mutation OnSocket3 { revokeToken(id: "0") }'],
  ])('is logged and counted when it is answered: %s of %s, %s', async (type, field, code, query) => {
    const before = await counted(type, field, code);
    const name = /OnSocket\d/.exec(query)?.[0] ?? '';
    socket.subscribe('1', query);
    await socket.result('1', 1);
    await until(async () => named(name).length > 0);
    expect(named(name)).toEqual([
      expect.objectContaining({
        requestId: expect.any(String),
        ms: expect.any(Number),
        operation: { type, name, field, codes: code === 'OK' ? [] : [code] },
      }),
    ]);
    expect(await counted(type, field, code)).toBe(before + 1);
  });

  it.each<[string, (open: TestSocket) => void]>([
    ['Completed', (open) => open.send({ id: '1', type: 'complete' })],
    ['Dropped', (open) => open.drop()],
  ])('that goes on is logged and counted once, when it ends: %s', async (name, end) => {
    const before = await counted('subscription', 'creditBalanceChanged', 'OK');
    socket.subscribe('1', `subscription ${name} { creditBalanceChanged { balance } }`);
    await socket.result('1', 1);
    expect(named(name)).toEqual([]);
    end(socket);
    await until(async () => named(name).length > 0);
    const operation = { type: 'subscription', name, field: 'creditBalanceChanged', codes: [] };
    expect(named(name)).toEqual([expect.objectContaining({ operation })]);
    expect(await counted('subscription', 'creditBalanceChanged', 'OK')).toBe(before + 1);
  });

  it('whose document is refused is logged and counted by its code alone', async () => {
    const before = await counted('none', 'none', 'GRAPHQL_VALIDATION_FAILED');
    socket.subscribe('1', 'subscription Refused { nonsense }');
    await socket.failure('1');
    const refused = () => lines().filter(({ operation }) => operation.type === 'none');
    await until(async () => refused().length > 0);
    const operation = { type: 'none', field: 'none', codes: ['GRAPHQL_VALIDATION_FAILED'] };
    expect(refused()).toEqual([expect.objectContaining({ operation })]);
    expect(await counted('none', 'none', 'GRAPHQL_VALIDATION_FAILED')).toBe(before + 1);
  });
});
