import { composeServices } from '@apollo/composition';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../kit/arrangements.js';
import { TestStream } from '../../kit/event-stream.js';
import { spawnCommand } from '../../kit/run.js';
import { TestSocket } from '../../kit/socket.js';
import { end, until } from '../../kit/watch.js';

const ADDED = 'subscription { added }';
const EVENTS = 'text/event-stream';
const PARTS = 'multipart/mixed;subscriptionSpec="1.0", application/json';

/** The subgraph, which sends server-sent events, its streams, and the body of the latest request. */
let books: Server;
const streams = new Set<ServerResponse>();
let asked = '';
let folder: string;
let gateway: ReturnType<typeof spawnCommand>;
let url: string;
beforeAll(async () => {
  books = createServer((request, response) => {
    response.writeHead(200, { 'content-type': EVENTS }).write(':\n\n');
    response.once('close', () => streams.delete(response));
    asked = '';
    request.on('data', (chunk: Buffer) => (asked += chunk.toString())).once('end', () => streams.add(response));
  }).listen(0, '127.0.0.1');
  await once(books, 'listening');
  const { supergraphSdl = '' } = composeServices([
    {
      name: 'books',
      url: `http://127.0.0.1:${(books.address() as AddressInfo).port}/`,
      typeDefs: parse('type Query { book: String } type Subscription { added: String }'),
    },
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
  books.close();
  await rm(folder, { recursive: true, force: true });
});

let sockets: TestSocket[];
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.drop();
  await until(async () => streams.size === 0);
});

/** Resolves when the subscription stands, which the answer to a later message says. */
async function subscribe(): Promise<TestSocket> {
  const socket = await TestSocket.open(undefined, url);
  sockets.push(socket);
  socket.subscribe('1', ADDED);
  socket.subscribe('stands', '{ __typename }');
  await socket.result('stands', 1);
  return socket;
}

const streamCount = (count: number) => until(async () => streams.size === count);
const valuesOf = (socket: TestSocket) => socket.results('1').map(({ data }) => data?.added);

function send(added: string, { to = streams, state }: { to?: Iterable<ServerResponse>; state?: string } = {}): void {
  const stateLine = state === undefined ? '' : `state: ${state}\n`;
  for (const stream of to) stream.write(`${stateLine}event: next\ndata: ${JSON.stringify({ data: { added } })}\n\n`);
}

describe('clients of one subscription to a subgraph that names no states', () => {
  it('are one for the subgraph, whatever their protocol and whenever they begin, and get the end together', async () => {
    const early = await subscribe();
    await streamCount(1);
    send('one');
    await early.result('1', 1);
    const answers = await Promise.all([EVENTS, PARTS].map((accept) => TestStream.open(url, accept, { query: ADDED })));
    const late = await subscribe();
    send('two');
    for (const answer of answers) await answer.has('{"data":{"added":"two"}}');
    await Promise.all([early.result('1', 2), late.result('1', 1)]);
    expect([valuesOf(early), valuesOf(late), streams.size]).toEqual([['one', 'two'], ['two'], 1]);
    for (const stream of streams) stream.end('event: complete\ndata:\n\n');
    await Promise.all([...answers.map((answer) => answer.end()), early.completion('1'), late.completion('1')]);
  });

  it('do not wait for one that does not read; it loses its subscription after 256 events', async () => {
    const [slow, fast] = [await subscribe(), await subscribe()];
    await streamCount(1);
    slow.stopReading();
    const rest = ' '.repeat(60_000);
    for (let number = 0; number < 400; number++) {
      send(`${number}${rest}`);
      await fast.result('1', number + 1);
    }
    slow.readAgain();
    await slow.completion('1');
    expect(slow.results('1').at(-1)).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    const read = valuesOf(slow).slice(0, -1).map(Number);
    expect(read.length).toBeGreaterThan(256);
    expect(read).toEqual(Array.from(read, (_, index) => index));
  }, 60_000);

  it('do not wait for one that leaves 16 MiB unread, either', async () => {
    const [slow, fast] = [await subscribe(), await subscribe()];
    await streamCount(1);
    slow.stopReading();
    const rest = ' '.repeat(1_000_000);
    for (let number = 0; number < 40; number++) {
      send(`${number}${rest}`);
      await fast.result('1', number + 1);
    }
    slow.readAgain();
    await slow.completion('1');
    expect(slow.results('1').at(-1)).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    expect(slow.results('1').length).toBeLessThan(40);
  }, 60_000);

  it('get events while the first of them, which was alone, does not read', async () => {
    const slow = await subscribe();
    await streamCount(1);
    slow.stopReading();
    const long = 'x'.repeat(4_000_000);
    for (const value of ['one', 'two', 'three', 'four', 'five']) send(`${value} ${long}`);
    const fast = await subscribe();
    await until(async () => {
      send('last');
      return valuesOf(fast).includes('last');
    });
    expect(streams.size).toBe(1);
  }, 60_000);
});

describe('clients of one subscription to a subgraph that names its states', () => {
  it('begin each for itself, and are one as soon as they are in the same state', async () => {
    const early = await subscribe();
    await streamCount(1);
    const [first] = streams;
    send('one', { state: 'a' });
    await early.result('1', 1);
    const late = await subscribe();
    await streamCount(2);
    const other = [...streams].filter((stream) => stream !== first);
    send('zero', { to: other, state: 'earlier' });
    await late.result('1', 1);
    expect(streams.size).toBe(2);
    send('one', { to: other, state: 'a' });
    await streamCount(1);
    send('two', { state: 'b' });
    await Promise.all([early.result('1', 2), late.result('1', 3)]);
    expect([valuesOf(early), valuesOf(late)]).toEqual([
      ['one', 'two'],
      ['zero', 'one', 'two'],
    ]);
  });

  it('go on from their state after they were too slow', async () => {
    const [slow, fast] = [await subscribe(), await subscribe()];
    await streamCount(1);
    send('begin', { state: 'begin' });
    await Promise.all([slow.result('1', 1), fast.result('1', 1)]);
    slow.stopReading();
    const rest = ' '.repeat(60_000);
    for (let number = 0; number < 300; number++) {
      send(`${number}${rest}`, { state: `${number}` });
      await fast.result('1', number + 2);
    }
    const kept = new Set(streams);
    slow.readAgain();
    await streamCount(2);
    const { resumeFrom } = JSON.parse(asked);
    const own = [...streams].filter((stream) => !kept.has(stream));
    for (let number = Number(resumeFrom) + 1; number < 300; number++)
      send(`${number}${rest}`, { to: own, state: `${number}` });
    await streamCount(1);
    send('last', { state: 'last' });
    await Promise.all([slow.result('1', 302), fast.result('1', 302)]);
    expect(valuesOf(slow)).toEqual(valuesOf(fast));
  }, 60_000);
});
