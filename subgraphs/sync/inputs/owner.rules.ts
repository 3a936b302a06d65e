import { badRequest } from '../../../kernel/errors.js';
import { isOwnerAddress } from '../../../kernel/scalars/text.js';
import { ownerRefusal, requireSignedIn, type Viewer } from '../../../kernel/security/viewer.js';
import { invalid } from './text.rules.js';

/**
 * Allows only the owner, not administrators or services: the token must belong to this address.
 * @throws UNAUTHENTICATED, then BAD_REQUEST for an invalid address, then FORBIDDEN
 */
export function requireOwner(viewer: Viewer, ownerAddress: string): void {
  requireSignedIn(viewer);
  if (!isOwnerAddress(ownerAddress)) {
    throw badRequest('The address must have 1 to 256 bytes and no percent sign, slash, backslash or U+0000.', {
      reason: 'invalid_user_id',
    });
  }
  const refusal = ownerRefusal(viewer, ownerAddress);
  if (refusal) throw refusal;
}

/** The folder hash in lower case. @throws BAD_REQUEST when it is not 16 hex digits */
export function readFolderHash(folderHash: string): string {
  if (!/^[0-9a-fA-F]{16}$/.test(folderHash)) throw invalid('`folder_hash` must have 16 hex digits.');
  return folderHash.toLowerCase();
}

/** The row ids of a folder and of its owner. */
export interface FolderKey {
  readonly ownerId: string;
  readonly folderId: string;
}

/** Identifies a folder by owner and hash. */
export interface FolderName {
  readonly ownerAddress: string;
  /** Empty for files of an object-store gateway. */
  readonly folderHash: string;
}
