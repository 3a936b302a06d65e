import { badRequest, forbidden } from '../../../kernel/errors.js';
import { invalid } from './text.rules.js';
import { requireSignedIn, type Viewer } from '../../../kernel/viewer.js';

/** Bytes an owner's address has at most. Source: folder-sync document, Limits */
const MAX_ADDRESS_BYTES = 256;

/**
 * Refuses all but the owner, administrators and services too: the token must resolve to this very address.
 * Source: folder-sync document, Authentication. @throws UNAUTHENTICATED, then BAD_REQUEST for what is no address, then FORBIDDEN
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

/** The folder hash as it is kept, in lower case. @throws BAD_REQUEST when it is not 16 hex digits */
export function readFolderHash(folderHash: string): string {
  if (!/^[0-9a-fA-F]{16}$/.test(folderHash)) throw invalid('`folder_hash` must have 16 hex digits.');
  return folderHash.toLowerCase();
}

/** A folder of an owner, by its hash. */
export interface FolderName {
  readonly ownerAddress: string;
  /** Empty for what came through an object-store gateway. */
  readonly folderHash: string;
}
