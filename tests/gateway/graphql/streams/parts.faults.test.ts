import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeServices } from '@apollo/composition';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as settled } from 'node:timers/promises';
import { createApp } from '../../../../gateway/app.js';
import { Engine } from '../../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../../gateway/engine/supergraph/read-supergraph.js';
import { CurrentGraph, graphOf } from '../../../../gateway/graphql/current-graph.js';
import { addGraphQL } from '../../../../gateway/graphql/handler.js';
import { ANONYMOUS } from '../../../../kernel/security/viewer.js';
import type { Context, Runtime } from '../../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../../kernel/subgraph/local-subgraph.js';
import type { SubgraphRequest, SubgraphResult } from '../../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { METRICS } from '../../../../kernel/telemetry/metrics.js';
import { valueOf } from '../../../kit/telemetry/metrics.js';
import { until } from '../../../kit/watch.js';

const LIMIT_MS = 200;
const TYPES = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { book: Book! } type Mutation { add: Book! } type Subscription { changed: Book! } type Book @key(fields: "id") { id: ID! }`;
const MORE = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Book @key(fields: "id") { id: ID! long: String never: String held: String }`;

/** More than the buffers of both ends hold. */
const LONG = 'x'.repeat(8 * 1024 * 1024);

/** The requests that the subgraphs got. */
let requests: SubgraphRequest[];
/** How many of them were aborted. */
let aborted = 0;
/** Answer the field `held`. */
let releases: (() => void)[];

/** Answers the field `never` when its request is aborted, as a subgraph over HTTP. */
class Subgraph extends LocalSubgraph {
  override async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    requests.push(request);
    if (request.query.includes('never') && request.signal && !request.signal.aborted) {
      await once(request.signal, 'abort');
      aborted++;
    }
    return super.execute(request);
  }
}

let engine: Engine;
let app: FastifyInstance;
let stop: () => Promise<void>;
beforeEach(() => {
  [requests, aborted, releases] = [[], 0, []];
});
afterEach(async () => {
  await app.close();
  await stop();
});

async function open(limits: { readonly maxPartsMs?: number; readonly slowReaderTimeoutMs?: number }): Promise<void> {
  const log = openLog('silent', 'tests');
  const runtime = { log } as Partial<Runtime> as Runtime;
  const book = () => ({ id: '1' });
  const held = () => new Promise<void>((resolve) => releases.push(resolve));
  const resolvers = { Book: { __resolveReference: (key: object) => ({ ...key, long: LONG, never: null }), held } };
  const changed = { subscribe: (_: unknown, __: unknown, { signal }: Context) => once(signal, 'abort') };
  const modules = {
    books: {
      typeDefs: parse(TYPES),
      resolvers: { Query: { book }, Mutation: { add: book }, Subscription: { changed } },
    },
    more: { typeDefs: parse(MORE), resolvers },
  };
  const services = Object.entries(modules).map(([name, { typeDefs }]) => ({ name, url: '', typeDefs }));
  const { supergraphSdl = '' } = composeServices(services);
  const clients = Object.entries(modules).map(
    ([name, module]) => [name, new Subgraph(buildSubgraphSchema([module]), runtime)] as const,
  );
  engine = new Engine(readSupergraph(supergraphSdl), new Map(clients));
  app = await createApp(log, undefined, limits);
  const graph = new CurrentGraph(graphOf(engine, { isLimited: false }));
  stop = await addGraphQL(app, { graph, viewers: undefined, log, ...limits });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

async function ask(query: string, accept = PARTS): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const body = JSON.stringify({ query });
  const type = `Content-Type: application/json\r\nAccept: ${accept}`;
  socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

/** Sends the headers of a request, and waits until the server asks for its body. */
async function begin(contentLength: number, accept: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const type = `Content-Type: application/json\r\nAccept: ${accept}\r\nExpect: 100-continue`;
  socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${contentLength}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('100 Continue');
  return socket;
}

const openSockets = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
const closedSlowReaders = async () =>
  valueOf(await METRICS.text('prometheus'), 'slow_readers_closed_total{protocol="http"}') ?? 0;

const PARTS = 'multipart/mixed;deferSpec=20220824';
const EVENTS = 'text/event-stream';

describe('an operation', () => {
  it.each([
    ['application/json', '{ book { id } }', 1],
    [EVENTS, '{ book { id } }', 1],
    [EVENTS, 'mutation { add { id } }', 1],
    [EVENTS, '{ book { id ... @defer { long } } }', 2],
    [PARTS, '{ book { id ... @defer { long } } }', 2],
    [PARTS, 'mutation { add { id ... @defer { long } } }', 2],
  ])('is executed once for a client that accepts %s: %s', async (accept, query, fetches) => {
    await open({});
    for (const times of [1, 2]) {
      const socket = await ask(query, `${accept}\r\nConnection: close`);
      for await (const _ of socket);
      expect(requests).toHaveLength(times * fetches);
    }
    await app.close();
    expect(requests).toHaveLength(2 * fetches);
  });
});

describe('a subscription', () => {
  it('is refused when its body comes after the server has begun to stop', async () => {
    await open({});
    const body = JSON.stringify({ query: 'subscription { changed { id } }' });
    const socket = await begin(body.length, EVENTS);
    const closing = app.close();
    await until(async () => !app.server.listening);
    socket.write(body);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('503 Service Unavailable');
    socket.destroy();
    await closing;
  });
});

describe('an answer in parts', () => {
  it('ends with the fetches that have begun, when its client leaves', async () => {
    await open({});
    const planned = engine.plan(parse('{ book { id ... @defer { held } } }'));
    const parts = engine.executeInParts(planned, {}, { viewer: ANONYMOUS, requestId: 'tests' });
    await parts.next();
    await until(async () => releases.length > 0);
    let isEnded = false;
    const end = parts.return(undefined).finally(() => (isEnded = true));
    await settled();
    expect(isEnded).toBe(false);
    for (const release of releases) release();
    await end;
  });

  it('is cut when its time is over, and its fetches end', async () => {
    await open({ maxPartsMs: LIMIT_MS });
    const socket = await ask('{ book { id ... @defer { never } } }');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    expect(text).toContain('{"data":{"book":{"id":"1"}},"hasNext":true}');
    expect(text).not.toContain('--graphql--');
    await app.close();
    expect([requests.length, aborted]).toEqual([2, 1]);
  });

  it('of which nothing is read any more ends its connection', async () => {
    await open({ slowReaderTimeoutMs: LIMIT_MS });
    const before = await closedSlowReaders();
    const longs = Array.from({ length: 4 }, (_, at) => `... @defer(label: "${at}") { l${at}: long }`);
    const socket = await ask(`{ book { id ${longs.join(' ')} } }`);
    socket.pause();
    await until(async () => (await openSockets()) === 1);
    await until(async () => (await openSockets()) === 0);
    socket.destroy();
    expect(await closedSlowReaders()).toBe(before + 1);
  });
});
