import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';

describe('what a page is made of', () => {
  const fetched = (path: string, accepted: string) =>
    call(`GET ${path}`, { headers: { accept: 'text/html', 'accept-encoding': accepted } });

  it.each([
    ['/dashboard/app.js', 'gzip, deflate, br', 'br'],
    ['/dashboard/page.css', 'gzip', 'gzip'],
    ['/dashboard/app.js', 'identity', null],
    ['/api/docs/assets/swagger-ui-bundle.js', 'br', 'br'],
    ['/graphql-explorer/main.js', 'gzip', 'gzip'],
    ['/', 'gzip, deflate, br', 'br'],
    ['/', 'gzip', 'gzip'],
    ['/billing', 'br;q=0, *', 'gzip'],
    ['/billing/', 'br', 'br'],
    ['/', 'identity', null],
    ['/api/openapi.json', 'gzip, br', 'br'],
    ['/api/openapi.json', 'gzip;q=1, br;q=0', 'gzip'],
    ['/api/openapi.json', 'br;q=0.5, gzip;q=0.8', 'gzip'],
    ['/api/openapi.json', 'gzip, br;q=0.1', 'gzip'],
    ['/api/openapi.json', 'gzip;q=0.5, br;q=0.5', 'br'],
    ['/api/openapi.json', 'gzip;q=0.5, *;q=0.9', 'br'],
    ['/api/openapi.json', 'gzip;q=0.5, identity', null],
    ['/', 'br;q=0.2, gzip;q=0.9', 'gzip'],
    ['/api/docs/', 'br', 'br'],
    ['/graphql', 'br', 'br'],
    ['/graphql', 'identity', null],
  ])('comes compressed to who takes it so: %s as %s', async (path, accepted, encoding) => {
    const { status, headers, text } = await fetched(path, accepted);
    const { text: plain, headers: identity } = await fetched(path, 'identity');
    expect({ status, encoding: headers.get('content-encoding') }).toEqual({ status: 200, encoding });
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
    expect(headers.get('content-type')).toBe(identity.get('content-type'));
    expect(text === plain).toBe(true);
  });

  it('has another ETag for each encoding, and is not sent again to who has it', async () => {
    const replies = await Promise.all(['br', 'gzip', 'identity'].map((each) => fetched('/dashboard/app.js', each)));
    const tags = replies.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    // What fetch would send of its own, `no-cache`, asks for the whole answer.
    const headers = { 'accept-encoding': 'br', 'if-none-match': tags[0] ?? '', 'cache-control': 'max-age=0' };
    expect((await call('GET /dashboard/app.js', { headers })).status).toBe(304);
  });

  it('is the OpenAPI document: another ETag for each encoding, and 304 to who has it', async () => {
    const replies = await Promise.all(['br', 'gzip', 'identity'].map((each) => fetched('/api/openapi.json', each)));
    const tags = replies.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    const headers = { 'accept-encoding': 'br', 'if-none-match': tags[0] ?? '', 'cache-control': 'max-age=0' };
    expect((await call('GET /api/openapi.json', { headers })).status).toBe(304);
  });

  it.each(['/dashboard/app.js', '/logos/docker.svg', '/api/openapi.json', '/'])(
    'is sent under If-Match only as the version that is named: %s',
    async (path) => {
      const get = (tag: string) => call(`GET ${path}`, { headers: { 'accept-encoding': 'br', 'if-match': tag } });
      const { headers } = await call(`GET ${path}`, { headers: { 'accept-encoding': 'br' } });
      const current = headers.get('etag') ?? '';
      const replies = await Promise.all([get('"another"'), get(`"another", ${current}`), get('*')]);
      expect(replies.map(({ status }) => status)).toEqual([412, 200, 200]);
    },
  );

  it('has no part beyond its end', async () => {
    const { status, body } = await call('GET /logos/docker.svg', { headers: { range: 'bytes=99999-' } });
    expect({ status, body }).toEqual({ status: 416, body: expect.anything() });
  });

  it('has an icon where browsers look for one', async () => {
    const { status, headers } = await call('GET /favicon.ico');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/vnd.microsoft.icon']);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
  });
});
