import { describe, expect, it } from '@jest/globals';
import { readFolderHash, requireOwner } from '../../../subgraphs/sync/inputs/owner.rules.js';
import { userWith } from '../../kit/accounts/viewer.js';

describe('a folder', () => {
  it('is known by its hash in lower case', () => {
    expect(readFolderHash('37A8EEC1CE19687D')).toBe('37a8eec1ce19687d');
  });

  it.each([
    ['', 'invalid_user_id'],
    ['a%b', 'invalid_user_id'],
    ['a/b', 'invalid_user_id'],
    ['a\\b', 'invalid_user_id'],
    ['ü'.repeat(129), 'invalid_user_id'],
    ['5H', undefined],
  ])('of the address %j is refused for the reason %s', (address, reason) => {
    expect(() => requireOwner(userWith('SUPERUSER'), address)).toThrow(
      expect.objectContaining({ extensions: reason ? { code: 'BAD_REQUEST', reason } : { code: 'FORBIDDEN' } }),
    );
  });

  it('is open to its owner', () => {
    expect(() => requireOwner(userWith(), '5G')).not.toThrow();
  });
});
