import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApp } from '../../../gateway/app.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { until } from '../../kit/watch.js';

let app: FastifyInstance;
beforeAll(async () => {
  const headerTimes = { wholeMs: 100, checkEveryMs: 20 };
  app = await createApp(openLog('silent', 'tests'), undefined, { headerTimes });
  app.get('/', () => 'done');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

it('headers that do not come whole in time are answered with 408, and the connection ends', async () => {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*\{"error":"The request cannot be read: /);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('done');
});

describe('more connections than a process may have', () => {
  const MAX = 5;
  let server: FastifyInstance;
  let release: () => void;
  /** Requests that have begun and wait. */
  let begun: number;
  let sockets: Socket[];
  beforeEach(async () => {
    [sockets, begun] = [[], 0];
    const released = new Promise<void>((resolve) => (release = resolve));
    server = await createApp(openLog('silent', 'tests'), undefined, { maxConnections: MAX });
    server.get('/', () => 'done');
    server.get('/slow', async () => {
      begun++;
      await released;
      return 'slow';
    });
    server.server.on('upgrade', (_, socket: Socket) => {
      socket.on('end', () => socket.destroy()).resume();
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    release();
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  async function open(head = ''): Promise<Socket> {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    if (head) socket.write(`GET ${head} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  }
  const ended = async (socket: Socket) => {
    if (!socket.destroyed) await once(socket.resume(), 'close');
  };
  const ask = async () => {
    const socket = await open('/');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return { socket, answer: answer.toString() };
  };

  it('end the one that is longest without a request', async () => {
    const silent = await Promise.all(Array.from({ length: 20 }, () => open()));
    const { answer } = await ask();
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
    await Promise.all(silent.slice(0, 21 - MAX).map(ended));
    expect(silent.filter(({ destroyed }) => !destroyed)).toHaveLength(MAX - 1);
  });

  it('leave requests and websockets in peace, and count an answered connection as silent from its answer', async () => {
    const slow = await open('/slow');
    await until(async () => begun === 1);
    const websocket = await open('/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX:');
    await once(websocket, 'data');
    const silent = await open();
    const { socket: answered } = await ask();
    await open();
    await open();
    await ended(silent);
    await open();
    await ended(answered);
    release();
    const [answer] = (await once(slow, 'data')) as [Buffer];
    expect([answer.toString(), websocket.destroyed]).toEqual([expect.stringMatching(/slow$/), false]);
  });

  it('are closed themselves when all have a request', async () => {
    const busy = await Promise.all(Array.from({ length: MAX }, () => open('/slow')));
    await until(async () => begun === MAX);
    await ended(await open());
    expect(busy.some(({ destroyed }) => destroyed)).toBe(false);
  });
});
