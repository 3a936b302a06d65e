import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { call } from '../../kit/platform.js';

/** Paths of the dashboard's first script and style. Their names change with their contents. */
let script: string;
let style: string;
beforeAll(async () => {
  const { text } = await call('GET /');
  [script = '', style = ''] = [/<script[^>]* src="([^"]+)"/, /<link[^>]* href="([^"]+\.css)"/].map(
    (pattern) => pattern.exec(text)?.[1] ?? '',
  );
});

/** Bytes of a compressed answer. */
async function sizeOf(path: string): Promise<number> {
  const { headers } = await call(`HEAD ${path}`, { headers: { 'accept-encoding': 'br' } });
  return Number(headers.get('content-length'));
}

describe('what a page is made of', () => {
  const fetched = (path: string, accepted: string) =>
    call(`GET ${path}`, { headers: { accept: 'text/html', 'accept-encoding': accepted } });

  it.each([
    ['the script', 'gzip, deflate, br', 'br'],
    ['the style', 'gzip', 'gzip'],
    ['the script', 'identity', null],
    ['/network/history/7', 'br', 'br'],
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
  ])('comes compressed to who takes it so: %s as %s', async (named, accepted, encoding) => {
    const path = named === 'the script' ? script : named === 'the style' ? style : named;
    const { status, headers, text } = await fetched(path, accepted);
    const { text: plain, headers: identity } = await fetched(path, 'identity');
    expect({ status, encoding: headers.get('content-encoding') }).toEqual({ status: 200, encoding });
    expect(headers.get('vary')).toMatch(/accept-encoding/i);
    expect(headers.get('content-type')).toBe(identity.get('content-type'));
    expect(text === plain).toBe(true);
  });

  it.each(['br', 'gzip', 'identity'])(
    'lets only the worker that hashes files use WebAssembly, as %s',
    async (accepted) => {
      const folder = join(packageRoot(), 'dist/static/dashboard/assets');
      const [worker] = (await readdir(folder)).filter((name) => /^vault\.worker-.*\.js$/.test(name));
      const paths = ['/', '/files', script, `/dashboard/assets/${worker}`];
      const policies = await Promise.all(
        paths.map(async (path) => (await fetched(path, accepted)).headers.get('content-security-policy') ?? ''),
      );
      const scripts = policies.map((policy) => /script-src ([^;]*)/.exec(policy)?.[1]);
      expect(scripts).toEqual(["'self'", "'self'", "'self'", "'self' 'wasm-unsafe-eval'"]);
    },
  );

  it('has another ETag for each encoding, and is not sent again to who has it', async () => {
    const replies = await Promise.all(['br', 'gzip', 'identity'].map((each) => fetched(script, each)));
    const tags = replies.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    // What fetch would send of its own, `no-cache`, asks for the whole answer.
    const headers = { 'accept-encoding': 'br', 'if-none-match': tags[0] ?? '', 'cache-control': 'max-age=0' };
    expect((await call(`GET ${script}`, { headers })).status).toBe(304);
  });

  it('is the OpenAPI document: another ETag for each encoding, and 304 to who has it', async () => {
    const replies = await Promise.all(['br', 'gzip', 'identity'].map((each) => fetched('/api/openapi.json', each)));
    const tags = replies.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    const headers = { 'accept-encoding': 'br', 'if-none-match': tags[0] ?? '', 'cache-control': 'max-age=0' };
    expect((await call('GET /api/openapi.json', { headers })).status).toBe(304);
  });

  it.each(['/network', '/logos/docker.svg', '/api/openapi.json', '/'])(
    'is sent under If-Match only as the version that is named: %s',
    async (path) => {
      const get = (tag: string) => call(`GET ${path}`, { headers: { 'accept-encoding': 'br', 'if-match': tag } });
      const { headers } = await call(`GET ${path}`, { headers: { 'accept-encoding': 'br' } });
      const current = headers.get('etag') ?? '';
      const replies = await Promise.all([get('"another"'), get(`"another", ${current}`), get('*')]);
      expect(replies.map(({ status }) => status)).toEqual([412, 200, 200]);
    },
  );
  it('is kept for ever where the name of a file changes with its content, else asked for each time', async () => {
    const policies = await Promise.all([script, style, '/', '/network'].map(async (path) => call(`GET ${path}`)));
    const kept = 'public, max-age=31536000, immutable';
    expect(policies.map(({ headers }) => headers.get('cache-control'))).toEqual([kept, kept, 'no-cache', 'no-cache']);
  });

  it('needs at most 250 kB, compressed, before the first page is shown', async () => {
    const { text } = await call('GET /');
    const first = [...text.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(([, path = '']) => path);
    const [styles = ''] = await Promise.all([call(`GET ${style}`)].map(async (reply) => (await reply).text));
    const fonts = [...styles.matchAll(/url\(([^)]+)\)/g)].map(([, path = '']) => path);
    const sizes = await Promise.all(['/', ...first, ...fonts].map(sizeOf));
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

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
