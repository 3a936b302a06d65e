import { createHash } from 'node:crypto';
import { badRequest } from '../../../../kernel/errors.js';
import { isRelativePath, MAX_PATH_SEGMENTS } from '../../inputs/path.rules.js';

/** Maximum directories per request, and per folder. */
const MAX_AT_ONCE = 500;
export const MAX_ENTRIES = 10_000;

/** A directory by its path. */
export interface FolderEntry {
  readonly relativePath: string;
  /** SHA-256 of the path. */
  readonly pathHash: Buffer;
}

/** The requested directories without duplicates; a trailing slash is ignored. @throws BAD_REQUEST batch_too_large or invalid_path */
export function readEntries(relativePaths: readonly string[]): FolderEntry[] {
  if (relativePaths.length > MAX_AT_ONCE)
    throw badRequest(`At most ${MAX_AT_ONCE} directories are allowed in one request.`, { reason: 'batch_too_large' });
  const paths = new Set(relativePaths.map((path) => path.normalize('NFC').replace(/\/$/, '')));
  return [...paths].map((relativePath) => {
    if (!isRelativePath(relativePath))
      throw badRequest(
        `A path must be segments separated by \`/\`, at most ${MAX_PATH_SEGMENTS}; no segment may be empty, \`.\` or \`..\`, and backslashes are not allowed.`,
        {
          reason: 'invalid_path',
        },
      );
    return { relativePath, pathHash: createHash('sha256').update(relativePath).digest() };
  });
}
