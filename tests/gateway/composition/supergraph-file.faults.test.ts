import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../kit/arrangements.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { spawnCommand } from '../../kit/run.js';
import { TestSocket } from '../../kit/socket.js';
import { end, until } from '../../kit/watch.js';

const FIRST = 'type Query { book: String slow: String } type Subscription { added: String }';
const FIRST_ONLY = 'type Query { early: String } type Subscription { earlier: String }';
const SECOND = 'type Query { book: String title: String } type Subscription { titled: String }';

/** A subgraph that answers each field with its name; `slow` when `release` is called. */
let subgraph: Server;
let release: (() => void) | undefined;
/** The stream of `added`. */
let added: ServerResponse | undefined;
let folder: string;
let file: string;
let gateway: ReturnType<typeof spawnCommand>;
let output = '';
let url: string;
beforeAll(async () => {
  subgraph = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(subgraph, 'listening');
  folder = await mkdtemp(join(tmpdir(), 'archipelago-gateway-'));
  file = join(folder, 'supergraph.graphql');
  await writeFile(file, supergraphOf(FIRST, FIRST_ONLY));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  gateway = spawnCommand(
    ['gateway', '--supergraph', file, '--subscriptions', 'first-only=callback', '--port', `${port}`],
    {},
  );
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(async () => output.includes('gateway ready'), 60_000);
}, 90_000);
afterAll(async () => {
  await end(gateway, 'SIGTERM');
  subgraph.close();
  await rm(folder, { recursive: true, force: true });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { query }: Json = JSON.parse(await text(request));
  if (query.includes('added')) return beginStream(response);
  const [name = ''] = /book|title|slow/.exec(query) ?? [];
  if (name === 'slow') await new Promise<void>((resolve) => (release = resolve));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { [name]: name } }));
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
  response.once('close', () => (added = undefined));
  added = response;
}

function supergraphOf(books: string, firstOnly?: string): string {
  const address = { url: `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/` };
  const others = firstOnly === undefined ? [] : [{ ...address, name: 'first-only', typeDefs: parse(firstOnly) }];
  return composeServices([{ ...address, name: 'books', typeDefs: parse(books) }, ...others]).supergraphSdl ?? '';
}

/** Replaces the file at once, as an operator should. */
async function replace(content: string): Promise<void> {
  await writeFile(join(folder, 'next'), content);
  await rename(join(folder, 'next'), file);
}

const ask = (query: string) => graphql(query, { url });
const serves = (query: string) => until(async () => (await ask(query)).errors === undefined);

describe('the gateway alone, when the file of its supergraph', () => {
  it('is replaced under load, answers the new field, and fails no request', async () => {
    const failures: Json[] = [];
    const done = new AbortController();
    let answered = 0;
    const client = async () => {
      for (; !done.signal.aborted; answered++) {
        // Some texts are new, so that Apollo Server reads them.
        const result = await ask(answered % 2 ? '{ book }' : `{ book } # ${answered}`);
        if (result.data?.book !== 'book') failures.push(result);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const slow = ask('{ slow }');
    await until(async () => release !== undefined);
    await replace(supergraphOf(SECOND));
    await serves('{ title }');
    expect(codeOf(await ask('{ slow }'))).toBe('GRAPHQL_VALIDATION_FAILED');
    release?.();
    expect(await slow).toEqual({ data: { slow: 'slow' } });
    done.abort();
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(0);
  });

  it('lacks a subgraph of `--subscriptions`, says so in the log and uses the rest', () => {
    expect(output.includes('--subscriptions: the supergraph has no subgraph')).toBe(true);
  });

  it('has no supergraph any more, keeps the earlier one and says so in the log, until there is one again', async () => {
    for (const content of ['type Query { oh', 'type Query { other: String }', supergraphOf(SECOND).slice(0, 400)]) {
      const before = output.length;
      await replace(content);
      await until(async () => output.slice(before).includes('the supergraph cannot be used'));
      expect(await ask(`{ title } # ${before}`)).toEqual({ data: { title: 'title' } });
    }
    await replace(supergraphOf(FIRST));
    await until(async () => codeOf(await ask('{ title }')) === 'GRAPHQL_VALIDATION_FAILED');
    expect(await ask('{ book }')).toEqual({ data: { book: 'book' } });
  });

  it('is replaced, ends the subscriptions of an open socket on the earlier one, and answers it by the new one', async () => {
    const socket = await TestSocket.open(undefined, url);
    socket.subscribe('1', 'subscription { added }');
    await until(async () => added !== undefined);
    await replace(supergraphOf(SECOND));
    await serves('{ title }');
    socket.subscribe('2', 'subscription { added }');
    expect(await socket.failure('2')).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    socket.subscribe('3', '{ title }');
    expect(await socket.result('3', 1)).toEqual({ data: { title: 'title' } });
    added?.write('event: next\ndata: {"data":{"added":"one"}}\n\n');
    expect(await socket.result('1', 1)).toEqual({ data: { added: 'one' } });
    socket.send({ id: '1', type: 'complete' });
    await until(async () => added === undefined);
    expect(socket.closed).toBeUndefined();
    socket.close();
  });

  it('is replaced, remembers the documents that clients send with their hash by GET', async () => {
    const query = '{ book title }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
    const get = (parameters: Readonly<Record<string, string>>) =>
      call(`GET /graphql?${new URLSearchParams({ ...parameters, extensions }).toString()}`, { url });
    expect(codeOf((await get({})).body)).toBe('PERSISTED_QUERY_NOT_FOUND');
    await get({ query });
    expect((await get({})).body.errors).toBeUndefined();
  });
});
