import { beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { call, platform } from '../../kit/platform.js';
import { serviceToken, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { badRequestAt, refusalAt } from '../../kit/rest/rest-checks.js';
import { OPEN, OWNER, PROTECTED, PUBLIC, WITH_ANY_BODY, WITH_BODY } from '../../kit/rest/rest-routes.js';

let user: SignedIn;
let validator: string;
beforeAll(async () => {
  [user, validator] = await Promise.all([signInWithNetwork(), serviceToken('VALIDATOR')]);
});

/** The token of one who may ask there. */
const tokenFor = (target: string) => (target.includes('/usage/record') ? validator : user.token);

/** The same request about the user's own files: about those of others it is forbidden before its body is looked at. */
const ownTarget = (target: string) => target.replace(OWNER, user.substrateAddress);

const UNDER_API = [...PROTECTED, ...OPEN, ...PUBLIC].filter((target) => target.includes(' /api/'));

/** Not for an ordinary user: refused, and not by a redirect. */
const FOR_OTHERS =
  /\/billing\/(?:subscriptions|usage)\/|\/models\/notifications\/|\/vm\/spawn\/|\/network\/(?:configuration|report)\//;

/** Whose answer is the same each time. */
const REPEATABLE = UNDER_API.filter((target) => !/ \/api\/(?:auth\/token|network\/peers\/enroll)\/$/.test(target));

describe('the trailing slash', () => {
  it.each(REPEATABLE)('changes nothing at %s', async (target) => {
    const withSlash = await call(target, { token: user.token });
    const without = await call(target.replace(/\/$/, ''), { token: user.token });
    expect({ status: without.status, body: without.body }).toEqual({ status: withSlash.status, body: withSlash.body });
  });

  it.each(UNDER_API)('is never asked for by a redirect at %s', async (target) => {
    const { status } = await call(target.replace(/\/$/, ''), { token: user.token });
    const expected = FOR_OTHERS.test(target) ? [401, 403] : [200, 201, 400, 402, 404];
    expect(expected).toContain(status);
  });

  it('changes nothing before a query', async () => {
    const { status } = await call('GET /api/billing/credits/balance?page=1', { token: user.token });
    expect(status).toBe(200);
  });
});

describe('a path that is not served', () => {
  it.each(['GET /api/nothing/', 'POST /api/nothing', 'GET /api/', 'DELETE /api/network/', 'GET /api/auth/verify/x/y/'])(
    'answers 404 in the words of the platform at %s',
    async (target) => {
      const { status, body } = await call(target);
      expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
    },
  );

  it.each(['GET /nothing', 'POST /register_folder/x', 'PUT /apis/nothing', 'GET /list_folders/a/b'])(
    'answers 404 in the envelope of folder sync at %s',
    async (target) => {
      const { status, body } = await call(target);
      expect({ status, body }).toEqual({
        status: 404,
        body: { Error: { error: 'not_found', message: expect.any(String) } },
      });
    },
  );
});

describe('a path with malformed percent-encoding', () => {
  it.each(['GET /api/network/%zz/', 'DELETE /api/network/groups/%E0%A4%A/', 'GET /list_folders/%', 'GET /%c0%af%zz'])(
    'answers 400 in the words of its document at %s',
    async (target) => {
      const { status, body } = await call(target, { token: user.token });
      expect({ status, body }).toEqual({ status: 400, body: badRequestAt(target) });
    },
  );
});

describe('a body', () => {
  it.each(WITH_BODY)('of 1 MB of JSON is refused with 413 at %s', async (target) => {
    const { status, body } = await call(target, { token: tokenFor(target), body: { label: 'x'.repeat(1_000_000) } });
    expect({ status, body }).toEqual({ status: 413, body: refusalAt(target, 'payload_too_large') });
  });

  it('of 1 MB of JSON is refused with 413 at /graphql', async () => {
    const { status, body } = await call('POST /graphql', {
      body: { query: `{ me { id } } #${'x'.repeat(1_000_000)}` },
    });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each(WITH_ANY_BODY)('of malformed JSON is refused with 400 at %s', async (target) => {
    const { status, body } = await call(ownTarget(target), { token: tokenFor(target), rawBody: '{"label": "x"' });
    expect({ status, body }).toEqual({ status: 400, body: badRequestAt(target, 'invalid_manifest') });
  });

  it.each(WITH_ANY_BODY.flatMap((target) => [[], [{}], 'text', 7, true].map((body) => ({ target, body }))))(
    'that is $body and no object is refused with 400 at $target',
    async ({ target, body: sent }) => {
      const { status, body } = await call(ownTarget(target), { token: tokenFor(target), body: sent });
      expect({ status, body }).toEqual({ status: 400, body: badRequestAt(target, 'invalid_manifest') });
    },
  );

  it.each(WITH_ANY_BODY.flatMap((target) => [undefined, '', '{}', 'null'].map((rawBody) => ({ target, rawBody }))))(
    'that is $rawBody lacks what $target requires',
    async ({ target, rawBody }) => {
      const sent = rawBody === undefined ? {} : { rawBody };
      const { status, body } = await call(ownTarget(target), { token: tokenFor(target), ...sent });
      expect({ status, body }).toEqual({ status: 400, body: badRequestAt(target, 'invalid_manifest') });
    },
  );

  it('is taken for JSON whatever its content type says', async () => {
    const { status } = await call('POST /api/auth/verify-token/', {
      rawBody: JSON.stringify({ token: user.token }),
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(200);
  });
});

describe('X-Request-Id', () => {
  it.each([
    ['GET /health', 200],
    ['GET /health/ready', 200],
    ['POST /api/auth/verify-token/', 400],
    ['GET /api/network/me/', 401],
    ['GET /list_folders/x', 401],
    ['GET /api/nothing/', 404],
    ['GET /nothing', 404],
    ['PUT /api/network/me/', 405],
    ['GET /api/%zz', 400],
  ])('is on the answer of %s', async (target, expected) => {
    const { status, headers } = await call(target);
    expect({ status, id: headers.get('x-request-id') }).toEqual({
      status: expected,
      id: expect.stringMatching(/^\S{8,}$/),
    });
  });

  it('is on the answer of /graphql', async () => {
    const { headers } = await call('POST /graphql', { body: { query: '{ __typename }' } });
    expect(headers.get('x-request-id')).toMatch(/^\S{8,}$/);
  });

  it('differs from request to request', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await call('GET /health')).headers.get('x-request-id')));
    expect(new Set(ids).size).toBe(2);
  });
});

const preflight = (headers: string) =>
  call('OPTIONS /api/auth/verify/', {
    headers: {
      origin: 'tauri://localhost',
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    },
  });

describe('a request that is unusual but HTTP', () => {
  it('is served when its target is an absolute URL', async () => {
    const { hostname, port } = new URL(platform().url);
    const request = httpRequest({
      hostname,
      port,
      path: `${platform().url}/api/network/me/`,
      headers: { authorization: `Token ${user.token}` },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it('is answered with 204 when it is an OPTIONS that is no preflight', async () => {
    const { status, body } = await call('OPTIONS /api/auth/verify/');
    expect({ status, body }).toEqual({ status: 204, body: undefined });
  });

  it('is refused with an X-Request-Id when its headers are too large', async () => {
    const { status, headers } = await call('GET /api/network/me/', { token: 'x'.repeat(20_000) });
    expect({ status, id: headers.get('x-request-id') }).toEqual({ status: 431, id: expect.stringMatching(/^\S{8,}$/) });
  });
});

describe('what can only be read', () => {
  it.each(['/', '/billing', '/billing/', '/health', '/health/live', '/health/ready', '/metrics', '/api/openapi.json'])(
    'answers 405 with Allow to a POST at %s',
    async (path) => {
      const { status, headers } = await call(`POST ${path}`);
      expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
    },
  );
});

describe('a request that cannot be trusted', () => {
  it.each([
    ['no Host', 'GET /health HTTP/1.1\r\n'],
    [
      'two Authorization headers',
      'GET /health HTTP/1.1\r\nHost: x\r\nAuthorization: Token a\r\nAuthorization: Token b\r\n',
    ],
    ['a compressed body', 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n'],
  ])('is refused with 400 and an X-Request-Id: %s', async (_, head) => {
    const { hostname, port } = new URL(platform().url);
    const socket = connect(Number(port), hostname);
    socket.end(`${head}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: \S{8,}/i);
  });
});

describe('a browser on another origin', () => {
  it.each(['authorization', 'content-type', 'x-requested-with'])('may send the header %s', async (header) => {
    const { headers } = await preflight(header);
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain(header);
  });

  it.each(['GET /health', 'GET /api/nothing', 'POST /nothing', 'GET /api/%zz', 'GET /list_folders/%zz', 'PUT /health'])(
    'may read the answer and its id at %s',
    async (target) => {
      const { headers } = await call(target, { headers: { origin: 'tauri://localhost' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toMatch(/x-request-id/i);
    },
  );
});
