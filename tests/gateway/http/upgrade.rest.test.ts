import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { platform } from '../../kit/platform.js';
import { until } from '../../kit/watch.js';

describe('a request that offers another protocol', () => {
  it.each(['GET /healthz', 'GET /health', 'GET /graphql?query={__typename}'])(
    'is served as it came: %s',
    async (target) => {
      const { hostname, port } = new URL(platform().url);
      const socket = connect(Number(port), hostname);
      const headers =
        'Host: x\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\nApollo-Require-Preflight: 1';
      socket.end(`${target} HTTP/1.1\r\n${headers}\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it.each(['/elsewhere', '/graphql'])(
    'is refused with the end of the connection, however the client holds it: %s',
    async (path) => {
      const { hostname, port } = new URL(platform().url);
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => undefined); // the reset
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x y\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d /);
      // A client that has read the end notices a reset only when it writes.
      await until(async () => {
        socket.write('x');
        return socket.destroyed;
      });
    },
  );
});
