import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { highestRole } from '../../../subgraphs/accounts/identity/role/highest-role.rules.js';
import { errorFields, returnUrlOf, withQuery } from '../../../subgraphs/accounts/sign-in/social/callback.rules.js';
import { platformConfig } from '../../kit/config.js';

describe('an address to return to', () => {
  it('is below the public address only within its path', () => {
    const below = (next: string) => returnUrlOf(next, 'https://cloud.example/base', [])?.href;
    expect([below('/base/x'), below('/other'), below('/based'), below('https://cloud.example/base')]).toEqual([
      'https://cloud.example/base/x',
      undefined,
      undefined,
      'https://cloud.example/base',
    ]);
  });

  it('is none that hands over to another one, also on a registered host', () => {
    const nested = 'https://app.example/get-token/?callback_url=https://evil.example/';
    const found = [nested, `/get-token/?callback_url=${encodeURIComponent(nested)}`].map(
      (next) => returnUrlOf(next, 'https://cloud.example', ['https://app.example/*'])?.href,
    );
    expect(found).toEqual([undefined, undefined]);
  });

  it.each([
    'https://app.example/cb/%2567et-token/?callback_url=https://evil.example',
    'https://app.example/cb/get-token;v=1/?callback_url=https://evil.example',
    'https://app.example/cb/get-token%3f?callback_url=https://evil.example',
    'https://app.example/cb%2f..%2f..%2fx',
    'https://app.example/cb%5c..%5cx',
    '/get-token;/?callback_url=https://evil.example',
    '/%2567et-token/?callback_url=https://evil.example',
  ])('is no address that a server may read as another path: %s', (next) => {
    expect(returnUrlOf(next, 'https://cloud.example', ['https://app.example/cb*'])).toBeUndefined();
  });

  it.each(['javascript:*', 'data:*', 'view-source:*', 'feed:*', '*', 'https:*', 'https://*'])(
    'is never let in by the pattern %j',
    (pattern) => {
      const found = ['javascript:alert(1)', 'data:text/html,x', 'view-source:x', 'feed:x', 'https://evil.example/'].map(
        (next) => returnUrlOf(next, 'https://cloud.example', [pattern]),
      );
      expect(found).toEqual([undefined, undefined, undefined]);
    },
  );
});

describe('what is added to a callback', () => {
  it.each([
    ['app://auth', 'app://auth?code=1'],
    ['app://auth?a=%20b', 'app://auth?a=%20b&code=1'],
    ['https://h/p?x#part?y', 'https://h/p?x&code=1#part?y'],
  ])('leaves %s as it is', (callback, expected) => {
    expect(withQuery(callback, { code: '1' })).toBe(expected);
  });
});

describe('the fields of an answer that a callback has already', () => {
  it.each([
    ['https://h/p?code=theirs', 'https://h/p?code=1'],
    ['https://h/p?a=1&error=x&b=%20&error_description=y&code=z&code', 'https://h/p?a=1&b=%20&code=1'],
    ['app://auth?%63ode=theirs&decode=2#code=3', 'app://auth?decode=2&code=1#code=3'],
    ['app://auth?error=x&', 'app://auth?code=1'],
  ])('are taken out of %s', (callback, expected) => {
    expect(withQuery(callback, { code: '1' })).toBe(expected);
  });

  it('are taken out of it for an error too', () => {
    expect(withQuery('app://auth?code=theirs', errorFields('denied', undefined))).toBe('app://auth?error=denied');
  });
});

describe('the words of a provider', () => {
  it('are cut at 500 without half of a surrogate pair', () => {
    const { error_description } = errorFields('x', `${'a'.repeat(499)}😀`);
    expect(error_description).toBe('a'.repeat(499));
  });

  it('are kept whole where they fit', () => {
    expect(errorFields('x', '😀'.repeat(250))).toEqual({ error: 'x', error_description: '😀'.repeat(250) });
  });
});

describe('the word for roles', () => {
  it.each([
    [[], 'user'],
    [['BETA'], 'beta'],
    [['BETA', 'ADMIN', 'VALIDATOR'], 'admin'],
    [['SUPERUSER'], 'superuser'],
  ] as const)('for %j is %s', (roles, word) => {
    expect(highestRole(roles)).toBe(word);
  });
});

describe('the settings of sign-in', () => {
  it('allow thirty verifications a minute and trust no proxy unless told', () => {
    expect(platformConfig({})).toMatchObject({ verificationsPerMinute: 30, trustedProxies: [] });
  });

  it.each([
    { VERIFICATIONS_PER_MINUTE: '0' },
    { VERIFICATIONS_PER_MINUTE: 'many' },
    { TRUSTED_PROXIES: 'proxy.example' },
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    { TRUSTED_PROXIES: '10.0.0.0/8, ::1/129' },
  ])('are refused when they are %j', (env) => {
    expect(() => platformConfig(env)).toThrow(Object.keys(env)[0] ?? '');
  });

  it('may be files, the issuer too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'archipelago-issuer-'));
    const file = join(folder, 'issuer');
    await writeFile(file, 'https://id.example\n');
    const env = { OIDC_B_ISSUER_FILE: file, OIDC_B_CLIENT_ID: 'c' };
    expect(platformConfig(env).accounts.oidc.get('b')).toMatchObject({ issuer: 'https://id.example', clientId: 'c' });
    expect(() => platformConfig({ OIDC_B_ISSUER_FILE: file })).toThrow(
      'OIDC_B_CLIENT_ID must be set, as the issuer is.',
    );
    const both = { ...env, OIDC_B_ISSUER: 'https://id.example' };
    expect(() => platformConfig(both)).toThrow('Set OIDC_B_ISSUER or OIDC_B_ISSUER_FILE, not both.');
    await rm(folder, { recursive: true });
  });

  const issuerOf = (url: string, env: object = {}) =>
    platformConfig({ OIDC_TEST_ISSUER: url, OIDC_TEST_CLIENT_ID: 'c', ...env }).accounts.oidc.get('test');

  it('request no e-mail address from Apple, which sends it in a form only', () => {
    const scopes = ['https://id.example', 'https://appleid.apple.com'].map((url) => issuerOf(url)?.scope);
    const chosen = issuerOf('https://id.example', { OIDC_TEST_SCOPE: 'openid email' })?.scope;
    expect([...scopes, chosen]).toEqual(['openid email profile', 'openid', 'openid email']);
  });

  it.each(['email', 'openid, email', 'openid "x"'])('refuse the scope %j', (scope) => {
    expect(() => issuerOf('https://id.example', { OIDC_TEST_SCOPE: scope })).toThrow(/^OIDC_TEST_SCOPE /);
  });

  it.each(['https://id.example', 'http://localhost:9/a', 'http://127.0.0.1:9', 'http://127.9.9.9', 'http://[::1]:9'])(
    'take the issuer %s',
    (url) => {
      expect(issuerOf(url)?.issuer).toBe(url);
    },
  );

  it.each([
    'http://id.example',
    'http://localhost.example',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://127.0.0.1.example',
  ])('refuse the issuer %s: without TLS only an issuer on loopback can be believed', (url) => {
    expect(() => issuerOf(url)).toThrow(/^OIDC_TEST_ISSUER .*https.*$/);
  });
});
