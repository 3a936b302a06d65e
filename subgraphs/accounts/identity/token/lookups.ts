import { BatchLoader } from '../../../../kernel/concurrency/batch-loader.js';
import type { Jwk } from '../signing-key/signing-key.js';
import type { TokenHolder } from './token.js';

/** A holder with what the record of use needs. */
export interface KnownHolder extends TokenHolder {
  readonly lastUsedAt: Date | null;
}

/** Keys in one statement at most. */
const MAX_KEYS = 500;

/**
 * Every request begins with a lookup, before anything is known of who sends it: whoever sends many with tokens that are
 * none may not take the connections of those who have one.
 */
export interface Lookups {
  /** By the hash of the token. */
  readonly tokens: BatchLoader<KnownHolder>;
  /** By the id of the session. */
  readonly sessions: BatchLoader<KnownHolder>;
  /** The public keys of access tokens, under one name. */
  readonly publicKeys: BatchLoader<readonly Jwk[]>;
  /** Ids of tokens and sessions whose use is just being written down. */
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
