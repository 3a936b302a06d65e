import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import type { RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call, type Json, type Reply } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';

/** Far more than a burst, and than what is added to it while they are answered. */
const MANY = 150;
const [PER_USER, PER_ADDRESS] = [5, 20];

const FROM_ADDRESS = 'Too many requests from your address. Wait a second.';
const OF_USER = 'Too many of your requests. Wait a second.';
const asGraphQL = (message: string) => ({ errors: [{ message, extensions: { code: 'RATE_LIMITED', retryAfter: 1 } }] });

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startOnDatabase({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_PER_USER: `${PER_USER}`,
    RATE_PER_ADDRESS: `${PER_ADDRESS}`,
  });
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

interface Flood {
  readonly token?: string;
  readonly addressOf: (at: number) => string;
}

/** Sends many requests at once. Returns the answers that are refusals by rate, and the number of the others. */
async function flood(target: string, { addressOf, ...options }: Flood) {
  const body = target === 'POST /graphql' ? { query: '{ __typename }' } : undefined;
  const send = (_: unknown, at: number): Promise<Reply> =>
    call(target, { ...options, body, headers: { 'x-forwarded-for': addressOf(at) }, url: platform.url });
  const replies = await Promise.all(Array.from({ length: MANY }, send));
  const refused = replies.filter(({ status }) => status === 429);
  return { refused, passed: MANY - refused.length };
}

/** The distinct bodies, and values of Retry-After, of refusals. */
function shapesOf(replies: readonly Reply[]): unknown[] {
  const shapes = replies.map(({ body, headers }) => JSON.stringify([body, headers.get('retry-after')]));
  return [...new Set(shapes)].map((shape) => JSON.parse(shape) as unknown);
}

describe('requests above the rate of their client network', () => {
  it.each<[string, string, Json]>([
    ['GET /api/network/me/', '203.0.113.1', { error: FROM_ADDRESS }],
    ['GET /api/nothing/', '203.0.113.2', { error: FROM_ADDRESS }],
    ['GET /nothing', '203.0.113.3', { Error: { error: 'rate_limited', message: FROM_ADDRESS } }],
    ['POST /graphql', '203.0.113.4', asGraphQL(FROM_ADDRESS)],
  ])('get 429 and Retry-After, after those of two seconds: %s', async (target, address, body) => {
    const { refused, passed } = await flood(target, { addressOf: () => address });
    expect([passed >= 2 * PER_ADDRESS, shapesOf(refused)]).toEqual([true, [[body, '1']]]);
  });

  it('can be read by pages of other origins, and have a request id', async () => {
    const { refused } = await flood('POST /graphql', { addressOf: () => '203.0.113.5' });
    const [{ headers } = { headers: new Headers() }] = refused;
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]).toEqual([
      '*',
      expect.stringContaining('Retry-After'),
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
  });

  it('come from one /64 of IPv6; those of the next are served', async () => {
    const within = await flood('GET /nothing', { addressOf: (at) => `2001:db8:0:7::${at.toString(16)}` });
    const beside = await call('GET /nothing', {
      url: platform.url,
      headers: { 'x-forwarded-for': '2001:db8:0:8::1' },
    });
    expect([within.refused.length > 0, beside.status]).toEqual([true, 404]);
  });

  it.each(['GET /health/live', 'GET /metrics'])('do not have %s among them', async (target) => {
    const { passed } = await flood(target, { addressOf: () => '203.0.113.6' });
    expect(passed).toBe(MANY);
  });
});

interface Upgraded {
  readonly status: number;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: Json;
}

/** Asks for a websocket. */
function upgrade(address: string): Promise<Upgraded> {
  const url = `${platform.url.replace('http', 'ws')}/graphql`;
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { 'x-forwarded-for': address } });
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve({ status: 101 });
    });
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      void text(response).then((body) => resolve({ status, headers, body: JSON.parse(body) }));
    });
  });
}

it('Websockets above the rate of their client network get 429 and Retry-After.', async () => {
  const answers = await Promise.all(Array.from({ length: MANY }, () => upgrade('203.0.113.7')));
  const refused = answers.filter(({ status }) => status !== 101);
  expect(MANY - refused.length).toBeGreaterThanOrEqual(2 * PER_ADDRESS);
  expect(refused[0]).toMatchObject({
    status: 429,
    headers: { 'retry-after': '1', 'x-request-id': expect.stringMatching(/^[\w-]{8,}$/) },
    body: asGraphQL(FROM_ADDRESS),
  });
});

describe('requests above the rate of their user', () => {
  const anywhere = (at: number) => `10.1.${at}.1`;

  it.each<[string, Json]>([
    ['GET /api/network/me/', { error: OF_USER }],
    ['GET /list_folders/', { Error: { error: 'rate_limited', message: OF_USER } }],
    ['POST /graphql', asGraphQL(OF_USER)],
  ])('get 429 and Retry-After from any address: %s', async (target, body) => {
    const [{ token }, other] = await Promise.all([signIn(undefined, platform.url), signIn(undefined, platform.url)]);
    const { refused, passed } = await flood(target, { token, addressOf: anywhere });
    expect([passed >= 2 * PER_USER, shapesOf(refused)]).toEqual([true, [[body, '1']]]);
    const served = await call('GET /api/network/me/', { url: platform.url, token: other.token });
    expect(served.status).not.toBe(429);
  });

  it('are operations on websockets too', async () => {
    const { token } = await signIn(undefined, platform.url);
    const socket = await TestSocket.open(token, platform.url);
    const ids = Array.from({ length: 49 }, (_, at) => `${at}`);
    for (const id of ids) socket.subscribe(id, '{ __typename }');
    const ended = await Promise.all(ids.map((id) => Promise.race([socket.result(id, 1), socket.failure(id)])));
    socket.close();
    const refused = ended.filter((payload) => Array.isArray(payload));
    expect(ids.length - refused.length).toBeGreaterThanOrEqual(2 * PER_USER);
    expect(refused[0]).toMatchObject(asGraphQL(OF_USER).errors);
  });
});
