import type { GraphQLError } from 'graphql';
import { isNativeError } from 'node:util/types';
import { errorCode, storageInconsistency, unavailable } from '../../../../kernel/errors.js';

/** What callers are told by the word that the system, or S3, has for the fault; the log has all of it. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'The store is full just now.',
  EDQUOT: 'The store is full just now.',
  EFBIG: 'The store is full just now.',
  EROFS: 'The store cannot be written to just now.',
  EACCES: 'The store cannot be written to just now.',
  EPERM: 'The store cannot be written to just now.',
  ENOENT: 'A part of the file is missing in the store.',
  NoSuchKey: 'A part of the file is missing in the store.',
};

/** Seconds after which to ask a store again that has too much to do. */
const RETRY_AFTER_S = 5;

/** HTTP statuses of a store that has too much to do just now: 503 SlowDown, or 429. */
const BUSY: ReadonlySet<unknown> = new Set([429, 503]);

/** Any fault of a store as an error that callers know: `storage_inconsistency`, of which 503 says when to try again. */
export function storageFault(error: unknown): GraphQLError {
  if (errorCode(error)) return error as GraphQLError;
  const cause = isNativeError(error) ? error : new Error(String(error));
  if (BUSY.has(httpStatusOf(cause)))
    return unavailable('The store is overloaded; try again later.', {
      reason: 'storage_inconsistency',
      retryAfter: RETRY_AFTER_S,
    });
  return storageInconsistency(SENTENCES[wordOf(cause)] ?? 'The store does not work just now.', cause);
}

/** For `catch`: throws it as the one error that callers know. */
export function refuseStorageFault(error: unknown): never {
  throw storageFault(error);
}

/** What an object is called that has not the bytes it must have. */
const WRONG_LENGTH = 'WrongLength';

/** An object that has not the bytes it must have. */
export function wrongLength(key: string, found: number, expected: number): Error {
  const fault = new Error(`the object ${key} has ${found} bytes instead of ${expected}`);
  return Object.assign(fault, { name: WRONG_LENGTH });
}

const DAMAGES: ReadonlySet<string> = new Set(['ENOENT', 'NoSuchKey', 'InvalidRange', WRONG_LENGTH]);

/** Whether a fault of a store is that an object is missing or too short, rather than that the store does not work. */
export function isDamage(fault: unknown): boolean {
  if (!isNativeError(fault)) return false;
  const cause = 'originalError' in fault ? fault.originalError : fault;
  return isNativeError(cause) && DAMAGES.has(wordOf(cause));
}

/** The word that the system, or S3, has for it. */
function wordOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

function httpStatusOf(cause: Error): unknown {
  const metadata: unknown = '$metadata' in cause ? cause.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? metadata.httpStatusCode
    : undefined;
}
