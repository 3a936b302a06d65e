import type { Network } from '../grant/cidr.rules.js';
import type { Access, Accesses } from '../grant/effective-access.rules.js';
import type { Grant, SubTokenAction } from '../grant/grant.js';

/** An action to check. */
export interface Attempt {
  readonly bucket: string;
  readonly key: string;
  readonly action: SubTokenAction;
  /** Client address, as a network of one address; undefined: any. */
  readonly address: Network | undefined;
  readonly now: Date;
}

/** Whether one sub-token allows the attempt. */
export interface Verdict {
  readonly grant: Grant;
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** The verdict of each sub-token: allowing ones first, then by id. */
export function explain(accesses: Accesses, attempt: Attempt): Verdict[] {
  const verdicts = accesses.grants.map((grant) => verdictOf(accesses, grant, attempt));
  return verdicts.toSorted((a, b) => Number(b.isAllowed) - Number(a.isAllowed) || a.grant.id - b.grant.id);
}

/** The sub-token and each of its parents must allow the attempt. The reason names the first that does not. */
function verdictOf(accesses: Accesses, grant: Grant, attempt: Attempt): Verdict {
  const chain = accesses.chainOf(grant);
  for (const link of chain) {
    const refusal = refusalOf(accesses, link, attempt);
    if (refusal !== undefined) {
      const who = link === grant ? 'It' : `Its parent “${link.name}”`;
      return { grant, isAllowed: false, reason: `${who} ${refusal}` };
    }
  }
  const access = accesses.accessOf(grant);
  if (access.addresses.length === 0)
    return { grant, isAllowed: false, reason: 'It shares no allowed address with its parents.' };
  return { grant, isAllowed: true, reason: permissionOf(chain, access, attempt) };
}

/** Why the attempt is not allowed, as the rest of a sentence; undefined: it is allowed. */
function refusalOf(accesses: Accesses, grant: Grant, attempt: Attempt): string | undefined {
  return timeRefusal(grant, attempt) ?? scopeRefusal(grant, attempt) ?? addressRefusal(accesses, grant, attempt);
}

function timeRefusal({ revokedAt, notBefore, expiresAt }: Grant, { now }: Attempt): string | undefined {
  if (revokedAt) return `was revoked at ${revokedAt.toISOString()}.`;
  if (expiresAt && expiresAt <= now) return `expired at ${expiresAt.toISOString()}.`;
  return notBefore && notBefore > now ? `is not valid before ${notBefore.toISOString()}.` : undefined;
}

function scopeRefusal(grant: Grant, { bucket, key, action }: Attempt): string | undefined {
  const { scopeType, bucketNames, actions, allowedPrefixes } = grant;
  if (scopeType === 'single_bucket' && !bucketNames.includes(bucket)) return `is for ${listOf(bucketNames)} only.`;
  if (!actions.includes(action)) return `may only ${actions.join(' and ')}.`;
  const isBelow = allowedPrefixes.length === 0 || allowedPrefixes.some((prefix) => key.startsWith(prefix));
  return isBelow ? undefined : `is for keys that begin with ${listOf(allowedPrefixes)}.`;
}

function addressRefusal(accesses: Accesses, grant: Grant, { address }: Attempt): string | undefined {
  const isFrom = address === undefined || accesses.isFrom(grant, address);
  return isFrom ? undefined : `may be used from ${grant.ipAllowlist.join(', ')} only.`;
}

function permissionOf(
  chain: readonly Grant[],
  { prefixes, addresses, expiresAt }: Access,
  { bucket, action, address }: Attempt,
): string {
  const where = prefixes.includes('') ? '' : `, for keys that begin with ${listOf(prefixes)}`;
  const isLimited = chain.some(({ ipAllowlist }) => ipAllowlist.length > 0);
  const from = isLimited && address === undefined ? `, from ${addresses.join(', ')} only` : '';
  const until = expiresAt === null ? '' : `, until ${expiresAt.toISOString()}`;
  return `It may ${action} in “${bucket}”${where}${from}${until}.`;
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `“${text}”`).join(' or ');
}
