import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { call, platform } from '../../kit/platform.js';
import { send, type RawReply } from '../../kit/bytes.js';

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

describe('GET /metrics', () => {
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
