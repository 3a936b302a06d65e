import { composeServices } from '@apollo/composition';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import { freePort } from '../../kit/arrangements.js';
import { TestStream } from '../../kit/event-stream.js';
import type { Json } from '../../kit/platform.js';
import { spawnCommand } from '../../kit/run.js';
import { TestSocket } from '../../kit/socket.js';
import { end, until } from '../../kit/watch.js';

const ADDED = 'subscription { added }';
const SOLD = 'subscription { sold }';
const EVENTS = 'text/event-stream';
const PARTS = 'multipart/mixed;subscriptionSpec="1.0", application/json';
const ERROR = { message: 'the shelf is empty', path: ['added'], extensions: { code: 'OUT_OF_STOCK', shelf: 7 } };

let books: Server;
/** The callback of the subgraph `clubs`, which sends its events to the gateway. */
let clubs: Server;
let callback: Json;
let shops: WebSocketServer;
/** The streams of the subgraph `books`, which sends server-sent events. */
const streams = new Set<ServerResponse>();
/** The sockets of the subgraph `shops`, and the operations on them. */
const sockets = new Set<WebSocket>();
const operations = new Map<string, WebSocket>();
let folder: string;
let gateway: ReturnType<typeof spawnCommand>;
let url: string;
beforeAll(async () => {
  books = createServer((request, response) => {
    response.writeHead(200, { 'content-type': EVENTS }).write(':\n\n');
    streams.add(response);
    response.once('close', () => streams.delete(response));
    request.resume();
  }).listen(0, '127.0.0.1');
  clubs = createServer((request, response) => void beginClubs(request, response)).listen(0, '127.0.0.1');
  shops = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'graphql-transport-ws' });
  shops.on('connection', serveShops);
  await Promise.all([once(books, 'listening'), once(clubs, 'listening'), once(shops, 'listening')]);
  const { supergraphSdl = '' } = composeServices([
    serviceAt(books, 'books', 'type Query { book: String } type Subscription { added: String }'),
    serviceAt(clubs, 'clubs', 'type Query { club: String } type Subscription { joined: String }'),
    serviceAt(shops, 'shops', 'type Query { shop: String } type Subscription { sold: String }'),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'archipelago-gateway-'));
  await writeFile(join(folder, 'supergraph.graphql'), supergraphSdl);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const protocols = [
    '--subscriptions',
    `shops=ws://127.0.0.1:${portOf(shops)}/graphql`,
    '--subscriptions',
    'clubs=callback',
  ];
  gateway = spawnCommand(
    ['gateway', '--supergraph', join(folder, 'supergraph.graphql'), '--port', `${port}`, ...protocols],
    {},
  );
  let output = '';
  gateway.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => output.includes('gateway ready'), 60_000);
}, 90_000);
afterEach(async () => {
  await until(async () => streams.size === 0 && operations.size === 0);
});
afterAll(async () => {
  await end(gateway, 'SIGTERM');
  books.close();
  clubs.close();
  shops.close();
  await rm(folder, { recursive: true, force: true });
});

function portOf(server: Server | WebSocketServer): number {
  return (server.address() as AddressInfo).port;
}

const serviceAt = (server: Server | WebSocketServer, name: string, types: string) => ({
  name,
  url: `http://127.0.0.1:${portOf(server)}/`,
  typeDefs: parse(types),
});

async function beginClubs(request: IncomingMessage, response: ServerResponse): Promise<void> {
  callback = ((await json(request)) as Json).extensions.subscription;
  response.end('{"data":null}');
}

function serveShops(socket: WebSocket): void {
  sockets.add(socket);
  socket.on('message', (data: Buffer) => {
    const { type, id }: Json = JSON.parse(data.toString());
    if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
    if (type === 'subscribe') operations.set(id, socket);
    if (type === 'complete') operations.delete(id);
  });
  socket.once('close', () => {
    sockets.delete(socket);
    for (const [id, owner] of operations) if (owner === socket) operations.delete(id);
  });
}

const oneStream = () => until(async () => streams.size === 1);
const oneOperation = () => until(async () => operations.size === 1);

function add(result: object): void {
  for (const stream of streams) stream.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
}

function sell(type: string, payload?: object): void {
  for (const [id, socket] of operations) socket.send(JSON.stringify({ id, type, payload }));
}

