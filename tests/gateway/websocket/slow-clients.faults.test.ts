import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { buildSchema } from 'graphql';
import { Outlet } from '../../../gateway/websocket/outlet.js';
import { openWebsocketServer, SOCKET_OPTIONS } from '../../../gateway/websocket/websocket-server.js';
import { until } from '../../kit/watch.js';
import { openLog } from '../../../kernel/telemetry/log.js';

const MAX_UNREAD_BYTES = 100_000;
const ALL_BUT_INTERVALS = [
  'nextTick',
  'setImmediate',
  'setTimeout',
  'queueMicrotask',
  'Date',
  'hrtime',
  'performance',
] as const;

let http: Server;
let keepAliveMs: number;
/** What the server has handled. */
const handled = { operations: 0, pings: 0 };
/** The websockets at the server. */
const served: WebSocket[] = [];
/** The connection of the latest websocket. */
let connection: Socket;
/** The same connection at the client. */
let link: Socket;
beforeAll(async () => {
  http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer(SOCKET_OPTIONS);
  const schema = buildSchema('type Query { book: String }');
  const client = { clientAddress: '127.0.0.1', userAgent: undefined };
  http.on('upgrade', (request, socket, head) => {
    const limits = { keepAliveMs, maxBufferedBytes: MAX_UNREAD_BYTES };
    const serve = openWebsocketServer(
      {
        schema,
        connectionInitWaitTimeout: 0,
        onSubscribe: () => void handled.operations++,
        onPing: () => void handled.pings++,
      },
      { log: openLog('silent', 'tests'), ...limits },
    );
    connection = socket as Socket;
    server.handleUpgrade(request, socket, head, (ws) => {
      served.push(ws);
      serve(ws, connection, client);
    });
  });
});
afterAll(() => void http.close());

async function open(autoPong = true): Promise<WebSocket> {
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const socket = new WebSocket(url, 'graphql-transport-ws', { autoPong });
  socket.on('upgrade', (response) => (link = response.socket));
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  const [first] = await Promise.race([once(socket, 'message'), once(socket, 'close')]);
  expect(String(first)).toBe('{"type":"connection_ack"}');
  return socket;
}

const OPERATION = JSON.stringify({ id: '1', type: 'subscribe', payload: { query: '{ book }' } });

/** More than the buffers of both ends. */
const LONG_BYTES = 32 * 1024 * 1024;

/** A ping of graphql-ws, whose answer is as long. */
const PING = JSON.stringify({ type: 'ping', payload: { filling: 'x'.repeat(60_000) } });

it('a websocket whose client does not answer a ping before the next one is closed, others stay', async () => {
  jest.useFakeTimers({ doNotFake: [...ALL_BUT_INTERVALS] });
  keepAliveMs = 12_000;
  const living = await open();
  const answer = once(served.at(-1) ?? living, 'pong');
  const lost = await open(false);
  const ping = once(lost, 'ping');
  jest.advanceTimersByTime(keepAliveMs);
  await Promise.all([answer, ping]);
  const [closed, next] = [once(lost, 'close'), once(living, 'ping')];
  jest.advanceTimersByTime(keepAliveMs);
  const [[code]] = await Promise.all([closed, next]);
  expect([code, living.readyState]).toEqual([1006, WebSocket.OPEN]);
  living.terminate();
  jest.useRealTimers();
});

it('a client that sends while it leaves answers unread gets all of them when it reads again', async () => {
  keepAliveMs = 600_000;
  const socket = await open();
  const own = served.at(-1) ?? socket;
  const closed = once(socket, 'close');
  let [sent, answers] = [0, 0];
  socket.on('message', () => answers++);
  socket.pause();
  const send = async () => {
    socket.send(PING);
    sent++;
    await turn();
  };
  while (own.bufferedAmount <= MAX_UNREAD_BYTES) await send();
  for (let more = 0; more < 20; more++) await send();
  socket.resume();
  await Promise.race([until(async () => answers === sent), closed]);
  expect(answers).toBe(sent);
  socket.terminate();
});

