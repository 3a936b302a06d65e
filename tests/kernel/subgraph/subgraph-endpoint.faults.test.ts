import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import { remoteEndpointOf } from '../../../kernel/subgraph/endpoint/caller-headers.js';
import { SubgraphEndpoint } from '../../../kernel/subgraph/endpoint/subgraph-endpoint.js';
import { ADMIN_TOKEN, type RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';

const SECRET = 'the-secret-between-subgraphs';
/** The secret before: processes that do not know the new one yet send it. */
const OLD_SECRET = 'the-secret-before';
/** For Prometheus, now and before. */
const [METRICS_TOKEN, OLD_METRICS_TOKEN] = ['the-token-of-prometheus', 'the-token-of-prometheus-before'];
const PATH = '/_subgraphs/accounts';
const ANONYMOUS = Buffer.from('{"kind":"anonymous"}').toString('base64url');
const KNOWN = { 'x-subgraph-secret': SECRET, 'x-viewer': ANONYMOUS };
const BYTES_TYPE = 'content-type: application/x-archipelago-bytes\r\n';

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startOnDatabase({
    SUBGRAPH_SECRET: `${SECRET},${OLD_SECRET}`,
    METRICS_TOKEN: `${METRICS_TOKEN},${OLD_METRICS_TOKEN}`,
  });
}, 60_000);
afterAll(() => platform.stop());

const portOf = () => Number(new URL(platform.url).port);

