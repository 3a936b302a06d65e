import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { buildSchema } from 'graphql';
import { openWebsocketServer } from '../../../gateway/websocket/websocket-server.js';
import { openLog } from '../../../kernel/telemetry/log.js';

const MAX_UNREAD_BYTES = 100_000;

let http: Server;
let keepAliveMs: number;
/** The connection of the latest websocket. */
let connection: Duplex & { readonly bytesRead?: number };
beforeAll(async () => {
  http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ noServer: true });
  const schema = buildSchema('type Query { book: String }');
  const client = { clientAddress: '127.0.0.1', userAgent: undefined };
  http.on('upgrade', (request, socket, head) => {
    const limits = { keepAliveMs, maxBufferedBytes: MAX_UNREAD_BYTES };
    const serve = openWebsocketServer({ schema }, { log: openLog('silent', 'tests'), ...limits });
    connection = socket;
    server.handleUpgrade(request, socket, head, (ws) => serve(ws, socket, client));
  });
});
afterAll(() => void http.close());

const open = (autoPong = true) =>
  new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/`, 'graphql-transport-ws', { autoPong });

/** A ping of graphql-ws, whose answer is as long. */
const PING = JSON.stringify({ type: 'ping', payload: { filling: 'x'.repeat(60_000) } });

it('a websocket whose client does not answer a ping before the next one is closed, others stay', async () => {
  keepAliveMs = 50;
  const [living, lost] = [open(), open(false)];
  let unanswered = 0;
  lost.on('ping', () => unanswered++);
  const [code] = await once(lost, 'close');
  expect([code, unanswered, living.readyState]).toEqual([1006, 1, WebSocket.OPEN]);
  for (let further = 0; further < 3; further++) await once(living, 'ping');
  expect(living.readyState).toBe(WebSocket.OPEN);
  living.terminate();
});

it('a client that sends while it leaves answers unread gets all of them when it reads again', async () => {
  keepAliveMs = 600_000;
  const socket = open();
  await once(socket, 'open');
  let answers = 0;
  const answered = new Promise<void>((resolve) => socket.on('message', () => ++answers === 400 && resolve()));
  socket.pause();
  for (let sent = 0; sent < 400; sent++) socket.send(PING);

  socket.resume();
  await answered;
  socket.terminate();
});

it('a client that sends on and on and reads nothing is not read any more, and closed', async () => {
  keepAliveMs = 500;
  const socket = open();
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const closed = once(connection, 'close');
  socket.pause();
  for (let sent = 0; sent < 2_000; sent++) socket.send(PING);
  await closed;
  expect(connection.bytesRead).toBeLessThan(60_000_000);
  socket.terminate();
});
