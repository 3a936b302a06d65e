import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../kit/arrangements.js';
import { graphql } from '../../kit/platform.js';
import { spawnCommand } from '../../kit/run.js';
import { end, until } from '../../kit/watch.js';

const ERROR = {
  message: 'the shelf is empty',
  path: ['book'],
  extensions: { code: 'OUT_OF_STOCK', shelf: 7 },
};

let foreign: Server;
let folder: string;
let gateway: ReturnType<typeof spawnCommand>;
let url: string;
beforeAll(async () => {
  foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { book: null }, errors: [ERROR] }));
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const subgraph = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
  const { supergraphSdl = '' } = composeServices([
    { name: 'books', url: subgraph, typeDefs: parse('type Query { book: String }') },
  ]);
  folder = await mkdtemp(join(tmpdir(), 'archipelago-gateway-'));
  await writeFile(join(folder, 'supergraph.graphql'), supergraphSdl);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  gateway = spawnCommand(['gateway', '--supergraph', join(folder, 'supergraph.graphql'), '--port', `${port}`], {});
  let output = '';
  gateway.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => output.includes('gateway ready'), 60_000);
}, 90_000);
afterAll(async () => {
  await end(gateway, 'SIGTERM');
  foreign.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the gateway alone', () => {
  it('passes on the error of a foreign subgraph with its code and its other extensions', async () => {
    const { data, errors } = await graphql('{ book }', { url });
    expect({ data, errors }).toMatchObject({ data: { book: null }, errors: [ERROR] });
  });

  it('shows no stack trace', async () => {
    expect(JSON.stringify(await graphql('{ book }', { url }))).not.toContain('stacktrace');
  });
});
