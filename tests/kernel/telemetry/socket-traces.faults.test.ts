import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { callerSpan, Collector, outline, wholeTrace } from '../../kit/telemetry/collector.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

let collector: Collector;
let platform: RunningPlatform;
let user: SignedIn;
let socket: TestSocket;
beforeAll(async () => {
  collector = await Collector.open();
  platform = await startOnDatabase(collector.settings);
  user = await signIn(undefined, platform.url);
  await call('POST /api/network/provision/', { url: platform.url, token: user.token });
  socket = await TestSocket.open(user.token, platform.url);
}, 120_000);
afterAll(async () => {
  socket.close();
  await platform.stop();
  collector.close();
}, 60_000);

const sendOnSocket = (id: string, query: string) => (extensions: Record<string, string>) => {
  socket.subscribe(id, query, extensions);
  return socket.completion(id);
};

it('a query on a socket is one span, with what it fetches, in the trace that its client names', async () => {
  const spans = await wholeTrace(collector, sendOnSocket('query', 'query Mine { me { id } }'));
  expect(outline(spans).slice(0, 2)).toEqual(['query Mine', '  fetch accounts']);
  expect(spans.find(({ name }) => name === 'query Mine')).toMatchObject({
    kind: 'server',
    attributes: {
      'http.route': '/graphql',
      'network.protocol.name': 'websocket',
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Mine',
    },
    failure: undefined,
  });
});

it('a refused operation on a socket fails with our code', async () => {
  const spans = await wholeTrace(collector, sendOnSocket('refused', '{ creditBalances { count } }'));
  expect(spans.find(({ name }) => name === 'query')?.failure).toBe('FORBIDDEN');
});

it('an invalid document on a socket is a span with its code and without its text', async () => {
  const { traceId, traceparent } = callerSpan();
  socket.subscribe('invalid', '{ thereIsNoSuchField }', { traceparent });
  await socket.failure('invalid');
  await until(async () => collector.trace(traceId).length > 0);
  expect(collector.trace(traceId)).toMatchObject([{ name: 'websocket', failure: 'GRAPHQL_VALIDATION_FAILED' }]);
  expect(collector.bodies.join('')).not.toContain('thereIsNoSuchField');
});

it('a subscription is one span until it ends, and each event a trace of its own that is linked to it', async () => {
  const { traceId, traceparent } = callerSpan();
  socket.subscribe('live', 'subscription Live { topologyChanged { revision } }', { traceparent });
  await socket.result('live', 1);
  await call('POST /api/network/groups/', { url: platform.url, token: user.token, body: { label: 'a-label' } });
  await socket.result('live', 2);
  const events = () => collector.spans.filter(({ name }) => name === 'event topologyChanged');
  await until(async () => events().length === 2);
  // It still runs.
  expect(collector.trace(traceId)).toEqual([]);
  socket.send({ id: 'live', type: 'complete' });
  await until(async () => collector.trace(traceId).length > 0);
  const [subscription, ...others] = collector.trace(traceId);
  expect(others).toEqual([]);
  expect(subscription).toMatchObject({ name: 'subscription Live', kind: 'server', failure: undefined });
  expect(events().map(({ links }) => links)).toEqual([[subscription?.spanId], [subscription?.spanId]]);
  expect(new Set(events().map((event) => event.traceId)).size).toBe(2);
});

it('an event that subscriptions share is executed in one trace, which is linked to the first of them', async () => {
  const events = () => collector.spans.filter(({ name }) => name === 'event topologyChanged');
  const before = events().length;
  const traces = [callerSpan(), callerSpan()];
  const ids = ['shared-1', 'shared-2'];
  for (const [index, id] of ids.entries()) {
    socket.subscribe(id, 'subscription Shared { topologyChanged { revision } }', {
      traceparent: traces[index]?.traceparent ?? '',
    });
    await socket.result(id, 1);
  }
  await call('POST /api/network/groups/', { url: platform.url, token: user.token, body: { label: 'other-label' } });
  for (const id of ids) await socket.result(id, 2);
  for (const id of ids) socket.send({ id, type: 'complete' });
  const spanOf = (index: number) => collector.trace(traces[index]?.traceId ?? '')[0]?.spanId;
  await until(async () => events().length === before + 3 && spanOf(0) !== undefined && spanOf(1) !== undefined);
  const links = events()
    .slice(before)
    .map((event) => event.links);
  expect(links).toEqual([[spanOf(0)], [spanOf(1)], [spanOf(0)]]);
});

it('a subscription that its client does not want to be recorded is not, nor are its events', async () => {
  const before = collector.spans.filter(({ name }) => name.startsWith('event ')).length;
  const { traceId, traceparent } = callerSpan(false);
  socket.subscribe('unrecorded', 'subscription { topologyChanged { revision } }', { traceparent });
  await socket.result('unrecorded', 1);
  socket.send({ id: 'unrecorded', type: 'complete' });
  // The spans of this query are sent later than those of the subscription would be.
  await wholeTrace(collector, sendOnSocket('after', '{ me { id } }'));
  expect(collector.trace(traceId)).toEqual([]);
  expect(collector.spans.filter(({ name }) => name.startsWith('event '))).toHaveLength(before);
});

it('the metrics name the trace of a slow request as an exemplar, where the format has them', async () => {
  const { traceId, traceparent } = callerSpan();
  const accept = { accept: 'application/openmetrics-text' };
  await call('GET /api/billing/credits/balance/', { url: platform.url, token: user.token, headers: { traceparent } });
  const read = async (headers: Record<string, string>) =>
    (await call('GET /metrics', { url: platform.url, headers })).text;
  await until(async () => (await read(accept)).includes(`# {trace_id="${traceId}"}`));
  expect(await read({})).not.toContain(traceId);
});