it('a client that needs longer than two pings to read one long answer stays, and gets it', async () => {
  keepAliveMs = 1_500;
  const socket = await open();
  const own = link;
  own.on('data', () => {
    own.pause();
    setTimeout(() => own.resume(), 8);
  });
  const start = performance.now();
  served.at(-1)?.send(Buffer.alloc(LONG_BYTES));
  const [answer] = await Promise.race([once(socket, 'message'), once(socket, 'close')]);
  expect(answer.length).toBe(LONG_BYTES);
  expect(performance.now() - start).toBeGreaterThan(2 * keepAliveMs);
  socket.terminate();
});

it('a client that sends on and on and reads nothing is not read any more', async () => {
  keepAliveMs = 600_000;
  const socket = await open();
  const own = served.at(-1) ?? socket;
  socket.pause();
  for (let sent = 0; sent < 5_000 && !own.isPaused; sent++) {
    socket.send(PING);
    await turn();
  }
  expect(own.isPaused).toBe(true);
  socket.terminate();
});

describe('the operations of a client that does not read', () => {
  let socket: WebSocket;
  let own: WebSocket;
  let executed: number;
  let all: Promise<PromiseSettledResult<object>[]>;
  beforeEach(async () => {
    keepAliveMs = 600_000;
    socket = await open();
    own = served.at(-1) ?? socket;
    executed = 0;
    const outlet = new Outlet(own, connection);
    const execute = async () => {
      executed++;
      own.send(Buffer.alloc(LONG_BYTES / 4));
      return {};
    };
    socket.pause();
    all = Promise.allSettled(Array.from({ length: 20 }, () => outlet.whenRead((work) => work(), execute)));
    for (let round = 0; round < 100; round++) await turn();
    expect(executed).toBeLessThan(10);
  });
  afterEach(() => socket.terminate());

  it('wait until it has read the answers of others', async () => {
    socket.resume();
    await all;
    expect(executed).toBe(20);
  });

  it('are not run when its token is revoked meanwhile, also if it reads then', async () => {
    const before = executed;
    own.close(4403, 'The token is revoked.');
    socket.resume();
    const refused = (await all).filter(({ status }) => status === 'rejected');
    expect([executed, refused.length]).toEqual([before, 20 - before]);
  });
});

it('a client that reads nothing is closed, even if it sends pongs', async () => {
  keepAliveMs = 200;
  const socket = await open();
  const closed = once(connection, 'close');
  socket.pause();
  served.at(-1)?.send(Buffer.alloc(LONG_BYTES));
  const pongs = setInterval(() => socket.pong(), 50);
  await closed;
  clearInterval(pongs);
  expect(connection.destroyed).toBe(true);
  socket.terminate();
});

it('a client that ignores the close frame is not heard any more, and its connection ends after two seconds', async () => {
  keepAliveMs = 600_000;
  const socket = await open();
  socket.send(OPERATION);
  await until(async () => handled.operations === 1);
  socket.pause();
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setInterval', 'queueMicrotask', 'Date', 'hrtime', 'performance'],
  });
  served.at(-1)?.close(4403, 'The token is revoked.');
  const closed = once(connection, 'close');
  const readBefore = connection.bytesRead;
  socket.send(OPERATION);
  while (connection.bytesRead === readBefore) await turn();
  for (let round = 0; round < 10; round++) await turn();
  jest.advanceTimersByTime(SOCKET_OPTIONS.closeTimeout);
  await closed;
  expect(handled.operations).toBe(1);
  socket.terminate();
  jest.useRealTimers();
});

it('a client that floods is handled one message in a turn of the event loop', async () => {
  keepAliveMs = 600_000;
  const socket = await open();
  handled.pings = 0;
  for (let sent = 0; sent < 500; sent++) socket.send('{"type":"ping"}');
  let most = 0;
  while (handled.pings < 500) {
    const before = handled.pings;
    await turn();
    most = Math.max(most, handled.pings - before);
  }
  expect(most).toBeLessThan(5);
  socket.terminate();
});

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
