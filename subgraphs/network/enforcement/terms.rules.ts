import type { GraphPolicy } from './graph.js';
import { rightsKey, rightsOf, type Rights } from './rights.rules.js';

/** What is open or refused to the members of one group. */
export interface Term {
  readonly sourceGroupId: number;
  readonly isDrop: boolean;
  readonly rights: Rights;
  /** Of the rights. */
  readonly key: string;
}

/**
 * What the policies say, by destination: the same whatever order they come in, drops before accepts. A policy that
 * holds both ways stands under both of its groups.
 */
export class Terms {
  private readonly terms: readonly Term[];
  /** Ascending places in `terms`. */
  private readonly places: ReadonlyMap<number, readonly number[]>;

  constructor(policies: readonly GraphPolicy[]) {
    const terms = new Map<string, Term>();
    const destinations = new Map<string, Set<number>>();
    for (const { destGroupId, ...term } of policies.filter(({ enabled }) => enabled).flatMap(directions)) {
      const name = `${term.isDrop ? 0 : 1} ${term.key} ${term.sourceGroupId}`;
      terms.set(name, term);
      destinations.set(name, (destinations.get(name) ?? new Set()).add(destGroupId));
    }
    const sorted = [...terms].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.terms = sorted.map(([, term]) => term);
    const places = new Map<number, number[]>();
    for (const [place, [name]] of sorted.entries()) {
      for (const group of destinations.get(name) ?? []) places.set(group, [...(places.get(group) ?? []), place]);
    }
    this.places = places;
  }

  /** What holds for a destination that is a member of these groups. */
  at(groups: Iterable<number>): Term[] {
    const places = new Set<number>();
    for (const group of groups) for (const place of this.places.get(group) ?? []) places.add(place);
    return [...places].toSorted((a, b) => a - b).flatMap((place) => this.terms[place] ?? []);
  }
}

function directions(policy: GraphPolicy): (Term & { readonly destGroupId: number })[] {
  const { sourceGroupId, destGroupId } = policy;
  const rights = rightsOf(policy);
  const term = { isDrop: policy.action === 'drop', rights, key: rightsKey(rights) };
  const forth = { ...term, sourceGroupId, destGroupId };
  return policy.bidirectional && sourceGroupId !== destGroupId
    ? [forth, { ...term, sourceGroupId: destGroupId, destGroupId: sourceGroupId }]
    : [forth];
}
