import type { GraphPolicy } from '../../graph/network-graph/network-graph.js';
import { EVERYTHING, intersect, isNothing, rightsKey, rightsOf, weightOf, type Rights } from './rights.rules.js';
import { filterWords, type FilterWords } from './protocol-ports.rules.js';

/** A rule for the members of one source group. */
export interface Term {
  readonly sourceGroupId: number;
  readonly isDrop: boolean;
  readonly rights: Rights;
  /** The key of the rights. */
  readonly key: string;
  readonly weight: number;
  readonly words: readonly FilterWords[];
}

/**
 * The terms of all policies, by destination: drops before accepts, independent of the order of the policies. A
 * bidirectional policy has a term for each of its groups.
 */
export class PolicyTerms {
  private readonly terms: readonly Term[];
  /** Ascending indexes in `terms`. */
  private readonly places: ReadonlyMap<number, readonly number[]>;
  private readonly byGroups = new Map<string, readonly Term[]>();
  private readonly lists = new Map<string, readonly Term[]>();

  /** @param within limits all rules to these rights */
  constructor(policies: readonly GraphPolicy[], within: Rights = EVERYTHING) {
    const terms = new Map<string, Term>();
    const destinations = new Map<string, Set<number>>();
    for (const { destGroupId, ...term } of policies.flatMap((policy) => directions(policy, within))) {
      const name = `${term.isDrop ? 0 : 1} ${term.key} ${term.sourceGroupId}`;
      terms.set(name, term);
      destinations.set(name, (destinations.get(name) ?? new Set()).add(destGroupId));
    }
    const sorted = [...terms].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.terms = sorted.map(([, term]) => term);
    const places = new Map<number, number[]>();
    for (const [place, [name]] of sorted.entries()) {
      for (const group of destinations.get(name) ?? []) {
        const known = places.get(group);
        if (known) known.push(place);
        else places.set(group, [place]);
      }
    }
    this.places = places;
  }

  /** The terms for a destination in these groups; equal terms give the identical list. */
  at(groups: Iterable<number>): readonly Term[] {
    const named = [...new Set(groups)].filter((group) => this.places.has(group)).toSorted((a, b) => a - b);
    const name = named.join(' ');
    const known = this.byGroups.get(name) ?? this.listAt(named);
    this.byGroups.set(name, known);
    return known;
  }

  private listAt(groups: readonly number[]): readonly Term[] {
    const places = [...new Set(groups.flatMap((group) => this.places.get(group) ?? []))].toSorted((a, b) => a - b);
    const name = places.join(' ');
    const known = this.lists.get(name) ?? places.flatMap((place) => this.terms[place] ?? []);
    this.lists.set(name, known);
    return known;
  }
}

function directions(policy: GraphPolicy, within: Rights): (Term & { readonly destGroupId: number })[] {
  const { sourceGroupId, destGroupId } = policy;
  const rights = intersect(rightsOf(policy), within);
  if (!policy.enabled || isNothing(rights)) return [];
  const term = {
    isDrop: policy.action === 'drop',
    rights,
    key: rightsKey(rights),
    weight: weightOf(rights),
    words: filterWords(rights),
  };
  const forth = { ...term, sourceGroupId, destGroupId };
  return policy.bidirectional && sourceGroupId !== destGroupId
    ? [forth, { ...term, sourceGroupId: destGroupId, destGroupId: sourceGroupId }]
    : [forth];
}
