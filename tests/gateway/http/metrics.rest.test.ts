import { describe, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { call, platform } from '../../kit/platform.js';
import { send, type RawReply } from '../../kit/files/bytes.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn } from '../../kit/accounts/wallet.js';

const { host, port } = new URL(platform().url);

/** Reads the metrics as a client with these headers does. */
function read(headers: Readonly<Record<string, string>>, method = 'GET'): Promise<RawReply> {
  return send(`${method} /metrics`, undefined, { headers });
}

/** The labels of every series of requests, and of everything else that has labels. */
async function series(): Promise<string[]> {
  const { text } = await call('GET /metrics');
  return text.split('\n').filter((line) => /^(?:http_request_seconds_count|nodejs_active_\w+)\{/.test(line));
}

const labelsOf = (line: string) => line.replace(/\} \S+$/, '}');

describe('the series of GET /metrics', () => {
  it('do not grow with the methods and addresses that clients make up', async () => {
    // Tunnels are no requests.
    const methods = METHODS.filter((method) => method !== 'CONNECT');
    await Promise.all(methods.map((method) => send(`${method} /${randomUUID()}`, undefined)));
    const counted = (await series()).filter((line) => line.startsWith('http_'));
    const words = counted.map((line) => /method="([^"]*)"/.exec(line)?.[1]);
    const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']);
    expect(words.filter((word) => !known.has(word ?? ''))).toEqual([]);
  });

  it('name the pattern of a route, never what a client has put into it', async () => {
    const id = randomUUID();
    await Promise.all([call(`GET /api/billing/transactions/${id}/`), call(`GET /dashboard/${id}`), call(`GET /${id}`)]);
    const known = await series();
    const other = randomUUID();
    await Promise.all([
      call(`GET /api/billing/transactions/${other}/`),
      call(`GET /dashboard/${other}`),
      call(`GET /${other}`),
    ]);
    const grown = (await series()).filter((line) => line.startsWith('http_')).map(labelsOf);
    expect(grown.filter((labels) => labels.includes(id) || labels.includes(other))).toEqual([]);
    expect(grown).toEqual(expect.arrayContaining(known.filter((line) => line.startsWith('http_')).map(labelsOf)));
  });
});

/** Everything in /metrics that text of a client could get into: all labels of all series. */
async function allLabels(): Promise<string[]> {
  const { text } = await call('GET /metrics');
  return text.split('\n').flatMap((line) => /\{.*\}/.exec(line) ?? []);
}

describe('the labels of GET /metrics', () => {
  it('have no name, field, variable or code that a client makes up, over HTTP and on sockets', async () => {
    const { token } = await signIn();
    const mark = `made${randomUUID().replaceAll('-', '')}`;
    const documents = [
      `query ${mark} { me { id } }`,
      `{ ${mark}: me { id } }`,
      `{ ${mark} }`,
      `query ${mark}($${mark}: Int) { me { id } }`,
      `mutation ${mark} { revokeToken(id: "${mark}") { id } }`,
      `{ model(name: "${mark}") { name } }`,
      mark,
    ];
    const socket = await TestSocket.open(token);
    for (const [index, query] of documents.entries()) {
      await call('POST /graphql', { token, body: { query, operationName: null } });
      await call('POST /graphql', { token, body: { query, operationName: mark } });
      socket.subscribe(`${mark}${index}`, query);
    }
    socket.subscribe('last', '{ me { id } }');
    await socket.result('last', 1);
    socket.close(4000 + randomInt(500, 999), mark);
    await call(`GET /api/network/groups/${mark}/?${mark}=${mark}`, { token });
    await call(`${mark.toUpperCase()} /graphql`, { token }).catch(() => undefined);
    await call('GET /metrics', { headers: { 'user-agent': mark, 'x-request-id': mark, referer: mark } });
    expect((await allLabels()).filter((text) => text.toLowerCase().includes(mark))).toEqual([]);
  });

  it('are a bounded set: the same requests with other names add no series', async () => {
    const { token } = await signIn();
    const ask = async () => {
      const name = `N${randomUUID().replaceAll('-', '')}`;
      await call('POST /graphql', { token, body: { query: `query ${name} { ${name}: areMachinesSimulated }` } });
      await call(`GET /api/network/groups/${randomInt(2 ** 31)}/`, { token });
      const socket = await TestSocket.open(token);
      socket.subscribe(name, `query ${name} { ${name}: areMachinesSimulated }`);
      await socket.result(name, 1);
      socket.close(4500 + randomInt(400), name);
      await socket.closing();
    };
    const names = ['http_request_seconds_count', 'graphql_', 'websocket_', 'plan_'];
    const own = async () =>
      (await call('GET /metrics')).text
        .split('\n')
        .filter(
          (line) =>
            names.some((name) => line.startsWith(name)) && /areMachinesSimulated|groups|websocket_|plan_/.test(line),
        )
        .map(labelsOf);
    await ask();
    const known = await own();
    for (let times = 0; times < 5; times++) await ask();
    const grown = (await own()).filter((line) => !known.includes(line));
    // Other suites send requests to the same platform.
    const isOurs = (line: string) =>
      /"areMachinesSimulated"|method="GET",route="\/api\/network\/groups\/[^/"]+\/"/.test(line);
    expect(known.filter((line) => isOurs(line) && line.includes('route'))).not.toEqual([]);
    expect(grown.filter(isOurs)).toEqual([]);
  });
});

