import { describe, expect, it } from '@jest/globals';
import { throwPublicError } from '../../../kernel/database/errors.js';

describe('an error of PostgreSQL or of the network', () => {
  it.each([
    ['a transaction that was idle for too long', '25P03'],
    ['a connection that was idle for too long', '57P05'],
    ['a network without a route', 'ENETUNREACH'],
    ['no free local port', 'EADDRNOTAVAIL'],
    ['a server that shuts down', '57P01'],
  ])('because of %s (%s) is UNAVAILABLE for a little', (_, code) => {
    const error = Object.assign(new Error('of the tests'), { code });
    expect(() => throwPublicError(error)).toThrow(
      expect.objectContaining({ extensions: { code: 'UNAVAILABLE', retryAfter: 1 } }),
    );
  });

  it('that is of no known kind is thrown as it is', () => {
    const error = Object.assign(new Error('of the tests'), { code: '42P01' });
    expect(() => throwPublicError(error)).toThrow(error);
  });
});
