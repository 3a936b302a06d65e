import { RightsBook } from './rights-book.rules.js';
import { NOTHING, subtract, uniteAll, type Rights } from './rights.rules.js';
import type { Grouping, Sources } from './sources.rules.js';
import type { Term } from './terms.rules.js';

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

/** The access to one destination, per kind of source. Kinds with the same rules are one class. */
export class Opening {
  private readonly bySource = new Map<number, Term[]>();
  private readonly grouping: Grouping;
  /** By class; class 0 has no rules. */
  private readonly costs: number[] = [0];
  private readonly rights = new Map<number, Rights>([[0, NOTHING]]);

  constructor(terms: readonly Term[], sources: Sources) {
    for (const term of terms) {
      const known = this.bySource.get(term.sourceGroupId);
      if (known) known.push(term);
      else this.bySource.set(term.sourceGroupId, [term]);
    }
    this.grouping = sources.grouped([...this.bySource.keys()]);
    const costs = new Map([...this.bySource].map(([group, own]) => [group, costOf(own)]));
    for (const { parent, group } of this.grouping.classes.slice(1)) {
      this.costs.push((this.costs[parent] ?? 0) + (costs.get(group) ?? 0));
    }
  }

  /** Equal for kinds with the same rules. */
  classOf(kind: number): number {
    return this.grouping.byKind[kind] ?? 0;
  }

  /** Approximate cost of `all`. */
  get cost(): number {
    return this.grouping.classes.reduce((sum, { size }, own) => sum + (size === 0 ? 0 : (this.costs[own] ?? 0)), 0);
  }

  /** Approximate cost of a class; 0 when it is cached. */
  costOfClass(number: number): number {
    return this.rights.has(number) ? 0 : (this.costs[number] ?? 0);
  }

  ofClass(number: number): Rights {
    const known = this.rights.get(number);
    if (known) return known;
    const terms: Term[] = [];
    for (let at = number; at !== 0;) {
      const { parent, group } = this.grouping.classes[at] ?? { parent: 0, group: 0 };
      for (const term of this.bySource.get(group) ?? []) terms.push(term);
      at = parent;
    }
    const speakingOf = (isDrop: boolean) => uniteAll(terms.filter((term) => term.isDrop === isDrop).map(rightsIn));
    const rights = subtract(speakingOf(false), speakingOf(true));
    this.rights.set(number, rights);
    return rights;
  }

  all(): { book: RightsBook; byKind: Int32Array } {
    const book = new RightsBook();
    const numbers = this.grouping.classes.map(({ size }, own) => (size === 0 ? 0 : book.keep(this.ofClass(own))));
    const byKind = new Int32Array(this.grouping.byKind.length);
    for (let kind = 0; kind < byKind.length; kind++) byKind[kind] = numbers[this.classOf(kind)] ?? 0;
    return { book, byKind };
  }
}

const rightsIn = ({ rights }: Term): Rights => rights;
const costOf = (terms: readonly Term[]): number => terms.reduce((sum, { weight }) => sum + 1 + weight, 0);
