import { BatchLoader } from '../../../../kernel/concurrency/batch-loader.js';
import type { Jwk } from '../signing-key/signing-key.js';
import type { TokenHolder } from './token.js';

/** A token holder with the fields to record its use. */
export interface KnownHolder extends TokenHolder {
  readonly lastUsedAt: Date | null;
}

/** Maximum keys in one statement. */
const MAX_KEYS = 500;

/**
 * Every request starts with a lookup before the sender is known. A flood of invalid tokens must not exhaust the
 * connections that valid tokens need.
 */
export interface Lookups {
  /** By the hash of the token. */
  readonly tokens: BatchLoader<KnownHolder>;
  /** By the ids of the user and the session. */
  readonly sessions: BatchLoader<KnownHolder>;
  /** The public keys of access tokens, under one key. */
  readonly publicKeys: BatchLoader<readonly Jwk[]>;
  /** Ids of tokens and sessions whose use is being recorded. */
  readonly usesBeingWritten: Set<string>;
}

export function openLookups(): Lookups {
  return {
    tokens: new BatchLoader(MAX_KEYS),
    sessions: new BatchLoader(MAX_KEYS),
    publicKeys: new BatchLoader(1),
    usesBeingWritten: new Set(),
  };
}
