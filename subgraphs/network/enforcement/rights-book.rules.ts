import { NOTHING, rightsKey, subtract, unite, type Rights } from './rights.rules.js';

/** Rights under numbers, so that each union and difference is made once. 0 is nothing. */
export class RightsBook {
  private readonly known: Rights[] = [NOTHING];
  private readonly numbers = new Map<string, number>([[rightsKey(NOTHING), 0]]);
  private readonly unions = new Map<number, number>();
  private readonly differences = new Map<number, number>();

  /** The number of these rights. @param key as `rightsKey` gives it */
  keep(rights: Rights, key = rightsKey(rights)): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.known.push(rights) - 1;
    this.numbers.set(key, number);
    return number;
  }

  at(number: number): Rights {
    return this.known[number] ?? NOTHING;
  }

  unite(a: number, b: number): number {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    return this.remembered(this.unions, a, b, unite);
  }

  subtract(a: number, b: number): number {
    if (a === b || a === 0) return 0;
    return b === 0 ? a : this.remembered(this.differences, a, b, subtract);
  }

  private remembered(made: Map<number, number>, a: number, b: number, make: typeof unite): number {
    const place = a * 2 ** 26 + b;
    const known = made.get(place);
    if (known !== undefined) return known;
    const number = this.keep(make(this.at(a), this.at(b)));
    made.set(place, number);
    return number;
  }
}