describe('a client of the gateway alone by websocket', () => {
  it('gets events and the errors of the subgraph as they are, and ends the stream of the subgraph when it completes', async () => {
    const socket = await TestSocket.open(undefined, url);
    socket.subscribe('1', ADDED);
    await oneStream();
    add({ data: { added: 'one' } });
    add({ data: { added: null }, errors: [ERROR] });
    expect(await socket.result('1', 1)).toEqual({ data: { added: 'one' } });
    expect(await socket.result('1', 2)).toMatchObject({ data: { added: null }, errors: [ERROR] });
    socket.send({ id: '1', type: 'complete' });
    await until(async () => streams.size === 0);
    socket.close();
  });

  it('is told when the subgraph breaks off, and can subscribe again', async () => {
    const socket = await TestSocket.open(undefined, url);
    socket.subscribe('1', ADDED);
    await oneStream();
    for (const stream of streams) stream.destroy();
    expect((await socket.result('1', 1)).errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    await socket.completion('1');
    // The loop may hear of the gateway's answer first, and the next event would go to the response that was cut off.
    await until(async () => streams.size === 0);
    socket.subscribe('2', ADDED);
    await oneStream();
    add({ data: { added: 'two' } });
    expect(await socket.result('2', 1)).toEqual({ data: { added: 'two' } });
    socket.drop();
  });
});

describe('a client by one HTTP answer', () => {
  it('gets server-sent events, and the end when the subgraph completes', async () => {
    const stream = await TestStream.open(url, EVENTS, { query: ADDED });
    expect(stream.headers.get('content-type')).toContain(EVENTS);
    await oneStream();
    add({ data: { added: 'one' } });
    await stream.has('event: next\ndata: {"data":{"added":"one"}}\n\n');
    for (const each of streams) each.end('event: complete\ndata:\n\n');
    await stream.end();
    expect(stream.text).toMatch(/event: complete\ndata:\n\n$/);
  });

  it('gets parts, and ends the stream of the subgraph when it leaves', async () => {
    const stream = await TestStream.open(url, PARTS, { query: ADDED });
    expect(stream.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";subscriptionSpec="1.0"');
    await oneStream();
    add({ data: { added: 'one' } });
    await stream.has(
      '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{"payload":{"data":{"added":"one"}}}\r\n--graphql',
    );
    stream.close();
    await until(async () => streams.size === 0);
  });

  it('is refused with 400 for a document that is not valid', async () => {
    const stream = await TestStream.open(url, EVENTS, { query: 'subscription { stolen }' });
    await stream.end();
    expect(stream.status).toBe(400);
    expect(JSON.parse(stream.text).errors).toHaveLength(1);
  });

  it('gets one event for a query', async () => {
    const stream = await TestStream.open(url, EVENTS, { query: '{ __typename }' });
    await stream.end();
    expect(stream.text).toBe('event: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata:\n\n');
  });
});

describe('a subgraph by websocket', () => {
  it('is subscribed once by all clients, whose socket closes when nobody needs it', async () => {
    const [one, other] = await Promise.all([TestSocket.open(undefined, url), TestSocket.open(undefined, url)]);
    for (const socket of [one, other]) {
      socket.subscribe('1', SOLD);
      socket.subscribe('2', '{ __typename }');
      await socket.result('2', 1);
    }
    await oneOperation();
    sell('next', { data: { sold: 'one' } });
    for (const socket of [one, other]) expect(await socket.result('1', 1)).toEqual({ data: { sold: 'one' } });
    one.send({ id: '1', type: 'complete' });
    one.subscribe('3', '{ __typename }');
    await one.result('3', 1);
    sell('next', { data: { sold: 'two' } });
    expect(await other.result('1', 2)).toEqual({ data: { sold: 'two' } });
    expect([one.results('1').length, operations.size, sockets.size]).toEqual([1, 1, 1]);
    other.drop();
    await until(async () => sockets.size === 0);
    one.close();
  });

  it('refuses, breaks off and comes back', async () => {
    const socket = await TestSocket.open(undefined, url);
    socket.subscribe('1', SOLD);
    await oneOperation();
    sell('error', [{ message: 'closed today', extensions: { code: 'CLOSED' } }]);
    operations.clear();
    expect((await socket.result('1', 1)).errors).toMatchObject([
      { message: 'closed today', extensions: { code: 'CLOSED' } },
    ]);
    socket.subscribe('2', SOLD);
    await oneOperation();
    for (const each of sockets) each.terminate();
    expect((await socket.result('2', 1)).errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
    await until(async () => sockets.size === 0);
    socket.subscribe('3', SOLD);
    await oneOperation();
    sell('next', { data: { sold: 'two' } });
    expect(await socket.result('3', 1)).toEqual({ data: { sold: 'two' } });
    socket.close();
  });
});

describe('a subgraph by callbacks', () => {
  it('sends its events to the gateway', async () => {
    const socket = await TestSocket.open(undefined, url);
    socket.subscribe('1', 'subscription { joined }');
    await until(async () => callback !== undefined);
    const { callbackUrl, subscriptionId: id, verifier } = callback;
    const message = { kind: 'subscription', action: 'next', id, verifier, payload: { data: { joined: 'one' } } };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(callbackUrl, { method: 'POST', headers, body: JSON.stringify(message) });
    expect(answer.status).toBe(204);
    expect(await socket.result('1', 1)).toEqual({ data: { joined: 'one' } });
    socket.close();
  });
});
