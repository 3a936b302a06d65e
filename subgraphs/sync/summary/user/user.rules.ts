import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { User } from './user.js';

/** The address of the viewer if this user is the viewer; undefined for other users. */
export function ownAddress(viewer: Viewer, user: User): string | undefined {
  if (viewer.kind !== 'user' || viewer.userId !== user.id || viewer.substrateAddress === null) return undefined;
  return viewer.substrateAddress === user.substrateAddress ? viewer.substrateAddress : undefined;
}
