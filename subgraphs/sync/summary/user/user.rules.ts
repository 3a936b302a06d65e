import type { Viewer } from '../../../../kernel/viewer.js';
import type { User } from './user.js';

/** The address whose folders the viewer sees by way of this user: the viewer's own; undefined for everyone else's. */
export function ownAddress(viewer: Viewer, user: User): string | undefined {
  if (viewer.kind !== 'user' || viewer.userId !== user.id || viewer.substrateAddress === null) return undefined;
  return viewer.substrateAddress === user.substrateAddress ? viewer.substrateAddress : undefined;
}
