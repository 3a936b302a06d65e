import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { SubgraphEndpoint } from '../../../kernel/subgraph/endpoint/subgraph-endpoint.js';
import type { ByteRequest, SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { until } from '../../kit/watch.js';

const SECRET = 'the-secret-between-subgraphs';
const VIEWER = Buffer.from('{"kind":"anonymous"}').toString('base64url');

it('a download whose caller left while it was opened is destroyed', async () => {
  const stream = new PassThrough();
  let asked: ByteRequest | undefined;
  const subgraph: Partial<SubgraphClient> = {
    open: async (download) => {
      asked = download;
      await once(download.signal, 'abort');
      return { stream, length: 1_000_000, meta: {} };
    },
  };
  const endpoint = new SubgraphEndpoint(subgraph as SubgraphClient, [SECRET]);
  const server = createServer((incoming, response) => void endpoint.handle(incoming, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'x-subgraph-secret': SECRET, 'x-viewer': VIEWER };
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }).on('error', () => undefined);
  sent.end(JSON.stringify({ open: 'download' }));
  await until(async () => asked !== undefined);
  sent.destroy();
  await until(async () => stream.destroyed);
  server.close();
  expect(asked?.name).toBe('download');
});
