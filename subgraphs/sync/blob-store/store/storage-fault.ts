import type { GraphQLError } from 'graphql';
import { isNativeError } from 'node:util/types';
import { METRICS } from '../../../../kernel/telemetry/metrics.js';
import { errorCode, storageInconsistency, unavailable } from '../../../../kernel/errors.js';

/** Maps error codes of the system and of S3 to public texts; the log has the full error. */
const PUBLIC_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The store is full.',
  EDQUOT: 'The store is full.',
  EFBIG: 'The file is too large for the store.',
  EROFS: 'The store is not writable.',
  EACCES: 'The store is not writable.',
  EPERM: 'The store is not writable.',
  ENOENT: 'A part of the file is missing in the store.',
  NoSuchKey: 'A part of the file is missing in the store.',
};

const FAULTS = METRICS.counter('blob_store_errors_total', 'Requests to the blob store that failed, by error code.', [
  'code',
]);

// Starts every series at 0, so that Prometheus counts the first error as an increase.
for (const code of [...Object.keys(PUBLIC_TEXTS), 'busy', 'other']) FAULTS.add([code], 0);

/** For an overloaded store. */
const RETRY_AFTER_SECONDS = 5;

/** HTTP statuses of an overloaded store: 503 SlowDown, or 429. */
const OVERLOAD_STATUSES: ReadonlySet<unknown> = new Set([429, 503]);

/**
 * Converts an error of a store to a public error: UNAVAILABLE with Retry-After if the store is overloaded, otherwise
 * `storage_inconsistency`. Returns public errors unchanged.
 */
export function storageFault(error: unknown): GraphQLError {
  if (errorCode(error)) return error as GraphQLError;
  const cause = isNativeError(error) ? error : new Error(String(error));
  const isBusy = OVERLOAD_STATUSES.has(httpStatusOf(cause));
  const code = storeErrorCode(cause);
  FAULTS.add([isBusy ? 'busy' : Object.hasOwn(PUBLIC_TEXTS, code) ? code : 'other']);
  if (isBusy)
    return unavailable('The store is overloaded; try again later.', {
      reason: 'storage_inconsistency',
      retryAfter: RETRY_AFTER_SECONDS,
    });
  return storageInconsistency(PUBLIC_TEXTS[code] ?? 'The store is not working at the moment.', cause);
}

/** For `catch`: throws the public error. */
export function throwStorageFault(error: unknown): never {
  throw storageFault(error);
}

const WRONG_LENGTH = 'WrongLength';

/** Error for an object with the wrong size. */
export function wrongLength(key: string, found: number, expected: number): Error {
  const fault = new Error(`the object ${key} has ${found} bytes instead of ${expected}`);
  return Object.assign(fault, { name: WRONG_LENGTH });
}

const DAMAGES: ReadonlySet<string> = new Set(['ENOENT', 'NoSuchKey', 'InvalidRange', WRONG_LENGTH]);

/** A bad sector, damaged structures of the file system, something else in the place of the file, and missing permissions. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'EIO',
  'EBADMSG',
  'EUCLEAN',
  'EISDIR',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EACCES',
  'EPERM',
]);

/** HTTP status of a request that took too long. */
const REQUEST_TIMEOUT = 408;

/** Whether the store is overloaded or too slow: this says nothing about the object. */
export function isOverload(fault: unknown): boolean {
  const cause = causeOf(fault);
  const status = cause && httpStatusOf(cause);
  return errorCode(fault) === 'UNAVAILABLE' || status === REQUEST_TIMEOUT || OVERLOAD_STATUSES.has(status);
}

/** Whether the error means that an object is missing or has the wrong size, not that the store is down. */
export function isMissingOrWrongSize(fault: unknown): boolean {
  return DAMAGES.has(causeCode(fault));
}

/**
 * Whether the store answers, but cannot read this object, which may be intact and readable later: a bad sector, something
 * else in the place of the file, missing permissions, an archived object.
 */
export function isUnreadable(fault: unknown): boolean {
  const cause = causeOf(fault);
  const status = cause && httpStatusOf(cause);
  if (typeof status === 'number') return status >= 400 && status < 500 && !isOverload(fault);
  return UNREADABLE.has(causeCode(fault));
}

/** Error code of the cause of a fault; empty for what is no error. */
function causeCode(fault: unknown): string {
  const cause = causeOf(fault);
  return cause ? storeErrorCode(cause) : '';
}

/** The error of the system or of S3 behind a fault; undefined for what is no error. */
function causeOf(fault: unknown): Error | undefined {
  if (!isNativeError(fault)) return undefined;
  // GraphQLError has the cause there.
  const cause = 'originalError' in fault ? fault.originalError : fault;
  return isNativeError(cause) ? cause : undefined;
}

/** Error code of the system or of S3. */
function storeErrorCode(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

function httpStatusOf(cause: Error): unknown {
  const metadata: unknown = '$metadata' in cause ? cause.$metadata : undefined;
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? metadata.httpStatusCode
    : undefined;
}
