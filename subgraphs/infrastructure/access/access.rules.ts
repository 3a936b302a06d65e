import { EVERYWHERE, intersectCidrs, withoutInner } from '../sub-token/cidr.rules.js';
import type { SubToken, SubTokenAction, SubTokenStatus } from '../sub-token/sub-token.js';

/** A sub-token as it is kept: without what depends on time and parents. */
export type Grant = Omit<SubToken, 'status'>;

/** What a sub-token may do when its parents are considered. */
export interface Access {
  readonly status: SubTokenStatus;
  /** Undefined: all of the user's. */
  readonly buckets: readonly string[] | undefined;
  readonly actions: readonly SubTokenAction[];
  /** What keys must begin with; the empty text begins every key, an empty list none. */
  readonly prefixes: readonly string[];
  /** CIDRs; an empty list: from nowhere. */
  readonly addresses: readonly string[];
  readonly notBefore: Date | null;
  readonly expiresAt: Date | null;
}

/** The sub-token, its parent, and so on. @throws where one is not there, as what it cuts is not known then */
export function chainOf(grant: Grant, byId: ReadonlyMap<number, Grant>): Grant[] {
  const chain = [grant];
  for (let next = grant.parentId; next !== null;) {
    const parent = byId.get(next);
    if (!parent) throw new Error(`the sub-token ${next} cuts others, and is not there`);
    chain.push(parent);
    next = parent.parentId;
  }
  return chain;
}

/** What is left of a sub-token when each of its parents has cut it. @param chain the sub-token first */
export function accessOf(chain: readonly Grant[], now: Date): Access {
  const cut = chain.map(ownAccess).reduce(cutBy);
  return { ...cut, status: statusOf(chain, cut, now) };
}

type Cut = Omit<Access, 'status'>;

function ownAccess(grant: Grant): Cut {
  return {
    buckets: grant.scopeType === 'all_buckets' ? undefined : grant.bucketNames,
    actions: grant.actions,
    prefixes: grant.allowedPrefixes.length === 0 ? [''] : grant.allowedPrefixes,
    addresses: grant.ipAllowlist.length === 0 ? EVERYWHERE : grant.ipAllowlist,
    notBefore: grant.notBefore,
    expiresAt: grant.expiresAt,
  };
}

function cutBy(child: Cut, parent: Cut): Cut {
  const { buckets } = parent;
  return {
    buckets:
      buckets === undefined ? child.buckets : (child.buckets?.filter((name) => buckets.includes(name)) ?? buckets),
    actions: child.actions.filter((action) => parent.actions.includes(action)),
    prefixes: intersectPrefixes(child.prefixes, parent.prefixes),
    addresses: intersectCidrs(child.addresses, parent.addresses),
    notBefore: latest(child.notBefore, parent.notBefore),
    expiresAt: earliest(child.expiresAt, parent.expiresAt),
  };
}

/** Of two prefixes that share keys one begins with the other. */
function intersectPrefixes(one: readonly string[], other: readonly string[]): string[] {
  const shared = one.flatMap((a) => other.flatMap((b) => (a.startsWith(b) ? [a] : b.startsWith(a) ? [b] : [])));
  return withoutInner(shared, (inner, outer) => inner.startsWith(outer));
}

function latest(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one > other ? one : other) : (one ?? other);
}

function earliest(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one < other ? one : other) : (one ?? other);
}

function statusOf([own, ...parents]: readonly Grant[], cut: Cut, now: Date): SubTokenStatus {
  if (own?.revokedAt) return 'revoked';
  if (own?.expiresAt && own.expiresAt <= now) return 'expired';
  const isOver = parents.some(({ revokedAt, expiresAt }) => revokedAt !== null || (expiresAt && expiresAt <= now));
  const isEarly = cut.notBefore !== null && cut.notBefore > now;
  return isOver || isEarly || isNothing(cut) ? 'disabled' : 'active';
}

/** Whether nothing is left. */
export function isNothing({ buckets, actions, prefixes, addresses }: Cut): boolean {
  return [buckets, actions, prefixes, addresses].some((list) => list?.length === 0);
}

/** Whether it is for the bucket. */
export function isFor({ buckets }: Cut, bucket: string): boolean {
  return buckets === undefined || buckets.includes(bucket);
}
