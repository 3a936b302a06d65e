/** Returns a number from 0 to 2^32 - 1 that depends on each character. */
export function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return scramble(state);
}

function scramble(value: number): number {
  let state = value;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** Random choices that depend only on the seed. */
export class Random {
  private state: number;

  constructor(seed: string) {
    this.state = hash(seed);
  }

  /** Returns a whole number below the limit. */
  below(limit: number): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    return scramble(this.state) % limit;
  }

  /** True with this chance, in percent. */
  chance(percent: number): boolean {
    return this.below(1000) < percent * 10;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Returns each item with this chance, in percent. */
  some<T>(list: readonly T[], percent: number): T[] {
    return list.filter(() => this.chance(percent));
  }

  /** Returns each item with this chance, and at least one. */
  atLeastOne<T>(list: readonly T[], percent: number): T[] {
    const chosen = this.some(list, percent);
    return chosen.length > 0 ? chosen : [this.pick(list)];
  }
}
