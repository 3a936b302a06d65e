import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { createApp } from '../../../gateway/app.js';
import { addHealth } from '../../../gateway/http/health.js';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { readBody } from '../../../kernel/subgraph/endpoint/subgraph-body.js';
import { CallbackSubscriptions } from '../../../kernel/subgraph/remote/callback-subscriptions.js';
import { RemoteSubgraphClient, type RemoteEndpoint } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { WebsocketSubscriptions } from '../../../kernel/subgraph/remote/websocket-subscriptions.js';
import { openLog } from '../../../kernel/telemetry/log.js';

const LIMIT_MS = 100;
const REQUEST = { query: 'subscription { added }', variables: {}, viewer: ANONYMOUS, requestId: 'tests' } as const;
const UNAVAILABLE = { extensions: { code: 'UNAVAILABLE' } };

/** A subgraph that accepts connections and never answers. */
let silent: Server;
const sockets = new Set<Socket>();
let endpoint: RemoteEndpoint;
let stop = new AbortController();
beforeAll(async () => {
  silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  endpoint = { name: 'books', url: `http://127.0.0.1:${port}/`, headers: () => ({}), timeoutMs: LIMIT_MS };
});
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

async function first(events: Promise<AsyncIterable<unknown>>): Promise<unknown> {
  for await (const event of await events) return event;
  return undefined;
}

describe('a subgraph that never answers', () => {
  it('is UNAVAILABLE when the time of a request is over, for operations and for bytes', async () => {
    const client = new RemoteSubgraphClient(endpoint);
    await expect(client.execute(REQUEST)).rejects.toMatchObject(UNAVAILABLE);
    const bytes = { ...REQUEST, name: 'download', parameters: {}, signal: stop.signal };
    await expect(client.open(bytes)).rejects.toMatchObject(UNAVAILABLE);
    await client.close();
  });

  it('is UNAVAILABLE when the time to begin a subscription by callback is over', async () => {
    const callbacks = new CallbackSubscriptions('http://127.0.0.1/callback', undefined, LIMIT_MS);
    await expect(first(callbacks.at(endpoint)(REQUEST, stop.signal))).rejects.toMatchObject(UNAVAILABLE);
  });

  it('makes the platform unready when the time of a health check is over, with one check for all that wait', async () => {
    const before = sockets.size;
    const app = await createApp(openLog('silent', 'tests'));
    const client = new RemoteSubgraphClient(endpoint);
    const subgraphs = new Map([['sync', client] as const]);
    addHealth(app, {
      subgraphs,
      version: '1',
      capabilities: [],
      stopping: new AbortController().signal,
      checkTimeoutMs: LIMIT_MS,
    });
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/health/ready`;
    const waiting = Array.from({ length: 20 }, async () => (await fetch(url)).text());
    const answers = new Set(await Promise.all(waiting));
    await Promise.all([client.close(), app.close()]);
    expect([...answers]).toEqual(['{"status":"unavailable","failing":["books"]}']);
    expect(sockets.size - before).toBeLessThan(waiting.length / 2);
  });
});

describe('a subgraph that lets the bytes of a request wait', () => {
  const UPLOAD_MS = 1_000;

  /** Serves an upload that is read when the time of its caller would be over. */
  async function open(): Promise<Server> {
    const limits = { times: { wholeMs: 60_000, idleMs: 500, leastBytesPerSecond: 1 }, late: () => undefined };
    const serve = async (request: IncomingMessage, response: ServerResponse) => {
      const { variables = {} } = (await readBody(request, response, limits)) ?? {};
      await delay(1.5 * UPLOAD_MS);
      const length = await (variables.file as ByteSource).read(() => undefined);
      response.end(JSON.stringify({ data: { length } }));
    };
    const server = createHttpServer((request, response) => void serve(request, response));
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  it('is heard, so that the request waits longer than its time', async () => {
    const server = await open();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = new RemoteSubgraphClient({ ...endpoint, url, timeoutMs: UPLOAD_MS });
    const file = new ByteSource(Readable.from([Buffer.from('bytes')]), 5);
    const request = { ...REQUEST, query: 'mutation ($file: Upload!) { length(file: $file) }', variables: { file } };
    expect(await client.execute(request)).toEqual({ data: { length: 5 } });
    await client.close();
    server.close();
  });
});

describe('a websocket to a subgraph', () => {
  const subscribe = (port: number, times: { readonly pingMs: number; readonly openMs: number }) =>
    first(new WebsocketSubscriptions('books', `ws://127.0.0.1:${port}/`, times).subscribe(REQUEST, stop.signal));

  /** Opens a subgraph that sends one event after its third answer to a ping. */
  async function open(isAcknowledged: boolean, isAlive: boolean): Promise<WebSocketServer> {
    let [pings, subscription] = [0, ''];
    const answers: Record<string, () => object | undefined> = {
      connection_init: () => (isAcknowledged ? { type: 'connection_ack' } : undefined),
      ping: () => (isAlive ? { type: 'pong' } : undefined),
    };
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'graphql-transport-ws' });
    server.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const { type, id = subscription } = JSON.parse(data.toString());
        subscription = id;
        const answer = answers[type]?.();
        if (answer) socket.send(JSON.stringify(answer));
        if (type === 'ping' && ++pings > 2)
          socket.send(JSON.stringify({ id: subscription, type: 'next', payload: { data: { added: pings } } }));
      }),
    );
    await once(server, 'listening');
    return server;
  }

  it.each([
    ['is not acknowledged in time', false, { pingMs: 60_000, openMs: LIMIT_MS }],
    ['does not answer a ping in half of the time between two', true, { pingMs: LIMIT_MS, openMs: 60_000 }],
  ])('that %s makes its subscriptions UNAVAILABLE', async (_, isAcknowledged, times) => {
    const server = await open(isAcknowledged, false);
    await expect(subscribe((server.address() as AddressInfo).port, times)).rejects.toMatchObject(UNAVAILABLE);
    server.close();
  });

  it('that answers its pings stays open', async () => {
    const server = await open(true, true);
    const { port } = server.address() as AddressInfo;
    expect(await subscribe(port, { pingMs: LIMIT_MS, openMs: 60_000 })).toEqual({ data: { added: 3 } });
    server.close();
  });
});
