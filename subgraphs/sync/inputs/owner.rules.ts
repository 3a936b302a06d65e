import { badRequest, forbidden } from '../../../kernel/errors.js';
import { invalid } from './text.rules.js';
import { requireSignedIn, type Viewer } from '../../../kernel/viewer.js';

/** Maximum bytes of an owner address. */
const MAX_ADDRESS_BYTES = 256;

/**
 * Allows only the owner, not administrators or services: the token must belong to this address.
 * @throws UNAUTHENTICATED, then BAD_REQUEST for an invalid address, then FORBIDDEN
 */
export function requireOwner(viewer: Viewer, ownerAddress: string): void {
  const signedIn = requireSignedIn(viewer);
  // "base_address or ss58 empty, over 256 bytes, or containing a percent sign, slash or backslash"
  if (!/^[^%/\\\0]+$/.test(ownerAddress) || Buffer.byteLength(ownerAddress) > MAX_ADDRESS_BYTES) {
    throw badRequest('The address must have 1 to 256 bytes and no percent sign, slash, backslash or U+0000.', {
      reason: 'invalid_user_id',
    });
  }
  if (signedIn.kind !== 'user' || signedIn.substrateAddress !== ownerAddress) {
    throw forbidden('Your token belongs to a different SS58 address.');
  }
}

/** The folder hash in lower case. @throws BAD_REQUEST when it is not 16 hex digits */
export function readFolderHash(folderHash: string): string {
  if (!/^[0-9a-fA-F]{16}$/.test(folderHash)) throw invalid('`folder_hash` must have 16 hex digits.');
  return folderHash.toLowerCase();
}

/** Identifies a folder by owner and hash. */
export interface FolderName {
  readonly ownerAddress: string;
  /** Empty for files of an object-store gateway. */
  readonly folderHash: string;
}
