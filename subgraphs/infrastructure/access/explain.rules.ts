import { lies } from '../sub-token/cidr.rules.js';
import type { SubTokenAction } from '../sub-token/sub-token.js';
import { accessOf, chainOf, type Access, type Grant } from './access.rules.js';

/** What somebody wants to do. */
export interface Attempt {
  readonly bucket: string;
  readonly key: string;
  readonly action: SubTokenAction;
  /** As a network of one address; undefined: from somewhere. */
  readonly address: string | undefined;
  readonly now: Date;
}

/** What one sub-token says to an attempt. */
export interface Verdict {
  readonly grant: Grant;
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** What each sub-token says to an attempt: those that allow it first, then by id. */
export function explain(grants: readonly Grant[], attempt: Attempt): Verdict[] {
  const byId = new Map(grants.map((grant) => [grant.id, grant]));
  const verdicts = grants.map((grant) => verdictOf(chainOf(grant, byId), grant, attempt));
  return verdicts.toSorted((a, b) => Number(b.isAllowed) - Number(a.isAllowed) || a.grant.id - b.grant.id);
}

/** The sub-token and each of its parents must allow it: whoever does not is named. */
function verdictOf(chain: readonly Grant[], grant: Grant, attempt: Attempt): Verdict {
  for (const link of chain) {
    const refusal = refusalOf(link, attempt);
    if (refusal !== undefined) {
      const who = link === grant ? 'It' : `Its parent “${link.name}”`;
      return { grant, isAllowed: false, reason: `${who} ${refusal}` };
    }
  }
  const access = accessOf(chain, attempt.now);
  if (access.addresses.length === 0)
    return { grant, isAllowed: false, reason: 'It may be used from no address that its parents may be used from.' };
  return { grant, isAllowed: true, reason: permissionOf(chain, access, attempt) };
}

/** Why it does not allow the attempt, as the rest of a sentence. */
function refusalOf(grant: Grant, attempt: Attempt): string | undefined {
  return overOf(grant, attempt) ?? beyondOf(grant, attempt);
}

function overOf({ revokedAt, notBefore, expiresAt }: Grant, { now }: Attempt): string | undefined {
  if (revokedAt) return `was revoked at ${revokedAt.toISOString()}.`;
  if (expiresAt && expiresAt <= now) return `ended at ${expiresAt.toISOString()}.`;
  return notBefore && notBefore > now ? `is not valid before ${notBefore.toISOString()}.` : undefined;
}

function beyondOf(grant: Grant, { bucket, key, action, address }: Attempt): string | undefined {
  const { scopeType, bucketNames, actions, allowedPrefixes, ipAllowlist } = grant;
  const isOneOf = (texts: readonly string[], fits: (text: string) => boolean) => texts.length === 0 || texts.some(fits);
  if (scopeType === 'single_bucket' && !bucketNames.includes(bucket)) return `is for ${listOf(bucketNames)} only.`;
  if (!actions.includes(action)) return `may only ${actions.join(' and ')}.`;
  if (!isOneOf(allowedPrefixes, (prefix) => key.startsWith(prefix)))
    return `is for keys that begin with ${listOf(allowedPrefixes)}.`;
  const isFrom = address === undefined || isOneOf(ipAllowlist, (network) => lies(address, network));
  return isFrom ? undefined : `may be used from ${ipAllowlist.join(', ')} only.`;
}

function permissionOf(
  chain: readonly Grant[],
  { prefixes, addresses, expiresAt }: Access,
  { bucket, action, address }: Attempt,
): string {
  const where = prefixes.includes('') ? '' : ` below ${listOf(prefixes)}`;
  const isLimited = chain.some(({ ipAllowlist }) => ipAllowlist.length > 0);
  const from = isLimited && address === undefined ? `, from ${addresses.join(', ')} only` : '';
  const until = expiresAt === null ? '' : `, until ${expiresAt.toISOString()}`;
  return `It may ${action} in “${bucket}”${where}${from}${until}.`;
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `“${text}”`).join(' or ');
}
