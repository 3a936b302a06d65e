import { conflict } from '../../../../kernel/errors.js';
import { isFor, isNothing, type Access, type Accesses } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import { isTooLarge, policyText, statementsOf } from './policy.rules.js';

/** Maximum total size, in bytes, of the prefixes and addresses of a user's sub-tokens that are not revoked. */
const MAX_LISTED = 64 * 1_024;

/** Checks that a new sub-token keeps lists and bucket policies within their limits. @throws CONFLICT */
export function checkSubToken(accesses: Accesses, grant: Grant, buckets: readonly string[]): void {
  const live = accesses.grants.filter(({ revokedAt }) => revokedAt === null);
  const bytes = live.reduce((sum, each) => sum + listedOf(each, accesses.accessOf(each)), 0);
  if (bytes > MAX_LISTED)
    throw conflict(
      `The prefixes and addresses of your sub-tokens would exceed ${MAX_LISTED / 1_024} KiB in total; revoke some sub-tokens first, or use fewer.`,
    );
  const access = accesses.accessOf(grant);
  if (isNothing(access)) return;
  for (const bucket of buckets) if (isFor(access, bucket)) checkBucket(accesses, bucket);
}

/** Size in bytes of its own lists or of its effective lists, whichever is larger. */
function listedOf({ allowedPrefixes, ipAllowlist }: Grant, { prefixes, addresses }: Access): number {
  const bytes = (...texts: string[]) => Buffer.byteLength(texts.join(''));
  return Math.max(bytes(...allowedPrefixes, ...ipAllowlist), bytes(...prefixes, ...addresses));
}

/** Checks the size of a bucket policy. @throws CONFLICT */
export function checkBucket(accesses: Accesses, bucket: string): void {
  if (isTooLarge(policyText(statementsOf(bucket, accesses))))
    throw conflict(
      `The policy of the bucket “${bucket}” would be larger than 20 KiB, the limit of object stores; revoke sub-tokens for it first, or use fewer prefixes and addresses.`,
    );
}
