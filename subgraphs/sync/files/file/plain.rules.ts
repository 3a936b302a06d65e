import { isLine } from '../../../../kernel/scalars/text.js';
import type { Hashing } from '../../blake3/hashing.js';
import { MAX_PATH_SEGMENTS } from '../../inputs/path.rules.js';
import { checkByteLength, invalid, MAX_FILE_NAME_BYTES } from '../../inputs/text.rules.js';

/** Maximum bytes of a name from an object-store gateway: an object key, which may contain empty segments and backslashes. */
const MAX_NAME_BYTES = 4_096;

/** Path hash, path and file name of a plain file; a name of 64 hex digits is the path hash itself. */
export function plainName(
  fileName: string,
  hashing: Hashing,
): { readonly pathHash: Buffer; readonly relativePath: string; readonly fileName: string | null } {
  if (fileName === '') throw invalid('The file must have a name.');
  checkByteLength('file', fileName, MAX_NAME_BYTES);
  const parts = fileName.split('/');
  if (parts.every((part) => part === '') || parts.some((part) => part === '.' || part === '..'))
    throw invalid('The file name must contain a non-empty segment, and no segment may be `.` or `..`.');
  if (parts.length > MAX_PATH_SEGMENTS)
    throw invalid(`The file name can have at most ${MAX_PATH_SEGMENTS} segments separated by \`/\`.`);
  if (!isLine(fileName)) throw invalid('The file name must not contain control characters.');
  const relativePath = fileName.normalize('NFC');
  const pathHash = /^[0-9a-f]{64}$/i.test(fileName)
    ? Buffer.from(fileName, 'hex')
    : hashing.stream().update(Buffer.from(relativePath)).digest();
  return { pathHash, relativePath, fileName: lastSegmentOf(relativePath) };
}

/** The last segment; null if it is too long for a file name. An object key may contain empty segments and backslashes. */
function lastSegmentOf(path: string): string | null {
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return name === '' || Buffer.byteLength(name) > MAX_FILE_NAME_BYTES ? null : name;
}
