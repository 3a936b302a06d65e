import type { Role, Viewer } from '../../../kernel/security/viewer.js';

/** A signed-in user with these roles: id 7, address 5G. */
export const userWith = (...roles: Role[]): Viewer => ({
  kind: 'user',
  userId: 7,
  username: 'x',
  substrateAddress: '5G',
  tokenId: 'x',
  expiresAt: null,
  roles,
});
