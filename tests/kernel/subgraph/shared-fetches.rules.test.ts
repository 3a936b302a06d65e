import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import type { SubgraphRequest } from '../../../kernel/subgraph/subgraph-client.js';
import { remoteEndpointOf } from '../../../kernel/subgraph/endpoint/caller-headers.js';
import { until } from '../../kit/watch.js';

const ANSWER = '{"data":{"book":{"title":"a"}}}';

let server: Server;
/** Responses that the subgraph has not sent yet. */
let held: ServerResponse[];
let client: RemoteSubgraphClient;
beforeEach(async () => {
  held = [];
  server = createServer((request, response) => void text(request).then(() => held.push(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  client = new RemoteSubgraphClient(remoteEndpointOf('books', url, 'a-secret'));
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const ask = (request: Partial<SubgraphRequest> = {}) =>
  client.execute({
    query: 'query { book { title } }',
    variables: {},
    viewer: ANONYMOUS,
    requestId: crypto.randomUUID(),
    ...request,
  });

/** Answers when there are so many requests. */
async function answer(count: number): Promise<void> {
  await until(async () => held.length === count);
  for (const response of held) response.end(ANSWER);
}

const user = { kind: 'user', userId: 1 } as unknown as SubgraphRequest['viewer'];

describe('equal queries that begin in the same turn of the event loop', () => {
  it('are one request, and each gets objects of its own', async () => {
    const asked = [ask(), ask(), ask()];
    await answer(1);
    const [first, ...others] = await Promise.all(asked);
    expect(first).toEqual(JSON.parse(ANSWER));
    for (const other of others) {
      expect(other).toEqual(first);
      expect(other.data?.['book']).not.toBe(first?.data?.['book']);
    }
  });

  it.each<[string, Partial<SubgraphRequest>]>([
    ['another viewer', { viewer: user }],
    ['another address', { clientAddress: '10.0.0.1' }],
    ['another program', { userAgent: 'curl' }],
    ['storage free of charge', { isBillingBypassed: true }],
    ['another trace', { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }],
    ['other variables', { variables: { id: 1 } }],
    ['another operation', { query: 'query { book { __typename } }' }],
  ])('are not shared with %s', async (_, other) => {
    const asked = [ask(), ask(other)];
    await answer(2);
    await Promise.all(asked);
  });

  it('are all refused when the subgraph does not answer', async () => {
    const asked = [ask(), ask()];
    await until(async () => held.length === 1);
    held[0]?.destroy();
    for (const each of await Promise.allSettled(asked))
      expect(each).toMatchObject({ status: 'rejected', reason: { extensions: { code: 'UNAVAILABLE' } } });
  });

  it('go on for the others when a client leaves, and end at the subgraph when all have left', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [ask({ signal: first.signal }), ask({ signal: second.signal })];
    const [refused, ended] = asked.map((each) => expect(each).rejects.toThrow('does not answer'));
    await until(async () => held.length === 1);
    first.abort();
    await refused;
    expect(held[0]?.destroyed).toBe(false);
    second.abort();
    await ended;
    await until(async () => held[0]?.destroyed === true);
  });

  it('are not sent when all clients have left before', async () => {
    const signal = AbortSignal.abort();
    for (const each of await Promise.allSettled([ask({ signal }), ask({ signal })]))
      expect(each.status).toBe('rejected');
    const asked = ask();
    await answer(1);
    await asked;
  });
});

it('a query that begins after an equal one was sent gets an answer of its own, which is not older than the question', async () => {
  const before = ask();
  await until(async () => held.length === 1);
  const after = ask();
  await answer(2);
  await Promise.all([before, after]);
});

it('mutations are never shared', async () => {
  const query = 'mutation { add { title } }';
  const asked = [ask({ query }), ask({ query })];
  await answer(2);
  await Promise.all(asked);
});