describe('GET /metrics', () => {
  it.each([
    [undefined, 'text/plain; version=0.0.4; charset=utf-8'],
    ['*/*', 'text/plain; version=0.0.4; charset=utf-8'],
    ['application/openmetrics-text', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
    ['application/openmetrics-text;q=0.1, text/plain', 'text/plain; version=0.0.4; charset=utf-8'],
  ])('answers in the format that Accept prefers: %s', async (accept, type) => {
    const { headers, bytes } = await read(accept === undefined ? {} : { accept });
    expect(headers['content-type']).toBe(type);
    const text = bytes.toString();
    expect(text.endsWith('# EOF\n')).toBe(type.startsWith('application/'));
    expect(text).toContain(`# TYPE process_cpu_seconds${type.startsWith('text/') ? '_total' : ''} counter`);
  });

  it('has each series once', async () => {
    const { text } = await call('GET /metrics');
    const all = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/ \S+$/, ''));
    expect(all.filter((line, index) => all.indexOf(line) !== index)).toEqual([]);
  });

  it.each([
    ['its address', host],
    ['localhost', `localhost:${port}`],
    ['an IP address of a network', `10.1.2.3:${port}`],
    ['an IPv6 address', `[fd00::1]:${port}`],
    ['a name of one word, as containers have them', `archipelago:${port}`],
  ])('is read by Prometheus at %s', async (_, name) => {
    const { status, headers } = await read({ host: name });
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  });

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:1' }],
    ['of no origin', { origin: 'null' }],
    ['that is cross-site by its browser', { 'sec-fetch-site': 'cross-site' }],
    ['that is same-site by its browser', { 'sec-fetch-site': 'same-site' }],
    ['whose name was made to lead here', { host: 'rebound.example' }],
    ['whose name only begins like ours', { host: 'localhost.evil.example' }],
    ['whose name only ends like an address', { host: '127.0.0.1.evil.example' }],
  ])('is refused with 403 to a page %s', async (_, headers) => {
    const { status, bytes } = await read(headers);
    expect([status, bytes.toString()]).toEqual([403, expect.not.stringContaining('process_')]);
  });

  it('is shown to a page of its own origin', async () => {
    const { status } = await read({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });
    expect(status).toBe(200);
  });

  it.each([
    ['GET', {}],
    ['GET', { origin: 'https://evil.example' }],
    ['OPTIONS', { origin: 'https://evil.example', 'access-control-request-method': 'GET' }],
    ['POST', { origin: 'https://evil.example' }],
  ])('allows no other origin to read an answer: %s %j', async (method, given) => {
    const { headers } = await read(given, method);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});
