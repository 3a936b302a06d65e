import { describe, expect, it } from '@jest/globals';
import { mayRead, refuseEscalation } from '../../../subgraphs/accounts/identity/user/user.rules.js';
import { userWith } from '../../kit/accounts/viewer.js';

describe('the rights of a user', () => {
  it.each(['ADMIN', 'SUPERUSER'] as const)('%s is not given by an administrator', (role) => {
    expect(() => refuseEscalation(userWith('ADMIN'), [], [role])).toThrow();
  });

  it.each(['ADMIN', 'SUPERUSER'] as const)('%s is given by a superuser', (role) => {
    expect(() => refuseEscalation(userWith('SUPERUSER'), [], [role])).not.toThrow();
  });

  it.each([
    ['the user', 7, userWith(), true],
    ['another user', 8, userWith(), false],
    ['another user to a validator', 8, userWith('VALIDATOR'), true],
    ['another user to marketing', 8, userWith('MARKETING', 'BETA'), false],
  ])('to read: %s', (_, id, viewer, expected) => {
    expect(mayRead(viewer, id)).toBe(expected);
  });
});
