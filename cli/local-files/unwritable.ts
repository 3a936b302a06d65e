import { UsageError } from '../failure.js';

/** Why a file or a directory cannot be written, by the code of the error. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EISDIR: 'a directory has its name',
  EEXIST: 'a file is where its directory must be',
  ENOTDIR: 'a file is where its directory must be',
  ENOENT: 'its directory leads nowhere',
  EROFS: 'its file system is read-only',
};

/** Returns the error for a file or a directory that cannot be written. */
export function unwritable(destination: string, { code = '', message }: NodeJS.ErrnoException): UsageError {
  return new UsageError(`${destination} cannot be written: ${REASONS[code] ?? message}.`);
}
