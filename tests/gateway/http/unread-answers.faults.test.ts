import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createApp } from '../../../gateway/app.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { until } from '../../kit/watch.js';

/** More than the buffers of both ends hold. */
const LONG = 'x'.repeat(16 * 1024 * 1024);

const MEDIUM = LONG.slice(0, LONG.length / 3);

/** Room for two of them. The system takes a part of each. */
const MAX_UNREAD_BYTES = 2.2 * LONG.length;

let app: FastifyInstance;
let sockets: Socket[];
let accepted: number;
beforeEach(async () => {
  [sockets, accepted] = [[], 0];
  app = await createApp(openLog('silent', 'test'), undefined, { maxUnreadBytes: MAX_UNREAD_BYTES });
  app.get('/long', () => LONG);
  app.get('/medium', () => MEDIUM);
  app.get('/stream', (_, reply) => void reply.hijack().raw.write(LONG));
  app.get('/short', () => 'x');
  await app.listen({ port: 0 });
  app.server.on('connection', () => accepted++);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

const openSockets = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

async function ask(path: string, times = 1): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
  return socket;
}

async function unread(times = 1): Promise<Socket> {
  return (await ask('/long', times)).pause();
}

/** Reads until there are so many bytes, or the end. Returns how many there were. */
async function readUpTo(length: number, socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= length) break;
  }
  return bytes;
}

describe('connections whose clients together leave too much unread', () => {
  it('are closed until the rest is below the limit', async () => {
    for (let at = 0; at < 8; at++) await unread();
    await until(async () => accepted === 8 && (await openSockets()) < 8);
    expect(await openSockets()).toBeGreaterThanOrEqual(2);
  });

  it('are closed while their answers are streams that have not ended', async () => {
    for (let at = 0; at < 8; at++) (await ask('/stream')).pause();
    await until(async () => accepted === 8 && (await openSockets()) < 8);
    expect(await openSockets()).toBeGreaterThanOrEqual(2);
  });

  it('are closed before those with less', async () => {
    const other = (await ask('/medium')).pause();
    for (let at = 0; at < 8; at++) await unread();
    await until(async () => accepted === 9 && (await openSockets()) < 9);
    expect(await readUpTo(MEDIUM.length, other)).toBeGreaterThanOrEqual(MEDIUM.length);
  });

  it('are closed before one with a longer answer, if theirs are more together', async () => {
    const other = await unread();
    (await ask('/medium', 12)).pause();
    await until(async () => accepted === 2 && (await openSockets()) === 1);
    expect(await readUpTo(LONG.length, other)).toBeGreaterThanOrEqual(LONG.length);
  });

  it('are closed with the answers that wait for an earlier one', async () => {
    await unread(8);
    await until(async () => accepted === 1 && (await openSockets()) === 0);
    const other = await ask('/short');
    const [answer] = (await once(other, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
  });
});
