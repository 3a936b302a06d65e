import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { call, platform, type Json } from '../../kit/platform.js';

/** Sends a request as it stands, and reads the status and the JSON of the answer. */
async function answerOf(head: string): Promise<{ readonly status: number; readonly body: Json }> {
  const { hostname, port } = new URL(platform().url);
  const socket = connect(Number(port), hostname);
  socket.end(`${head}Connection: close\r\n\r\n`);
  const [first = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(first.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) };
}

const MESSAGE = expect.any(String);
const PLATFORM = { error: MESSAGE };
const FOLDER = { Error: { error: 'invalid_manifest', message: MESSAGE } };
const GRAPHQL = { errors: [{ message: MESSAGE, extensions: { code: 'BAD_REQUEST' } }] };

const PATHS: readonly (readonly [path: string, format: object])[] = [
  ['/api/network/me/', PLATFORM],
  ['/api/nothing', PLATFORM],
  ['/api/billing/stripe/webhook/', PLATFORM],
  ['/accounts/google/login/', PLATFORM],
  ['/sandbox/chains/evm', PLATFORM],
  ['/', PLATFORM],
  ['/billing', PLATFORM],
  ['/metrics', PLATFORM],
  ['/health', PLATFORM],
  ['/list_folders/x', FOLDER],
  ['/upload/session', FOLDER],
  ['/nothing', FOLDER],
  ['/graphql', GRAPHQL],
];

describe.each(PATHS)(
  'a request that is refused before its route, at %s, gets the format of the path',
  (path, format) => {
    it.each([
      ['no Host', ''],
      ['two Host headers', 'Host: a\r\nHost: b\r\n'],
      ['two equal Host headers', 'Host: a\r\nHost: a\r\n'],
      ['a Host that is none', 'Host: a/b@c\r\n'],
      ['two Authorization headers', 'Host: a\r\nAuthorization: Token a\r\nAuthorization: Token b\r\n'],
      ['a compressed body', 'Host: a\r\nContent-Encoding: gzip\r\n'],
    ])('with %s', async (_, headers) => {
      expect(await answerOf(`GET ${path} HTTP/1.1\r\n${headers}`)).toEqual({ status: 400, body: format });
    });
  },
);

describe('a request that Node cannot read gets the format of the path, if that is known', () => {
  it.each([
    ['/api/network/me/', PLATFORM],
    ['/health', PLATFORM],
    ['/', PLATFORM],
    ['/nothing', PLATFORM],
    ['/list_folders/x', FOLDER],
    ['http://a/list_folders/x', FOLDER],
    ['/upload/session?x', FOLDER],
    ['/graphql', { errors: [expect.objectContaining({ message: MESSAGE })] }],
  ])('%s', async (path, body) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n`;
    expect(await answerOf(`${head}A: ${'a'.repeat(20_000)}\r\n`)).toEqual({ status: 431, body });
    expect(await answerOf(`${head}a b\r\n`)).toEqual({ status: 400, body });
    expect(await answerOf(`POST ${path} HTTP/9\r\nHost: a\r\n`)).toEqual({ status: 400, body });
  });

  it('and that of the platform without a path', async () => {
    expect(await answerOf('nonsense\r\n')).toEqual({ status: 400, body: PLATFORM });
  });
});

describe('a Host header', () => {
  it.each([
    '',
    'a',
    'a:',
    'a:80',
    'a:65535',
    '127.0.0.1:1',
    'xn--bcher-kva.example',
    'under_score.example',
    'a%20b',
    '[::1]',
    '[::1]:80',
    '[2001:db8::1]',
    '[::ffff:192.0.2.1]:443',
  ])('%j is served', async (host) => {
    expect((await answerOf(`GET /health HTTP/1.1\r\nHost: ${host}\r\n`)).status).toBe(200);
  });

  it.each(['[::1', '::1', '[]', '[a]', '[::1]a', '[fe80::1%25eth0]', 'a:b', 'a:65536', 'a:-1', 'a:1:2', ':a', 'a]'])(
    '%j is refused',
    async (host) => {
      expect((await answerOf(`GET /health HTTP/1.1\r\nHost: ${host}\r\n`)).status).toBe(400);
    },
  );

  it('may be absent in HTTP/1.0', async () => {
    expect((await answerOf('GET /health HTTP/1.0\r\n')).status).toBe(200);
  });

  it('is refused twice on the way to a websocket, too', async () => {
    expect(await upgradeOf('GET /graphql HTTP/1.1\r\nHost: a\r\nHost: b\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** Asks for a websocket, and reads the first bytes of the answer. */
async function upgradeOf(head: string): Promise<string> {
  const { hostname, port } = new URL(platform().url);
  const socket = connect(Number(port), hostname);
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

describe('the way to a websocket', () => {
  it.each(['/graphql', 'http://a/graphql', 'HTTP://[::1]:80/graphql/?x'])('may be %s', async (target) => {
    expect(await upgradeOf(`GET ${target} HTTP/1.1\r\nHost: a\r\n`)).toMatch(/^HTTP\/1\.1 101 /);
  });

  it.each(['/', 'http://a', 'http://a/other', 'http://graphql/a'])('is not %s', async (target) => {
    expect(await upgradeOf(`GET ${target} HTTP/1.1\r\nHost: a\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('a body that is too large', () => {
  const LENGTH = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n';

  it.each([
    ['/sandbox/chains/evm', PLATFORM],
    ['/api/auth/verify/', PLATFORM],
    ['/graphql', { errors: [{ message: MESSAGE, extensions: { code: 'PAYLOAD_TOO_LARGE' } }] }],
  ])('is refused in the format of the path: %s', async (path, format) => {
    expect(await answerOf(`POST ${path} HTTP/1.1\r\n${LENGTH}`)).toEqual({ status: 413, body: format });
  });
});

it.each(['nonsense', ''])('a body with the Content-Type %j is refused with what is wrong', async (type) => {
  const { status, body } = await call('POST /api/auth/verify-token/', {
    rawBody: '{"token":"x"}',
    headers: { 'content-type': type },
  });
  const error = 'The Content-Type is not a media type; send `application/json`.';
  expect({ status, body }).toEqual({ status: 400, body: { error } });
});
