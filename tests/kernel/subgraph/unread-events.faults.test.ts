import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { WebsocketSubscriptions } from '../../../kernel/subgraph/remote/websocket-subscriptions.js';
import { until } from '../../kit/watch.js';

const REQUEST = { query: 'subscription { added }', variables: {}, viewer: ANONYMOUS, requestId: 'tests' } as const;

/** A subgraph over graphql-transport-ws, its socket, and the subscriptions that its client has not ended. */
let books: WebSocketServer;
let socket: WebSocket;
const open = new Set<string>();
let subscriptions: WebsocketSubscriptions;
beforeAll(async () => {
  books = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'graphql-transport-ws' });
  books.on('connection', (opened) => {
    socket = opened;
    opened.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString());
      if (type === 'connection_init') opened.send(JSON.stringify({ type: 'connection_ack' }));
      if (type === 'subscribe') open.add(id);
      if (type === 'complete') open.delete(id);
    });
  });
  await once(books, 'listening');
  const { port } = books.address() as AddressInfo;
  subscriptions = new WebsocketSubscriptions('books', `ws://127.0.0.1:${port}/`);
});
afterAll(() => {
  books.close();
});

/** Subscribes, and reads the first event. */
async function subscribe(signal: AbortSignal) {
  const events = (await subscriptions.subscribe(REQUEST, signal))[Symbol.asyncIterator]();
  const first = events.next();
  await until(async () => open.size === 1);
  send(0);
  expect((await first).value).toEqual({ data: { added: 0 } });
  return events;
}

function send(added: unknown): void {
  for (const id of open) socket.send(JSON.stringify({ id, type: 'next', payload: { data: { added } } }));
}

describe('a subscription to a subgraph by websocket', () => {
  it.each([
    ['256 events', 257, 'x'],
    ['16 MiB of events', 17, 'x'.repeat(2 ** 20)],
  ])('whose client leaves more than %s unread ends, for the subgraph at once', async (_name, count, added) => {
    const stop = new AbortController();
    const events = await subscribe(stop.signal);
    for (let number = 0; number < count; number++) send(added);
    await until(async () => open.size === 0);
    await expect(events.next()).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
    stop.abort();
  });

  it('keeps up to 256 events in order for a client that reads later', async () => {
    const stop = new AbortController();
    const events = await subscribe(stop.signal);
    for (let number = 1; number <= 256; number++) send(number);
    for (let number = 1; number <= 256; number++)
      expect((await events.next()).value).toEqual({ data: { added: number } });
    stop.abort();
    expect((await events.next()).done).toBe(true);
    await until(async () => open.size === 0);
  });
});
