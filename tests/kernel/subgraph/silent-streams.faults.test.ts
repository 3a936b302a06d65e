import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { RemoteSubgraphClient, type RemoteEndpoint } from '../../../kernel/subgraph/remote/remote-subgraph.js';

const HEARTBEAT_MS = 100;
const LIMIT_MS = 300;
/** Longer, because this process may be held up between the end of a pause and the read. */
const SLOW_HEARTBEAT_MS = 500;
const REQUEST = { query: 'subscription { added }', variables: {}, viewer: ANONYMOUS, requestId: 'tests' } as const;
const UNAVAILABLE = { extensions: { code: 'UNAVAILABLE' } };
const BYTES = { ...REQUEST, name: 'download', parameters: {}, signal: new AbortController().signal };

let server: Server;
let client: RemoteSubgraphClient;
let stop: AbortController;
afterEach(async () => {
  stop.abort();
  await client.close();
  server.closeAllConnections();
  server.close();
});

/** Starts a subgraph that answers like this, and a client of it. */
async function open(answer: (response: ServerResponse) => void, options: Partial<RemoteEndpoint> = {}): Promise<void> {
  stop = new AbortController();
  server = createServer((request, response) => {
    request.resume();
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new RemoteSubgraphClient({
    name: 'books',
    url: `http://127.0.0.1:${portOf()}/`,
    headers: () => ({}),
    ...options,
  });
}

const portOf = () => (server.address() as AddressInfo).port;

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  add(response, 1);
}

function add(response: ServerResponse, added: number): void {
  response.write(`event: next\ndata: ${JSON.stringify({ data: { added } })}\n\n`);
}

async function subscribe(): Promise<AsyncIterator<unknown>> {
  return (await client.subscribe(REQUEST, stop.signal))[Symbol.asyncIterator]();
}

describe('a stream of events of a subgraph with heartbeats', () => {
  it('ends as UNAVAILABLE after three intervals of silence', async () => {
    await open(begin, { heartbeatMs: HEARTBEAT_MS });
    const events = await subscribe();
    expect((await events.next()).value).toEqual({ data: { added: 1 }, state: undefined });
    await expect(events.next()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('stays open when its reader pauses for longer', async () => {
    const opened: ServerResponse[] = [];
    const answer = (response: ServerResponse) => {
      opened.push(response);
      begin(response);
    };
    await open(answer, { heartbeatMs: SLOW_HEARTBEAT_MS });
    const events = await subscribe();
    await events.next();
    await delay(4 * SLOW_HEARTBEAT_MS);
    for (const response of opened) add(response, 2);
    expect((await events.next()).value).toEqual({ data: { added: 2 }, state: undefined });
  });
});

describe('a stream of events of another subgraph', () => {
  it('may be silent, and TCP checks its connection', async () => {
    await open(begin);
    const events = await subscribe();
    await events.next();
    // The keep-alive timer of a connection is number 2. Source: proc(5), /proc/net/tcp
    const port = portOf().toString(16).toUpperCase().padStart(4, '0');
    const ofClient = new RegExp(`^ *\\d+: \\w+:\\w+ 0100007F:${port} 01 \\w+:\\w+ (\\d\\d):`, 'm');
    expect(ofClient.exec(await readFile('/proc/net/tcp', 'utf8'))?.[1]).toBe('02');
  });
});

describe('a subgraph whose answer stops', () => {
  it('is UNAVAILABLE when it accepts a subscription and sends no headers in time', async () => {
    await open(() => undefined, { timeoutMs: LIMIT_MS });
    await expect(subscribe()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is UNAVAILABLE when the text of a refusal does not come in time', async () => {
    await open((response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'), {
      timeoutMs: LIMIT_MS,
    });
    await expect(client.open(BYTES)).rejects.toMatchObject(UNAVAILABLE);
  });
});
