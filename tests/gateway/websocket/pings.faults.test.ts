import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { buildSchema } from 'graphql';
import { openWebsocketServer } from '../../../gateway/websocket/websocket-server.js';
import { openLog } from '../../../kernel/telemetry/log.js';

const PING_MS = 50;

it('a websocket whose client does not answer a ping before the next one is closed, others stay', async () => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ noServer: true });
  const limits = { keepAliveMs: PING_MS, maxBufferedBytes: 1_000 };
  const schema = buildSchema('type Query { book: String }');
  const serve = openWebsocketServer({ schema }, { log: openLog('silent', 'tests'), ...limits });
  const client = { clientAddress: '127.0.0.1', userAgent: undefined };
  http.on('upgrade', (request, socket, head) =>
    server.handleUpgrade(request, socket, head, (ws) => serve(ws, socket, client)),
  );
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const open = (autoPong: boolean) => new WebSocket(url, 'graphql-transport-ws', { autoPong });
  const [living, lost] = [open(true), open(false)];
  let unanswered = 0;
  lost.on('ping', () => unanswered++);
  const [code] = await once(lost, 'close');
  expect([code, unanswered, living.readyState]).toEqual([1006, 1, WebSocket.OPEN]);
  for (let further = 0; further < 3; further++) await once(living, 'ping');
  expect(living.readyState).toBe(WebSocket.OPEN);
  living.terminate();
  http.close();
});
