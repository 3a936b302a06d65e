import { NOTHING, rightsKey, type Rights } from './rights.rules.js';

/** Numbers distinct rights; 0 is no rights. */
export class RightsBook {
  private readonly known: Rights[] = [NOTHING];
  private readonly numbers = new Map<string, number>([[rightsKey(NOTHING), 0]]);

  /** The number of these rights. */
  keep(rights: Rights): number {
    const key = rightsKey(rights);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.known.push(rights) - 1;
    this.numbers.set(key, number);
    return number;
  }

  at(number: number): Rights {
    return this.known[number] ?? NOTHING;
  }
}
