import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Events, PlatformEvent } from '../../../kernel/events/events.js';
import { openNatsEvents } from '../../../kernel/events/nats-events.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { until } from '../../kit/watch.js';

const INFO = { server_id: 'tests', version: '2.10.0', proto: 1, headers: true, max_payload: 1_000_000 };
const SUBJECT = 'archipelago.tests';

/** Connections to a server of NATS, which sends each message back. Source: NATS, client protocol */
const sockets = new Set<Socket>();
let server: Server;
let refusals: number;
let published: number;
let events: Events;
let stop: AbortController;
let heard: PlatformEvent[];

beforeEach(async () => {
  [refusals, published] = [0, 0];
  server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  events = await openNatsEvents(`nats://127.0.0.1:${port}`, 'tests', openLog('silent', 'tests'));
  stop = new AbortController();
  heard = [];
  void listen();
});
afterEach(async () => {
  stop.abort();
  await events.close();
  server.close();
  for (const socket of sockets) socket.destroy();
});

function serve(socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
  socket.on('data', (data) => {
    if (refusals > 0) {
      refusals -= 1;
      socket.end("-ERR 'Authorization Violation'\r\n");
      return;
    }
    for (const [, payload = ''] of data.toString().matchAll(/^PUB \S+ \d+\r\n(.*)\r\n/gm)) {
      send(socket, payload);
      published += 1;
    }
    if (data.includes('PING')) socket.write('PONG\r\n');
  });
}

function send(socket: Socket, payload: string): void {
  socket.write(`MSG ${SUBJECT} 1 ${Buffer.byteLength(payload)}\r\n${payload}\r\n`);
}

/** Sends as another process does. */
function sendAll(payload: string): void {
  for (const socket of sockets) send(socket, payload);
}

async function listen(): Promise<void> {
  for await (const event of events.subscribe(['a'], stop.signal)) heard.push(event);
}

const untilHeard = (id: string) => until(async () => heard.some((event) => event.id === id));

describe('a process with NATS', () => {
  it('hears its own events at once, and once', async () => {
    events.publish({ topic: 'a', id: 'own' });
    await new Promise(setImmediate);
    expect(heard).toEqual([{ topic: 'a', id: 'own' }]);
    await until(async () => published === 1);
    sendAll('{"topic":"a","id":"other"}');
    await untilHeard('other');
    expect(heard).toEqual([
      { topic: 'a', id: 'own' },
      { topic: 'a', id: 'other' },
    ]);
  });

  it.each(['hello', 'null', '{"topic":'])('hears the events after a message that is none: %s', async (payload) => {
    sendAll(payload);
    sendAll('{"topic":"a","id":"next"}');
    await untilHeard('next');
  });

  it('connects again to a server that refused it twice', async () => {
    refusals = 2;
    for (const socket of sockets) socket.destroy();
    await until(async () => {
      sendAll('{"topic":"a","id":"back"}');
      return refusals === 0 && heard.some(({ id }) => id === 'back');
    }, 30_000);
  }, 40_000);

  it('closes its connection to a server that went away', async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await events.close();
  });
});
