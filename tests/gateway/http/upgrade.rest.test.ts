import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { platform } from '../../kit/platform.js';

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
});
