import { NOTHING, rightsKey, type Rights } from './rights.rules.js';

/** Numbers distinct rights; 0 is no rights. */
export class RightsTable {
  private readonly rights: Rights[] = [NOTHING];
  private readonly numbers = new Map<string, number>([[rightsKey(NOTHING), 0]]);

  /** Returns the number of these rights, a new one for new rights. */
  add(rights: Rights): number {
    const key = rightsKey(rights);
    const existing = this.numbers.get(key);
    if (existing !== undefined) return existing;
    const number = this.rights.push(rights) - 1;
    this.numbers.set(key, number);
    return number;
  }

  at(number: number): Rights {
    return this.rights[number] ?? NOTHING;
  }
}
