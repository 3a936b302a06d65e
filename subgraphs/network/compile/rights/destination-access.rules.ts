import { RightsTable } from './rights-table.rules.js';
import { NOTHING, subtract, uniteAll, type Rights } from './rights.rules.js';
import type { Grouping, Sources } from './sources.rules.js';
import type { PolicyRule } from './rules-by-destination.rules.js';

/** The remaining cost that a computation may have, because it blocks other work. */
export class Budget {
  constructor(private left: number) {}

  /** Takes this cost if enough is left, and returns whether it was. */
  take(cost: number): boolean {
    if (cost > this.left) return false;
    this.left -= cost;
    return true;
  }
}

/** The access to one destination, by peer class. Peer classes with the same rules are one class here. */
export class DestinationAccess {
  private readonly bySource = new Map<number, PolicyRule[]>();
  private readonly grouping: Grouping;
  /** By class; class 0 has no rules. */
  private readonly costs: number[] = [0];
  private readonly rights = new Map<number, Rights>([[0, NOTHING]]);

  constructor(rules: readonly PolicyRule[], sources: Sources) {
    for (const rule of rules) {
      const existing = this.bySource.get(rule.sourceGroupId);
      if (existing) existing.push(rule);
      else this.bySource.set(rule.sourceGroupId, [rule]);
    }
    this.grouping = sources.grouped([...this.bySource.keys()]);
    const costs = new Map([...this.bySource].map(([group, ofGroup]) => [group, costOf(ofGroup)]));
    for (const { parent, group } of this.grouping.classes.slice(1)) {
      this.costs.push((this.costs[parent] ?? 0) + (costs.get(group) ?? 0));
    }
  }

  /** Equal for peer classes with the same rules. */
  classOf(peerClass: number): number {
    return this.grouping.byPeerClass[peerClass] ?? 0;
  }

  /** Approximate cost of `all`. */
  get cost(): number {
    return this.grouping.classes.reduce(
      (sum, { size }, classId) => sum + (size === 0 ? 0 : (this.costs[classId] ?? 0)),
      0,
    );
  }

  /** Approximate cost of a class; 0 when it is cached. */
  costOfClass(classId: number): number {
    return this.rights.has(classId) ? 0 : (this.costs[classId] ?? 0);
  }

  /** The rights of a class, computed at first use. */
  ofClass(classId: number): Rights {
    const cached = this.rights.get(classId);
    if (cached) return cached;
    const rules: PolicyRule[] = [];
    for (let at = classId; at !== 0;) {
      const { parent, group } = this.grouping.classes[at] ?? { parent: 0, group: 0 };
      for (const rule of this.bySource.get(group) ?? []) rules.push(rule);
      at = parent;
    }
    const rightsOfRules = (isDrop: boolean) => uniteAll(rules.filter((rule) => rule.isDrop === isDrop).map(rightsIn));
    const rights = subtract(rightsOfRules(false), rightsOfRules(true));
    this.rights.set(classId, rights);
    return rights;
  }

  /** Computes all classes. */
  all(): { table: RightsTable; byPeerClass: Int32Array } {
    const table = new RightsTable();
    const numbers = this.grouping.classes.map(({ size }, classId) =>
      size === 0 ? 0 : table.add(this.ofClass(classId)),
    );
    const byPeerClass = new Int32Array(this.grouping.byPeerClass.length);
    for (let peerClass = 0; peerClass < byPeerClass.length; peerClass++)
      byPeerClass[peerClass] = numbers[this.classOf(peerClass)] ?? 0;
    return { table, byPeerClass };
  }
}

const rightsIn = ({ rights }: PolicyRule): Rights => rights;
const costOf = (rules: readonly PolicyRule[]): number => rules.reduce((sum, { weight }) => sum + 1 + weight, 0);
