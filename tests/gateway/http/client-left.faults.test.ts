import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startOnDatabase } from '../../kit/database/own-database.js';
import type { RunningPlatform } from '../../kit/arrangements.js';
import type { Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { until } from '../../kit/watch.js';
import { newWallet, signIn } from '../../kit/accounts/wallet.js';

/** A request at the subgraph, which does not answer. */
interface Received {
  readonly query: string;
  readonly response: ServerResponse;
}

/** A subgraph that takes requests and does not answer them. */
let subgraph: Server;
let received: Received[];
let platform: RunningPlatform;
let token: string;
beforeAll(async () => {
  subgraph = createServer((incoming, response) => {
    void receive(incoming, response);
  }).listen(0, '127.0.0.1');
  await once(subgraph, 'listening');
  const url = `http://127.0.0.1:${(subgraph.address() as AddressInfo).port}`;
  platform = await startOnDatabase({ SUBGRAPHS: `network=${url}`, SUBGRAPH_SECRET: 'secret-of-the-tests' });
  ({ token } = await signIn(newWallet(), platform.url));
}, 120_000);
afterAll(async () => {
  await platform.stop();
  subgraph.closeAllConnections();
  subgraph.close();
});
beforeEach(() => {
  received = [];
});

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(incoming);
  const { query }: Json = body === '' ? { query: '' } : JSON.parse(body);
  if (/groups|provision/i.test(query)) received.push({ query, response });
  else response.end('{"data":null}');
}

/** Waits for request number n at the subgraph, from 0. */
async function receivedAt(index: number): Promise<Received> {
  await until(async () => received.length > index);
  const found = received[index];
  if (!found) throw new Error('the request did not arrive');
  return found;
}

/** Sends a request, and leaves as soon as the subgraph has it. */
async function leave(method: string, path: string, body?: Json): Promise<Received> {
  const index = received.length;
  const type = body && { 'content-type': 'application/json' };
  const sent = request(platform.url + path, { method, headers: { authorization: `Token ${token}`, ...type } });
  sent.on('error', () => undefined);
  sent.end(body && JSON.stringify(body));
  const found = await receivedAt(index);
  sent.destroy();
  return found;
}

const aborted = ({ response }: Received) => until(async () => response.destroyed);

describe('a client that leaves', () => {
  it('ends the fetches of a REST request', async () => {
    await aborted(await leave('GET', '/api/network/groups/'));
  });

  it('ends the fetches of POST /graphql, new and planned', async () => {
    const query = `{ groups { id } } # ${randomUUID()}`;
    for (let i = 0; i < 2; i++) await aborted(await leave('POST', '/graphql', { query }));
  });

  it('ends the fetches of a query on a websocket, by completing it or by leaving', async () => {
    const socket = await TestSocket.open(token, platform.url);
    // Equal queries would be one fetch, which goes on for the other.
    socket.subscribe('1', '{ groups { id } }');
    socket.subscribe('2', '{ groups { label } }');
    const [first, second] = [await receivedAt(0), await receivedAt(1)];
    socket.send({ id: '1', type: 'complete' });
    await until(async () => first.response.destroyed || second.response.destroyed);
    expect([first, second].filter(({ response }) => response.destroyed)).toHaveLength(1);
    socket.drop();
    await Promise.all([aborted(first), aborted(second)]);
  });

  it('does not end a mutation', async () => {
    const mutation = await leave('POST', '/api/network/provision/');
    const posted = await leave('POST', '/graphql', { query: 'mutation { provisionTenant { id } }' });
    const socket = await TestSocket.open(token, platform.url);
    socket.subscribe('1', 'mutation { provisionTenant { id } }');
    const onSocket = await receivedAt(2);
    socket.drop();
    // A query that is sent later is ended; then the mutations would have been, too.
    await aborted(await leave('GET', '/api/network/groups/'));
    const mutations = [mutation, posted, onSocket];
    expect(mutations.map(({ response }) => response.destroyed)).toEqual([false, false, false]);
    for (const { response } of mutations) response.end('{"data":null}');
  });
});
