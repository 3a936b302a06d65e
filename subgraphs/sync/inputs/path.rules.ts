import { isStorable } from '../../../kernel/scalars/text.js';
import { checkByteLength, invalid } from './text.rules.js';

/** Maximum bytes of a path, as in file systems. */
export const MAX_PATH_BYTES = 4_096;

/** Maximum segments of a path: each of its directories has a row with counters. */
export const MAX_PATH_SEGMENTS = 128;

/** Whether a path is valid: segments separated by `/` that stay in the folder. */
export function isRelativePath(path: string): boolean {
  const parts = path.split('/');
  return (
    Buffer.byteLength(path) <= MAX_PATH_BYTES &&
    parts.length <= MAX_PATH_SEGMENTS &&
    isStorable(path) &&
    !path.includes('\\') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

/** The path from a client; null if it is empty. @throws BAD_REQUEST invalid_manifest */
export function readRelativePath(field: string, path: string | null | undefined): string | null {
  if (!path) return null;
  checkByteLength(field, path, MAX_PATH_BYTES);
  if (isRelativePath(path)) return path;
  throw invalid(
    `\`${field}\` must be segments separated by \`/\`, at most ${MAX_PATH_SEGMENTS}; no segment may be empty, \`.\` or \`..\`, and backslashes are not allowed.`,
  );
}

/** Number of leading characters of a path that its index contains. */
export const INDEXED_CHARACTERS = 600;
