import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { on, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type { SocketState } from '../../../sdk/src/index.js';
import { Socket } from '../../../sdk/src/socket.js';
import { Transport } from '../../../sdk/src/transport.js';

const QUERY = 'subscription { creditBalanceChanged { balance } }';
const EVENT = { creditBalanceChanged: { balance: '0' } };

const PING_INTERVAL_MS = 10_000;
const PONG_TIMEOUT_MS = 5_000;
const ACK_TIMEOUT_MS = 10_000;

interface Message {
  readonly type: string;
  readonly id?: string;
}

let server: WebSocketServer;

beforeEach(async () => {
  // Only the clock of the client: sockets are real.
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'queueMicrotask', 'nextTick', 'setImmediate', 'clearImmediate', 'setInterval'],
  });
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});

afterEach(() => {
  jest.useRealTimers();
  for (const client of server.clients) client.terminate();
  server.close();
});

/** A client that has nothing to wait for between two connections. */
function clientOf(states: SocketState[]): Socket {
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ url: `http://127.0.0.1:${port}`, wait: async () => undefined });
  return new Socket(transport, { onSocketState: (state) => states.push(state) });
}

/** Accepts the next connection. Returns it with its messages. */
async function accept(): Promise<{ socket: WebSocket; next: (type: string) => Promise<Message> }> {
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  const messages = on(socket, 'message');
  const next = async (type: string): Promise<Message> => {
    for (;;) {
      const { value: [data] = [] } = (await messages.next()) as { readonly value?: readonly unknown[] };
      const message = JSON.parse(String(data)) as Message;
      if (message.type === type) return message;
    }
  };
  return { socket, next };
}

/** Accepts the next connection and its subscription, to which it sends an event. */
async function acceptSubscription() {
  const { socket, next } = await accept();
  await next('connection_init');
  socket.send(JSON.stringify({ type: 'connection_ack' }));
  const { id } = await next('subscribe');
  const send = () => socket.send(JSON.stringify({ id, type: 'next', payload: { data: EVENT } }));
  send();
  return { socket, next, send };
}

describe('a websocket whose connection is dead', () => {
  it('is replaced when a ping is not answered in time', async () => {
    const states: SocketState[] = [];
    const accepted = acceptSubscription();
    const events = clientOf(states).events(QUERY, {}, (answer) => answer.data);
    await events.next();
    const { socket, next, send } = await accepted;
    jest.advanceTimersByTime(PING_INTERVAL_MS);
    await next('ping');
    socket.send(JSON.stringify({ type: 'pong' }));
    send();
    await events.next();
    jest.advanceTimersByTime(PONG_TIMEOUT_MS);
    expect(states).toEqual(['connecting', 'live']);
    jest.advanceTimersByTime(PING_INTERVAL_MS - PONG_TIMEOUT_MS);
    await next('ping');
    const again = acceptSubscription();
    jest.advanceTimersByTime(PONG_TIMEOUT_MS);
    await again;
    expect((await events.next()).value).toEqual(EVENT);
    expect(states.slice(0, 3)).toEqual(['connecting', 'live', 'lost']);
    await events.return(undefined);
  });

  it('is pinged at once when it is checked, such as when a browser is online again', async () => {
    const states: SocketState[] = [];
    const accepted = acceptSubscription();
    const client = clientOf(states);
    const events = client.events(QUERY, {}, (answer) => answer.data);
    await events.next();
    const { next } = await accepted;
    client.check();
    await next('ping');
    const again = acceptSubscription();
    jest.advanceTimersByTime(PONG_TIMEOUT_MS);
    await again;
    expect((await events.next()).value).toEqual(EVENT);
    await events.return(undefined);
  });

  it('is replaced when the sign-in is not answered in time', async () => {
    const accepted = accept();
    const events = clientOf([]).events(QUERY, {}, (answer) => answer.data);
    const first = events.next();
    await (await accepted).next('connection_init');
    const again = acceptSubscription();
    jest.advanceTimersByTime(ACK_TIMEOUT_MS);
    await again;
    expect((await first).value).toEqual(EVENT);
    await events.return(undefined);
  });
});