/** Sends a head, how its body begins, and a byte now and then until the server closes the connection. Returns all that was answered. */
async function drip(port: number, headers: string, first = ''): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
  let answered = '';
  socket.on('data', (text: string) => (answered += text)).on('error', () => undefined);
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n${headers}\r\n${first}`);
  const timer = setInterval(() => socket.write(' '), 50);
  dripping.add(socket);
  await once(socket, 'close');
  clearInterval(timer);
  return answered;
}

/** What a test has opened does not outlive it. */
const dripping = new Set<Socket>();
afterEach(() => {
  for (const socket of dripping) socket.destroy();
  dripping.clear();
});

describe('POST /_subgraphs/NAME without the secret', () => {
  it('closes the connection of each of fifty clients that go on sending their bodies', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => drip(portOf(), '')));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*connection: close/i);
  });

  it('closes the connection of a client whose body has come', async () => {
    const { status, headers } = await call(`POST ${PATH}`, { url: platform.url, body: { query: '{ __typename }' } });
    expect([status, headers.get('connection')]).toEqual([401, 'close']);
  });
});

describe('GET /_subgraphs/NAME', () => {
  it.each([
    [SECRET, 200],
    [OLD_SECRET, 200],
    [`${SECRET},${OLD_SECRET}`, 401],
    ['another-secret', 401],
  ])('is answered with the secret %s by %i while a secret is replaced', async (secret, expected) => {
    const headers = { ...KNOWN, 'x-subgraph-secret': secret };
    expect((await call(`GET ${PATH}`, { url: platform.url, headers })).status).toBe(expected);
  });

  it('says whether the subgraph can serve', async () => {
    const { status, body } = await call(`GET ${PATH}`, { url: platform.url, headers: KNOWN });
    expect([status, body]).toEqual([200, { status: 'ready' }]);
  });

  it.each(['query=%7B__typename%7D', 'a=b&query=', 'query='])(
    'is refused with 405 when it has a query: %s',
    async (q) => {
      const { status, headers, body } = await call(`GET ${PATH}?${q}`, { url: platform.url, headers: KNOWN });
      const refused = { status, allow: headers.get('allow'), code: body.errors?.[0].extensions.code };
      expect(refused).toEqual({ status: 405, allow: 'POST', code: 'METHOD_NOT_ALLOWED' });
    },
  );

  it('tells a client without the secret nothing of that', async () => {
    const { status } = await call(`GET ${PATH}?query=%7B__typename%7D`, { url: platform.url });
    expect(status).toBe(401);
  });
});

describe('POST /_subgraphs/NAME', () => {
  it.each([
    [2 ** 24, 200],
    [2 ** 24 + 1, 400],
  ])('is answered to a body of %i bytes with %i', async (length, expected) => {
    const body = JSON.stringify({ query: '{ __typename }' }).padEnd(length);
    const headers = { ...KNOWN, 'content-type': 'application/json' };
    const { status } = await fetch(platform.url + PATH, { method: 'POST', headers, body });
    expect(status).toBe(expected);
  });
});

describe('a subscription at /_subgraphs/NAME', () => {
  const query = 'subscription { creditBalanceChanged { balance } }';

  it.each(['application/json', '*/*'])(
    'is refused with 400 unless it asks for server-sent events: %s',
    async (accept) => {
      const { status, body } = await call(`POST ${PATH}`, {
        url: platform.url,
        body: { query },
        headers: { ...KNOWN, accept },
      });
      expect([status, body.errors?.[0].extensions.code, body.errors?.[0].message]).toEqual([
        400,
        'BAD_REQUEST',
        expect.stringContaining('text/event-stream'),
      ]);
    },
  );

  it.each(['text/event-stream', 'application/json, text/event-stream'])(
    'is answered with events: %s',
    async (accept) => {
      const { headers, text } = await call(`POST ${PATH}`, {
        url: platform.url,
        body: { query },
        headers: { ...KNOWN, accept },
      });
      expect([headers.get('content-type'), text]).toEqual([
        'text/event-stream',
        expect.stringContaining('UNAUTHENTICATED'),
      ]);
    },
  );
});

describe('a caller with a wrong secret', () => {
  it('tells its users that the subgraph does not answer, and the operator once why', async () => {
    const lines: unknown[][] = [];
    const local = new RemoteSubgraphClient(remoteEndpointOf('accounts', `${platform.url}${PATH}`, SECRET));
    const endpoint = new SubgraphEndpoint(local, [SECRET], { log: { warn: (...line: unknown[]) => lines.push(line) } });
    const server = createServer((request, response) => void endpoint.handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const caller = new RemoteSubgraphClient(remoteEndpointOf('network', url, 'another-secret'));
    const origin = { viewer: { kind: 'anonymous' }, requestId: 'of-the-tests', clientAddress: '' } as const;
    const signal = new AbortController().signal;
    const asked = [
      caller.execute({ ...origin, query: '{ __typename }', variables: {} }),
      caller.execute({ ...origin, query: 'mutation { signOut }', variables: {} }),
      caller.subscribe(
        { ...origin, query: 'subscription { creditBalanceChanged { balance } }', variables: {} },
        signal,
      ),
      caller.open({ ...origin, name: 'download', parameters: {}, signal }),
    ];
    const refusals = await Promise.all(asked.map((answer) => answer.catch((error: unknown) => error)));
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        message: 'The network part of the platform does not answer just now.',
        extensions: { code: 'UNAVAILABLE' },
      });
    expect(lines).toEqual([[{ address: '127.0.0.1' }, expect.stringContaining('SUBGRAPH_SECRET')]]);
    server.closeAllConnections();
    server.close();
    await Promise.all([caller.close(), local.close()]);
  });
});

describe('METRICS_TOKEN', () => {
  const read = async (url: string, headers: Readonly<Record<string, string>>) =>
    (await call('GET /metrics', { url, headers })).status;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('is demanded by /metrics of the gateway, and nothing else is taken for it', async () => {
    const { url } = platform;
    const sent = [{}, bearer('another-token-of-nobody'), { 'x-subgraph-secret': SECRET }, bearer(ADMIN_TOKEN)];
    const refused = await Promise.all(sent.map((headers) => read(url, headers)));
    const served = await Promise.all([METRICS_TOKEN, OLD_METRICS_TOKEN].map((token) => read(url, bearer(token))));
    expect([refused, served]).toEqual([Array(4).fill(401), [200, 200]]);
  });

  it('opens /metrics of a subgraph, and nothing else of it', async () => {
    const client = new RemoteSubgraphClient(remoteEndpointOf('accounts', `${platform.url}${PATH}`, SECRET));
    const endpoint = new SubgraphEndpoint(client, [SECRET], { metricsTokens: [METRICS_TOKEN] });
    const server = createServer((request, response) => void endpoint.handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = bearer(METRICS_TOKEN);
    expect(await read(url, headers)).toBe(200);
    expect(await read(url, bearer('another-token-of-nobody'))).toBe(401);
    expect((await call('GET /', { url, headers })).status).toBe(401);
    const body = { query: '{ __typename }' };
    expect((await call('POST /metrics', { url, headers, body })).status).toBe(401);
    server.closeAllConnections();
    server.close();
    await client.close();
  });
});

describe('a body for a subgraph that comes too slowly', () => {
  let server: Server;
  let port: number;
  let accounts: RemoteSubgraphClient;
  const known = `x-subgraph-secret: ${SECRET}\r\nx-viewer: ${ANONYMOUS}\r\n`;
  beforeAll(async () => {
    accounts = new RemoteSubgraphClient(remoteEndpointOf('accounts', `${platform.url}${PATH}`, SECRET));
    const times = { wholeMs: 400, idleMs: 400, leastBytesPerSecond: 4_096 };
    const endpoint = new SubgraphEndpoint(accounts, [SECRET], { times });
    server = createServer((request, response) => void endpoint.handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.close();
    await accounts.close();
  });

  it('is refused with 408, and the connection closed, when it is JSON', async () => {
    expect(await drip(port, known)).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*REQUEST_TIMEOUT/i);
  });

  it('is refused with 408 when the operation before the bytes does not come', async () => {
    expect(await drip(port, known + BYTES_TYPE, '\0\0\x10\0')).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/i);
  });
});

it('an endpoint that is closed cuts streams that begin later', async () => {
  const accounts = new RemoteSubgraphClient(remoteEndpointOf('accounts', `${platform.url}${PATH}`, SECRET));
  const endpoint = new SubgraphEndpoint(accounts, [SECRET]);
  const server = createServer((request, response) => void endpoint.handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint.close();
  const viewer = Buffer.from('{"kind":"platform","subgraph":"gateway"}').toString('base64url');
  const headers = { ...KNOWN, 'x-viewer': viewer, accept: 'text/event-stream', 'content-type': 'application/json' };
  const body = JSON.stringify({ query: 'subscription TokenChanged { tokenChanged }' });
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).rejects.toThrow('fetch failed');
  server.close();
  await accounts.close();
});
