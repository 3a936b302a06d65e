import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { withEntityBatches } from '../../../kernel/subgraph/remote/entity-batches.js';
import { FetchPool } from '../../../kernel/subgraph/remote/fetch-pool.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { remoteEndpointOf } from '../../../kernel/subgraph/endpoint/caller-headers.js';
import { until } from '../../kit/watch.js';

const MAX_SOCKETS = 64;
const MAX_BYTES = 1_000;
const TIMEOUT_MS = 20_000;

let server: Server;
let connections = 0;
/** Requests that wait for their answer, with their bodies. */
let held: { readonly body: string; readonly response: ServerResponse }[];
let pool: FetchPool;
beforeEach(async () => {
  [connections, held] = [0, []];
  server = createServer((request, response) => {
    void text(request).then((body) => (body.startsWith('wait') ? held.push({ body, response }) : response.end(body)));
  });
  server.on('connection', () => connections++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  pool = new FetchPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, MAX_BYTES);
});
afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

const post = (body: string, { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  pool.post({ text: body, headers: { 'content-type': 'application/json' }, signal, timeoutMs });

describe('fetches from a subgraph over HTTP', () => {
  it('use connections again', async () => {
    for (let i = 0; i < 9; i++) expect(await post(`text ${i} ü`)).toBe(`text ${i} ü`);
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('wait when 64 are at work, and are not sent when they are aborted meanwhile', async () => {
    const left = new AbortController();
    const all = Array.from({ length: MAX_SOCKETS }, async (_, at) => post(`wait ${at}`));
    await until(async () => held.length === MAX_SOCKETS);
    const aborted = post('wait aborted', { signal: left.signal });
    const last = post('wait last');
    left.abort();
    await expect(aborted).rejects.toThrow('aborted');
    held[0]?.response.end('first');
    await until(async () => held.length > MAX_SOCKETS);
    for (const { response } of held.slice(1)) response.end('other');
    expect(await last).toBe('other');
    expect((await Promise.all(all))[0]).toBe('first');
    expect([connections, held.at(-1)?.body]).toEqual([MAX_SOCKETS, 'wait last']);
  });

  it('end at the subgraph when they are aborted, or last too long', async () => {
    const left = new AbortController();
    const [aborted, late] = [post('wait 1', { signal: left.signal }), post('wait 2', { timeoutMs: 200 })];
    const lateEnds = expect(late).rejects.toThrow('aborted');
    await until(async () => held.length === 2);
    held.find(({ body }) => body === 'wait 2')?.response.write('beginning');
    left.abort();
    await expect(aborted).rejects.toThrow('aborted');
    await lateEnds;
    await until(async () => held.every(({ response }) => response.destroyed));
    expect(await post('text')).toBe('text');
  });

  it('are not sent when they are aborted before', async () => {
    await expect(post('text', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(connections).toBe(0);
  });

  it('fail when the answer is too large, or is cut', async () => {
    await expect(post('x'.repeat(MAX_BYTES + 1))).rejects.toThrow();
    const cut = expect(post('wait')).rejects.toThrow();
    await until(async () => held.length === 1);
    held[0]?.response.writeHead(200, { 'content-length': 10 }).write('begin');
    held[0]?.response.socket?.end();
    await cut;
  });

  it('end when the pool is closed', async () => {
    const ended = expect(post('wait')).rejects.toThrow();
    await until(async () => held.length === 1);
    await pool.close();
    await ended;
  });
});

describe('the response of a subgraph', () => {
  const ANSWER = '{"data":{"book":"a"}}';

  /** Asks a subgraph whose answer ends with spaces. */
  async function ask(length: number): Promise<unknown> {
    const whole = Buffer.alloc(length, ' ');
    whole.write(ANSWER);
    const subgraph = createServer((_, response) => void response.end(whole)).listen(0, '127.0.0.1');
    await once(subgraph, 'listening');
    const url = `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/`;
    const client = new RemoteSubgraphClient(remoteEndpointOf('books', url, 'a-secret'));
    try {
      return await client.execute({ query: '{ book }', variables: {}, viewer: ANONYMOUS, requestId: 'tests' });
    } finally {
      await client.close();
      subgraph.closeAllConnections();
      subgraph.close();
    }
  }

  it('is read up to 64 MiB', async () => {
    expect(await ask(2 ** 26)).toEqual(JSON.parse(ANSWER));
    await expect(ask(2 ** 26 + 1)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  });
});

describe('entity fetches that begin at the same time', () => {
  it('are one HTTP request', async () => {
    const { port } = server.address() as AddressInfo;
    const endpoint = remoteEndpointOf('books', `http://127.0.0.1:${port}`, 'a-secret');
    const client = withEntityBatches(new RemoteSubgraphClient(endpoint));
    const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';
    const request = { query, variables: { representations: [] }, viewer: ANONYMOUS, requestId: 'tests' };
    const bodies: string[] = [];
    server.removeAllListeners('request').on('request', (incoming, response) => {
      void text(incoming)
        .then((body) => bodies.push(body))
        .then(() => response.end('{"data":{"entities0":[],"entities1":[null]}}'));
    });
    const results = await Promise.all([client.execute(request), client.execute(request)]);
    expect(results).toEqual([{ data: { _entities: [] } }, { data: { _entities: [null] } }]);
    expect(bodies).toHaveLength(1);
    await client.close();
  });
});
