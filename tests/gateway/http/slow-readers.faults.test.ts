import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../gateway/app.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { until } from '../../kit/watch.js';

/** Longer than a busy machine stops this process, which is server and reader. */
const SLOW_READER_TIMEOUT_MS = 3_000;
/** Of a reader that is slow. */
const PAUSE_MS = 20;

/** More than the buffers of both ends hold. */
const LONG = 'x'.repeat(32 * 1024 * 1024);

let app: FastifyInstance;
beforeEach(async () => {
  app = await createApp(openLog('silent', 'test'), undefined, { slowReaderTimeoutMs: SLOW_READER_TIMEOUT_MS });
  app.get('/long', () => LONG);
  app.get('/slow', async () => {
    await delay(3 * SLOW_READER_TIMEOUT_MS);
    return 'done';
  });
  await app.listen({ port: 0 });
});
afterEach(() => app.close());

const openSockets = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

async function ask(path: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe('an answer', () => {
  it('of which nothing is read any more ends its connection, so that nothing is held for it', async () => {
    const socket = await ask('/long');
    socket.on('error', () => undefined).pause();
    await until(async () => (await openSockets()) === 1);
    await until(async () => (await openSockets()) === 0);
    socket.destroy();
  });

  it('that is read slowly comes whole', async () => {
    const socket = await ask('/long');
    let bytes = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes % 7 === 0) await delay(PAUSE_MS);
      if (bytes >= LONG.length) break;
    }
    expect(bytes).toBeGreaterThanOrEqual(LONG.length);
  });

  it('that takes long to make is waited for', async () => {
    const socket = await ask('/slow');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
    socket.destroy();
  });
});
