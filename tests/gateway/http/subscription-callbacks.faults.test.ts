import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginSubscriptionCallback } from '@apollo/server/plugin/subscriptionCallback';
import { startStandaloneServer } from '@apollo/server/standalone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { EventEmitter, on, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createApp } from '../../../gateway/app.js';
import { addSubscriptionCallbacks, CALLBACK_PATH } from '../../../gateway/http/subscription-callbacks.js';
import { CallbackSubscriptions } from '../../../kernel/subgraph/remote/callback-subscriptions.js';
import type { SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import type { Json } from '../../kit/platform.js';
import { until } from '../../kit/watch.js';

const REQUEST = { query: 'subscription { added }', variables: {}, viewer: ANONYMOUS, requestId: 'tests' } as const;
const UNAVAILABLE = { extensions: { code: 'UNAVAILABLE' } };

let app: FastifyInstance;
let callbacks: CallbackSubscriptions;
let stop: AbortController;
beforeEach(async () => {
  app = await createApp(openLog('silent', 'tests'));
  await openCallbacks();
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await app.close();
});

/** The app listens after it has the route, whose subscriptions must know the port. */
async function openCallbacks(heartbeatMs?: number): Promise<void> {
  const relay = { receive: (id: string, text: string) => callbacks.receive(id, text) };
  addSubscriptionCallbacks(app, relay as CallbackSubscriptions);
  await app.listen({ host: '127.0.0.1', port: 0 });
  callbacks = callbacksWith(heartbeatMs);
}

function callbacksWith(heartbeatMs?: number): CallbackSubscriptions {
  const { port } = app.server.address() as AddressInfo;
  return new CallbackSubscriptions(`http://127.0.0.1:${port}${CALLBACK_PATH}`, heartbeatMs);
}

async function subscribe(url: string): Promise<AsyncIterator<SubgraphResult>> {
  const stream = await callbacks.at({ name: 'books', url, headers: () => ({}) })(REQUEST, stop.signal);
  return stream[Symbol.asyncIterator]();
}

describe('Apollo Server with its plugin for callbacks', () => {
  const source = new EventEmitter();
  const watching = () => source.listenerCount('added');
  let server: ApolloServer;
  let url: string;
  beforeAll(async () => {
    server = new ApolloServer({
      typeDefs: 'type Query { book: String } type Subscription { added: String }',
      resolvers: {
        Subscription: {
          added: {
            subscribe: async function* () {
              for await (const [added] of on(source, 'added')) yield { added };
            },
          },
        },
      },
      plugins: [ApolloServerPluginSubscriptionCallback()],
      stopOnTerminationSignals: false,
    });
    ({ url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } }));
  });
  afterAll(() => server.stop());

  it('sends its events, and ends the subscription when the client has left', async () => {
    const events = await subscribe(url);
    const first = events.next();
    await until(async () => watching() === 1);
    source.emit('added', 'one');
    expect((await first).value).toEqual({ data: { added: 'one' } });
    const second = events.next();
    stop.abort();
    expect((await second).done).toBe(true);
    source.emit('added', 'nobody gets it');
    await until(async () => {
      source.emit('added', 'nobody gets it');
      return watching() === 0;
    });
  });
});

describe('a subgraph that sends callbacks', () => {
  let subgraph: Server;
  let url: string;
  let answer: { readonly status: number; readonly body: object };
  let begun: Json;
  beforeEach(async () => {
    begun = undefined;
    answer = { status: 200, body: { data: null } };
    const begin = async (request: IncomingMessage, response: ServerResponse) => {
      begun = ((await json(request)) as Json).extensions.subscription;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    };
    subgraph = createServer((request, response) => void begin(request, response)).listen(0, '127.0.0.1');
    await once(subgraph, 'listening');
    url = `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}/`;
  });
  afterEach(() => void subgraph.close());

  async function tell(message: object): Promise<number> {
    const { callbackUrl, subscriptionId: id, verifier } = begun;
    const body = JSON.stringify({ kind: 'subscription', id, verifier, ...message });
    const response = await fetch(callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.headers.get('subscription-protocol')).toBe('callback/1.0');
    return response.status;
  }

  it('is answered by the protocol: check, next, complete, then 404', async () => {
    const events = await subscribe(url);
    const first = events.next();
    await until(async () => begun !== undefined);
    expect(begun.heartbeatIntervalMs).toBe(5_000);
    expect(await tell({ action: 'check' })).toBe(204);
    expect(await tell({ action: 'next', payload: { data: { added: 'one' } } })).toBe(204);
    expect((await first).value).toEqual({ data: { added: 'one' } });
    expect(await tell({ action: 'complete', errors: [{ message: 'sold out' }] })).toBe(202);
    expect((await events.next()).value).toEqual({ errors: [{ message: 'sold out' }] });
    expect((await events.next()).done).toBe(true);
    expect(await tell({ action: 'check' })).toBe(404);
  });

  it('cannot send events for another subscription', async () => {
    const events = await subscribe(url);
    const first = events.next();
    await until(async () => begun !== undefined);
    const forged = { action: 'next', payload: { data: { added: 'forged' } } };
    expect(await tell({ ...forged, verifier: 'guessed' })).toBe(404);
    expect(await tell({ ...forged, id: 'another' })).toBe(400);
    expect(await tell({ ...forged, kind: 'query' })).toBe(400);
    expect(await tell({ ...forged, action: 'unknown' })).toBe(400);
    await tell({ action: 'next', payload: { data: { added: 'real' } } });
    expect((await first).value).toEqual({ data: { added: 'real' } });
  });

  it('refuses a subscription with errors', async () => {
    answer = { status: 200, body: { errors: [{ message: 'closed today' }] } };
    const events = await subscribe(url);
    expect((await events.next()).value).toEqual({ errors: [{ message: 'closed today' }] });
    expect((await events.next()).done).toBe(true);
  });

  it('is unavailable when it answers with a failure, or not at all', async () => {
    answer = { status: 500, body: {} };
    await expect((await subscribe(url)).next()).rejects.toMatchObject(UNAVAILABLE);
    subgraph.close();
    subgraph.closeAllConnections();
    await expect((await subscribe(url)).next()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is unavailable when its heartbeats stop', async () => {
    callbacks = callbacksWith(20);
    await expect((await subscribe(url)).next()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is refused an event of more than 1 MiB, and goes on', async () => {
    const events = await subscribe(url);
    const first = events.next();
    await until(async () => begun !== undefined);
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const { status } = await fetch(begun.callbackUrl, { ...options, body: ' '.repeat(2 ** 20 + 1) });
    expect(status).toBe(413);
    const payload = { data: { added: 'x'.repeat(2 ** 20 - 1_000) } };
    expect(await tell({ action: 'next', payload })).toBe(204);
    expect((await first).value).toEqual(payload);
  });

  it('loses the subscription of a client that lets more than 256 events wait', async () => {
    const events = await subscribe(url);
    const first = events.next();
    await until(async () => begun !== undefined);
    for (let number = 0; number < 258; number++) await tell({ action: 'next', payload: { data: { added: number } } });
    expect(await tell({ action: 'check' })).toBe(404);
    await first;
    await expect(events.next()).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
  });
});
