import type { GraphPolicy } from '../../graph/network-graph/network-graph.js';
import { EVERYTHING, intersect, isNothing, rightsKey, rightsOf, weightOf, type Rights } from './rights.rules.js';
import { filterMatchesOf, type FilterMatch } from './protocol-ports.rules.js';

/** A rule for the members of one source group. */
export interface PolicyRule {
  readonly sourceGroupId: number;
  readonly isDrop: boolean;
  readonly rights: Rights;
  /** The key of the rights. */
  readonly key: string;
  readonly weight: number;
  readonly matches: readonly FilterMatch[];
}

/**
 * The rules of all policies, by destination: drops before accepts, independent of the order of the policies. A
 * bidirectional policy has a rule for each of its groups.
 */
export class RulesByDestination {
  private readonly rules: readonly PolicyRule[];
  /** Ascending indexes in `rules`. */
  private readonly indexes: ReadonlyMap<number, readonly number[]>;
  private readonly byGroups = new Map<string, readonly PolicyRule[]>();
  private readonly lists = new Map<string, readonly PolicyRule[]>();

  /** @param within limits all rules to these rights */
  constructor(policies: readonly GraphPolicy[], within: Rights = EVERYTHING) {
    const rules = new Map<string, PolicyRule>();
    const destinations = new Map<string, Set<number>>();
    for (const { destGroupId, ...rule } of policies.flatMap((policy) => directions(policy, within))) {
      const name = `${rule.isDrop ? 0 : 1} ${rule.key} ${rule.sourceGroupId}`;
      rules.set(name, rule);
      destinations.set(name, (destinations.get(name) ?? new Set()).add(destGroupId));
    }
    const sorted = [...rules].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.rules = sorted.map(([, rule]) => rule);
    const indexes = new Map<number, number[]>();
    for (const [index, [name]] of sorted.entries()) {
      for (const group of destinations.get(name) ?? []) {
        const existing = indexes.get(group);
        if (existing) existing.push(index);
        else indexes.set(group, [index]);
      }
    }
    this.indexes = indexes;
  }

  /** The rules for a destination in these groups; equal rules give the identical list. */
  at(groups: Iterable<number>): readonly PolicyRule[] {
    const named = [...new Set(groups)].filter((group) => this.indexes.has(group)).toSorted((a, b) => a - b);
    const name = named.join(' ');
    const cached = this.byGroups.get(name) ?? this.listAt(named);
    this.byGroups.set(name, cached);
    return cached;
  }

  private listAt(groups: readonly number[]): readonly PolicyRule[] {
    const indexes = [...new Set(groups.flatMap((group) => this.indexes.get(group) ?? []))].toSorted((a, b) => a - b);
    const name = indexes.join(' ');
    const cached = this.lists.get(name) ?? indexes.flatMap((index) => this.rules[index] ?? []);
    this.lists.set(name, cached);
    return cached;
  }
}

function directions(policy: GraphPolicy, within: Rights): (PolicyRule & { readonly destGroupId: number })[] {
  const { sourceGroupId, destGroupId } = policy;
  const rights = intersect(rightsOf(policy), within);
  if (!policy.enabled || isNothing(rights)) return [];
  const rule = {
    isDrop: policy.action === 'drop',
    rights,
    key: rightsKey(rights),
    weight: weightOf(rights),
    matches: filterMatchesOf(rights),
  };
  const forth = { ...rule, sourceGroupId, destGroupId };
  return policy.bidirectional && sourceGroupId !== destGroupId
    ? [forth, { ...rule, sourceGroupId: destGroupId, destGroupId: sourceGroupId }]
    : [forth];
}
