import { describe, expect, it } from '@jest/globals';
import { codeOf, messageOf } from '../../dashboard/graphql/refusal.js';

/** An answer with an error for each code, in this order; each says its code. */
const answerOf = (...codes: readonly (string | undefined)[]) => ({
  graphQLErrors: codes.map((code) => ({ message: `It is ${code}.`, extensions: code === undefined ? {} : { code } })),
});

describe('of several errors', () => {
  it.each([
    ['that nobody is signed in', ['NOT_FOUND', 'FORBIDDEN', 'INTERNAL', 'UNAUTHENTICATED'], 'UNAUTHENTICATED'],
    ['a refusal before what is missing', ['NOT_FOUND', 'FORBIDDEN'], 'FORBIDDEN'],
    ['what is missing before what may be there later', ['UNAVAILABLE', 'NOT_FOUND'], 'NOT_FOUND'],
    ['what the user can change before what may pass', ['RATE_LIMITED', 'CONFLICT'], 'CONFLICT'],
    ['a reason before none', ['INTERNAL', 'UNAVAILABLE'], 'UNAVAILABLE'],
    ['the first of the same weight', ['CONFLICT', 'BAD_REQUEST'], 'CONFLICT'],
  ])('%s decides: code and sentence', (_, codes, expected) => {
    const error = answerOf(...codes);
    expect([codeOf(error), messageOf(error)]).toEqual([expected, `It is ${expected}.`]);
  });

  it('one without a code says as little as an internal one', () => {
    expect(codeOf(answerOf(undefined, 'UNAVAILABLE'))).toBe('UNAVAILABLE');
    expect(codeOf(answerOf(undefined))).toBe('INTERNAL');
  });

  it('none is known without an answer', () => {
    const error = { graphQLErrors: [], networkError: new TypeError('Failed to fetch') };
    expect([codeOf(error), messageOf(error)]).toEqual(['UNREACHABLE', expect.stringContaining('cannot be reached')]);
  });
});
