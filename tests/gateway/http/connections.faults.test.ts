import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApp } from '../../../gateway/app.js';
import { openLog } from '../../../kernel/telemetry/log.js';

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
