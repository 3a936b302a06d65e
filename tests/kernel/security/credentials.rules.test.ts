import { describe, expect, it } from '@jest/globals';
import { hashToken, matchesSecret, makeApiToken, tokenOf } from '../../../kernel/security/credentials.js';

describe('the token of an Authorization header', () => {
  it.each(['Token abc', 'Bearer abc', 'ServiceToken abc', 'token abc', 'Token   abc', 'Token abc '])(
    'is found in %j',
    (header) => {
      expect(tokenOf(header)).toBe('abc');
    },
  );

  it.each([
    undefined,
    '',
    'abc',
    'Token',
    'Token ',
    'Basic abc',
    'Token a b',
    'XToken abc',
    'Tokenabc',
    `Token ${'x'.repeat(4097)}`,
  ])('is not found in %j', (header) => {
    expect(tokenOf(header)).toBeUndefined();
  });

  it('is 256 random bits behind a prefix', () => {
    expect(makeApiToken()).toMatch(/^arch_[\w-]{43}$/);
  });

  it('is kept as SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('a shared secret', () => {
  it.each([
    ['a', ['a'], true],
    ['b', ['a', 'b'], true],
    ['', ['a'], false],
    ['a', [], false],
    ['A', ['a'], false],
    ['aa', ['a'], false],
  ])('%j is among %j: %s', (presented, accepted, expected) => {
    expect(matchesSecret(presented, accepted)).toBe(expected);
  });
});
