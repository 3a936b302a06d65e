import { EVERYWHERE, intersectNetworks, isInside, networksOf, type Network } from './cidr.rules.js';
import type { Grant, SubTokenAction, SubTokenStatus } from './grant.js';

/** The access of a sub-token after the limits of its parents. */
export interface Access {
  readonly status: SubTokenStatus;
  /** Undefined: all buckets of the user. */
  readonly buckets: readonly string[] | undefined;
  readonly actions: readonly SubTokenAction[];
  /** Allowed key prefixes. The empty string matches every key; an empty list matches none. */
  readonly prefixes: readonly string[];
  /** Allowed CIDRs; an empty list: no address. */
  readonly addresses: readonly string[];
  readonly notBefore: Date | null;
  readonly expiresAt: Date | null;
}

type Cut = Omit<Access, 'status' | 'addresses'> & {
  readonly networks: readonly Network[];
};

const ANYWHERE = networksOf(EVERYWHERE);

/** Computes the access of a user's sub-tokens at a time. The result for each sub-token is cached. */
export class Accesses {
  private readonly byId: ReadonlyMap<number, Grant>;
  private readonly own = new Map<number, Cut>();
  private readonly cut = new Map<number, Cut>();

  /** @param grants with all of their parents */
  constructor(
    readonly grants: readonly Grant[],
    private readonly now: Date,
  ) {
    this.byId = new Map(grants.map((grant) => [grant.id, grant]));
  }

  /** The sub-token followed by its ancestors. @throws when an ancestor is missing, because its limits are unknown then */
  chainOf(grant: Grant): Grant[] {
    const chain = [grant];
    for (let parent = this.parentOf(grant); parent; parent = this.parentOf(parent)) chain.push(parent);
    return chain;
  }

  private parentOf({ parentId }: Grant): Grant | undefined {
    if (parentId === null) return undefined;
    const parent = this.byId.get(parentId);
    if (!parent) throw new Error(`the sub-token ${parentId} cuts others, and is not there`);
    return parent;
  }

  /** The access of a sub-token after the limits of all its ancestors. */
  accessOf(grant: Grant): Access {
    const { networks, ...cut } = this.cutOf(grant);
    const isCut = grant.parentId !== null || grant.allowedPrefixes.length === 0;
    // Without a parent, prefixes keep the order of the owner.
    const prefixes = isCut ? cut.prefixes : grant.allowedPrefixes;
    return { ...cut, prefixes, addresses: networks.map(({ text }) => text), status: this.statusOf(grant) };
  }

  /** Whether the sub-token itself allows the address, without considering its parents. */
  isFrom(grant: Grant, address: Network): boolean {
    return this.ownOf(grant).networks.some((network) => isInside(address, network));
  }

  private ownOf(grant: Grant): Cut {
    const own = this.own.get(grant.id) ?? ownAccess(grant);
    this.own.set(grant.id, own);
    return own;
  }

  private cutOf(grant: Grant): Cut {
    const parent = this.parentOf(grant);
    const cut = this.cut.get(grant.id) ?? (parent ? cutBy(this.ownOf(grant), this.cutOf(parent)) : this.ownOf(grant));
    this.cut.set(grant.id, cut);
    return cut;
  }

  /** Status of the sub-token. Revoked and expired take precedence. */
  statusOf(grant: Grant): SubTokenStatus {
    const [own = grant, ...parents] = this.chainOf(grant);
    if (own.revokedAt) return 'revoked';
    if (this.isOver(own)) return 'expired';
    if (parents.some((parent) => this.isOver(parent))) return 'disabled';
    const cut = this.cutOf(own);
    const isEarly = cut.notBefore !== null && cut.notBefore > this.now;
    return isEarly || isNothing({ ...cut, addresses: cut.networks }) ? 'disabled' : 'active';
  }

  /** Whether the sub-token or an ancestor is revoked or expired. */
  isEnded(grant: Grant): boolean {
    return this.chainOf(grant).some((link) => this.isOver(link));
  }

  private isOver({ revokedAt, expiresAt }: Grant): boolean {
    return revokedAt !== null || (expiresAt !== null && expiresAt <= this.now);
  }
}

function ownAccess(grant: Grant): Cut {
  return {
    buckets: grant.scopeType === 'all_buckets' ? undefined : grant.bucketNames,
    actions: grant.actions,
    prefixes: grant.allowedPrefixes.length === 0 ? [''] : outermost(grant.allowedPrefixes),
    networks: grant.ipAllowlist.length === 0 ? ANYWHERE : networksOf(grant.ipAllowlist),
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
    networks: intersectNetworks(child.networks, parent.networks),
    notBefore: latest(child.notBefore, parent.notBefore),
    expiresAt: earliest(child.expiresAt, parent.expiresAt),
  };
}

/** Sorts prefixes and removes those that begin with another one, which sorts directly before them. */
function outermost(prefixes: readonly string[]): string[] {
  const kept: string[] = [];
  for (const prefix of prefixes.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
}

/** Intersects two lists of prefixes: of two that match a common key, one begins with the other. @param one from `outermost`, as the other */
function intersectPrefixes(one: readonly string[], other: readonly string[]): string[] {
  const shared: string[] = [];
  let [place, otherPlace] = [0, 0];
  for (;;) {
    const [a, b] = [one[place], other[otherPlace]];
    if (a === undefined || b === undefined) return shared;
    if (a.startsWith(b)) shared.push(a);
    else if (b.startsWith(a)) shared.push(b);
    // Advance past the longer prefix if one contains the other, otherwise past the one that sorts first.
    if (a.startsWith(b) || (a < b && !b.startsWith(a))) place++;
    else otherPlace++;
  }
}

function latest(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one > other ? one : other) : (one ?? other);
}

function earliest(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one < other ? one : other) : (one ?? other);
}

type Lists = Record<'actions' | 'prefixes' | 'addresses', readonly unknown[]> & Pick<Access, 'buckets'>;

/** Whether the access is empty. */
export function isNothing({ buckets, actions, prefixes, addresses }: Lists): boolean {
  return [buckets, actions, prefixes, addresses].some((list) => list?.length === 0);
}

/** Whether the access includes the bucket. */
export function isFor({ buckets }: Pick<Access, 'buckets'>, bucket: string): boolean {
  return buckets === undefined || buckets.includes(bucket);
}
