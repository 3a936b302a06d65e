import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../kernel/config.js';
import { roleWord } from '../../subgraphs/accounts/session/session.rules.js';
import { callbackOf, withQuery } from '../../subgraphs/accounts/social/callback.rules.js';

describe('an address to return to', () => {
  it('is below the public address only within its path', () => {
    const below = (next: string) => callbackOf(next, 'https://cloud.example/base', [])?.href;
    expect([below('/base/x'), below('/other'), below('/based'), below('https://cloud.example/base')]).toEqual([
      'https://cloud.example/base/x',
      undefined,
      undefined,
      'https://cloud.example/base',
    ]);
  });

  it.each(['javascript:*', 'data:*', '*', 'https:*', 'https://*'])('is never let in by the pattern %j', (pattern) => {
    const found = ['javascript:alert(1)', 'data:text/html,x', 'https://evil.example/'].map((next) =>
      callbackOf(next, 'https://cloud.example', [pattern]),
    );
    expect(found).toEqual([undefined, undefined, undefined]);
  });
});

describe('what is added to a callback', () => {
  it.each([
    ['app://auth', 'app://auth?code=1'],
    ['app://auth?a=%20b', 'app://auth?a=%20b&code=1'],
    ['https://h/p?x#part?y', 'https://h/p?x&code=1#part?y'],
  ])('leaves %s as it is', (callback, expected) => {
    expect(withQuery(callback, { code: '1' })).toBe(expected);
  });

  it('keeps no word of ours that was there before', () => {
    const callback = 'https://console.example/auth/callback?state=6f1c&code=pre&%63ode=x&error=y#z';
    expect(withQuery(callback, { code: '1' })).toBe('https://console.example/auth/callback?state=6f1c&code=1#z');
  });
});

describe('the word for roles', () => {
  it.each([
    [[], 'user'],
    [['BETA'], 'beta'],
    [['BETA', 'ADMIN', 'VALIDATOR'], 'admin'],
    [['SUPERUSER'], 'superuser'],
  ] as const)('for %j is %s', (roles, word) => {
    expect(roleWord(roles)).toBe(word);
  });
});

describe('the settings of sign-in', () => {
  it('allow thirty verifications a minute and trust no proxy unless told', () => {
    expect(readConfig({})).toMatchObject({ verificationsPerMinute: 30, trustedProxies: [] });
  });

  it.each([
    { VERIFICATIONS_PER_MINUTE: '0' },
    { VERIFICATIONS_PER_MINUTE: 'many' },
    { TRUSTED_PROXIES: 'proxy.example' },
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    { TRUSTED_PROXIES: '10.0.0.0/8, ::1/129' },
  ])('are refused when they are %j', (env) => {
    expect(() => readConfig(env)).toThrow(Object.keys(env)[0] ?? '');
  });
});
