import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, type Reply } from '../../../kit/platform.js';
import { TestSocket } from '../../../kit/socket.js';
import { signIn } from '../../../kit/accounts/wallet.js';

const newQuery = () => `query Q($a: Boolean = false) { __typename me @include(if: $a) { id } } # ${randomUUID()}`;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const persistedOf = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(text) } });

const post = (body: object) => call('POST /graphql', { body });
const get = (parameters: Readonly<Record<string, string>>) =>
  call(`GET /graphql?${new URLSearchParams(parameters).toString()}`);

const DATA = { data: { __typename: 'Query' } };
const answerOf = ({ status, body }: Reply) => ({ status, body });
const codeWithStatus = ({ status, body }: Reply) => ({ status, code: codeOf(body) });

describe('a persisted query', () => {
  it('is unknown until a client sends it with its hash, and then answers by hash', async () => {
    const query = newQuery();
    const byHash = () => post({ extensions: persistedOf(query) });
    expect(codeWithStatus(await byHash())).toEqual({ status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' });
    expect(answerOf(await post({ query, extensions: persistedOf(query) }))).toEqual({ status: 200, body: DATA });
    for (let i = 0; i < 2; i++) expect(answerOf(await byHash())).toEqual({ status: 200, body: DATA });
  });

  it('is kept also when its operation was planned before', async () => {
    const query = newQuery();
    await post({ query });
    await post({ query, extensions: persistedOf(query) });
    expect((await post({ extensions: persistedOf(query) })).body).toEqual(DATA);
  });

  it('answers a GET by hash', async () => {
    const query = newQuery();
    const extensions = JSON.stringify(persistedOf(query));
    expect(codeWithStatus(await get({ extensions }))).toEqual({ status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' });
    expect((await get({ query, extensions })).body).toEqual(DATA);
    expect(answerOf(await get({ extensions }))).toEqual({ status: 200, body: DATA });
    expect((await post({ extensions: persistedOf(query) })).body).toEqual(DATA);
  });

  it('answers server-sent events by hash, and keeps the document of such a request', async () => {
    const query = newQuery();
    const headers = { accept: 'text/event-stream' };
    const extensions = JSON.stringify(persistedOf(query));
    const answer = `event: next\ndata: ${JSON.stringify(DATA)}\n\n`;
    expect((await call('POST /graphql', { body: { query, extensions: persistedOf(query) }, headers })).text).toContain(
      answer,
    );
    const byPost = await call('POST /graphql', { body: { extensions: persistedOf(query) }, headers });
    const byGet = await call(`GET /graphql?${new URLSearchParams({ extensions }).toString()}`, { headers });
    for (const { text } of [byPost, byGet]) expect(text).toContain(answer);
    expect((await call('GET /graphql', { headers })).status).toBe(400);
  });

  it('takes variables and the name of an operation', async () => {
    const query = newQuery();
    await post({ query, extensions: persistedOf(query) });
    const { body } = await post({ extensions: persistedOf(query), operationName: 'Q', variables: { a: true } });
    expect(codeOf(body)).toBe('UNAUTHENTICATED');
  });

  it('is not kept when it is invalid', async () => {
    const query = `{ nothing } # ${randomUUID()}`;
    expect(codeOf((await post({ query, extensions: persistedOf(query) })).body)).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(codeOf((await post({ extensions: persistedOf(query) })).body)).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it.each([
    ['the hash of another document', { version: 1, sha256Hash: hashOf('{ me { id } }') }, 'BAD_REQUEST', 400],
    ['a hash that is no text', { version: 1, sha256Hash: 7 }, 'BAD_REQUEST', 400],
    ['no hash', { version: 1 }, 'BAD_REQUEST', 400],
    ['another version', { version: 2, sha256Hash: 'x' }, 'PERSISTED_QUERY_NOT_SUPPORTED', 200],
  ])('with %s is refused', async (_, persistedQuery, code, status) => {
    const query = newQuery();
    expect(codeWithStatus(await post({ query, extensions: { persistedQuery } }))).toEqual({ status, code });
    const extensions = JSON.stringify({ persistedQuery });
    expect(codeWithStatus(await get({ query, extensions }))).toEqual({ status, code });
  });
});

describe('a persisted query on a websocket', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await signIn());
  });

  it.each([
    ['no query', undefined],
    ['a query that is null', null],
    ['an empty query', ''],
  ])('with %s is refused until it was sent with its hash, and the socket stays open', async (_, none) => {
    const query = newQuery();
    const extensions = persistedOf(query);
    const socket = await TestSocket.open(token);
    const byHash = (id: string) => socket.send({ id, type: 'subscribe', payload: { query: none, extensions } });
    byHash('1');
    expect(await socket.failure('1')).toEqual([
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
    socket.subscribe('2', query, extensions);
    expect(await socket.result('2', 1)).toEqual(DATA);
    byHash('3');
    expect(await socket.result('3', 1)).toEqual(DATA);
    socket.close();
  });

  it('is known when it was sent over HTTP, and over HTTP when it was sent here', async () => {
    const [first, second] = [newQuery(), newQuery()];
    await post({ query: first, extensions: persistedOf(first) });
    const socket = await TestSocket.open(token);
    socket.send({ id: '1', type: 'subscribe', payload: { extensions: persistedOf(first) } });
    expect(await socket.result('1', 1)).toEqual(DATA);
    socket.subscribe('2', second, persistedOf(second));
    await socket.completion('2');
    expect((await post({ extensions: persistedOf(second) })).body).toEqual(DATA);
    socket.close();
  });

  it('can be a subscription, with variables and the name of an operation', async () => {
    const query = `subscription S($h: Boolean = true) { creditBalanceChanged { balance held @include(if: $h) } } # ${randomUUID()}`;
    const extensions = persistedOf(query);
    const socket = await TestSocket.open(token);
    socket.subscribe('1', query, extensions);
    expect(await socket.result('1', 1)).toEqual({ data: { creditBalanceChanged: { balance: '0', held: '0' } } });
    socket.send({ id: '2', type: 'subscribe', payload: { extensions, operationName: 'S', variables: { h: false } } });
    expect(await socket.result('2', 1)).toEqual({ data: { creditBalanceChanged: { balance: '0' } } });
    socket.close();
  });

  it.each([
    ['another version', { version: 2, sha256Hash: 'x' }, 'PERSISTED_QUERY_NOT_SUPPORTED'],
    ['no hash', { version: 1 }, 'BAD_REQUEST'],
    ['a text', 'x', 'PERSISTED_QUERY_NOT_SUPPORTED'],
  ])('with %s is refused as over HTTP', async (_, persistedQuery, code) => {
    const socket = await TestSocket.open(token);
    socket.send({ id: '1', type: 'subscribe', payload: { extensions: { persistedQuery } } });
    expect(codeOf({ errors: await socket.failure('1') })).toBe(code);
    expect(socket.closed).toBeUndefined();
    socket.close();
  });

  it('is the only operation that may lack its query: others close the socket with 4400', async () => {
    const socket = await TestSocket.open(token);
    socket.send({ id: '1', type: 'subscribe', payload: { extensions: {} } });
    expect((await socket.closing()).code).toBe(4400);
  });
});
