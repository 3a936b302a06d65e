import type { GraphQLError } from 'graphql';
import { isNativeError } from 'node:util/types';
import { errorCode, storageInconsistency } from '../../../kernel/errors.js';

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

/** Any fault of a store as the one error that callers know. */
export function storageFault(error: unknown): GraphQLError {
  if (errorCode(error)) return error as GraphQLError;
  const cause = isNativeError(error) ? error : new Error(String(error));
  const word = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return storageInconsistency(SENTENCES[word] ?? 'The store does not work just now.', cause);
}

/** For `catch`: throws it as the one error that callers know. */
export function refuseStorageFault(error: unknown): never {
  throw storageFault(error);
}

/** An object that has not the bytes it must have. */
export function wrongLength(key: string, found: number, expected: number): Error {
  return new Error(`the object ${key} has ${found} bytes instead of ${expected}`);
}
