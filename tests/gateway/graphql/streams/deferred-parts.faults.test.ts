import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../kit/arrangements.js';
import { TestStream } from '../../../kit/event-stream.js';
import { spawnCommand } from '../../../kit/run.js';
import { end, until } from '../../../kit/watch.js';

const TYPES = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { book: Book! } type Book @key(fields: "id") { id: ID! title: String! review: String }`;
const HEADERS = { 'content-type': 'application/json', accept: 'multipart/mixed;deferSpec=20220824, application/json' };
const QUERY = '{ book { title ... @defer(label: "slow") { review } } }';

/** The fetches of the deferred fragment, which are not answered by themselves. */
let held: ServerResponse[];
/** The number of fetches of first parts. */
let asked = 0;
let subgraph: Server;
let folder: string;
let gateway: ReturnType<typeof spawnCommand>;
let url: string;
let output = '';
beforeAll(async () => {
  subgraph = createServer((incoming, response) => {
    void answer(incoming, response);
  }).listen(0, '127.0.0.1');
  await once(subgraph, 'listening');
  const address = `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/`;
  const { supergraphSdl = '' } = composeServices([{ name: 'books', url: address, typeDefs: parse(TYPES) }]);
  folder = await mkdtemp(join(tmpdir(), 'archipelago-gateway-'));
  await writeFile(join(folder, 'supergraph.graphql'), supergraphSdl);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  gateway = spawnCommand(['gateway', '--supergraph', join(folder, 'supergraph.graphql'), '--port', `${port}`], {});
  gateway.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => output.includes('gateway ready'), 60_000);
}, 90_000);
afterAll(async () => {
  await end(gateway, 'SIGTERM');
  subgraph.closeAllConnections();
  subgraph.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  held = [];
});

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(incoming);
  response.setHeader('content-type', 'application/json');
  if (!body.includes('_entities')) asked++;
  if (body.includes('_entities')) held.push(response);
  else response.end('{"data":{"book":{"__typename":"Book","id":"1","title":"Ada"}}}');
}

async function open(): Promise<{ stream: TestStream; fetch: ServerResponse }> {
  held = [];
  const stream = await TestStream.open(url, 'multipart/mixed;deferSpec=20220824, application/json', { query: QUERY });
  await stream.has('{"data":{"book":{"title":"Ada"}},"hasNext":true}\r\n--graphql');
  await until(async () => held.length > 0);
  const fetch = held.at(-1);
  if (!fetch) throw new Error('the deferred fragment is not fetched');
  return { stream, fetch };
}

describe('the gateway alone', () => {
  it('answers the first part while the subgraph works on the deferred one', async () => {
    const { stream, fetch } = await open();
    expect(stream.isEnded).toBe(false);
    fetch.end('{"data":{"_entities":[{"review":"good"}]}}');
    await stream.end();
    const incremental = [{ data: { review: 'good' }, path: ['book'], label: 'slow' }];
    expect(stream.text).toContain(`${JSON.stringify({ incremental, hasNext: false })}\r\n--graphql--\r\n`);
  });

  it('ends the deferred part with an error when its subgraph fails', async () => {
    const { stream, fetch } = await open();
    fetch.destroy();
    await stream.end();
    const [, later = ''] = stream.text.split('hasNext":true}');
    expect(later).toContain('"data":{"review":null},"path":["book"],"label":"slow"');
    expect(later).toContain('"errors":[{"message":');
  });

  it('ends the deferred fetch when the client leaves', async () => {
    const { stream, fetch } = await open();
    stream.close();
    await until(async () => fetch.destroyed);
  });

  it('logs no error of clients that leave while the first part is made', async () => {
    for (let at = 0; at < 20; at++) {
      const { hostname, port } = new URL(url);
      const client = request({ host: hostname, port, path: '/graphql', method: 'POST', headers: HEADERS });
      client.on('error', () => undefined);
      const known = asked;
      client.end(JSON.stringify({ query: QUERY }));
      await until(async () => asked > known);
      client.destroy();
    }
    const { stream, fetch } = await open();
    fetch.end('{"data":{"_entities":[{"review":"good"}]}}');
    await stream.end();
    expect(output.split('\n').filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
