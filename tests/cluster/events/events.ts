/** Milliseconds after an answer, or after the repair of a fault, by which a watcher must know of a change. */
export const EVENT_LIMIT_MS = 5_000;

/** An event that takes so long may be lost to a fault that comes meanwhile. */
const ON_THE_WAY_MS = 1_000;

type Kind = 'group' | 'notification';

/** A change that a client made. Times are those of `performance.now()`. */
export interface Change {
  readonly kind: Kind;
  /** What was done to what; unique. */
  readonly name: string;
  /** The name of the change that this one takes back. */
  readonly undoes?: string;
  readonly begunAt: number;
  readonly answeredAt: number;
}

/** How a watcher learnt of a change. */
export interface Hearing {
  readonly at: number;
  /** An event; or the whole state, with which a subscription begins, or which replaces events in its middle. */
  readonly by: 'event' | 'begin' | 'middle';
  /** When the subscription before this one ended; 0 if there was none. */
  readonly lostAt: number;
}

/** What a watcher knows. */
export interface Knowledge {
  readonly place: string;
  readonly kind: Kind;
  /** By the name of the change. */
  readonly heard: ReadonlyMap<string, Hearing>;
}

interface Trouble {
  readonly begunAt: number;
  readonly healedAt: number;
}

/** The changes that clients made, and the faults meanwhile. */
export class History {
  readonly changes: Change[] = [];
  readonly troubles: Trouble[] = [];

  /** Makes a change. Returns what the work does. */
  async change<Result>(change: Pick<Change, 'kind' | 'name' | 'undoes'>, work: () => Promise<Result>): Promise<Result> {
    const begunAt = performance.now();
    const result = await work();
    this.changes.push({ ...change, begunAt, answeredAt: performance.now() });
    return result;
  }

  /** Lets a fault happen, or something that is none. Returns when it was over. */
  async during(work: () => Promise<void>, isFault: boolean): Promise<number> {
    const begunAt = performance.now();
    await work();
    const healedAt = performance.now();
    if (isFault) this.troubles.push({ begunAt, healedAt });
    return healedAt;
  }

  /** Each change of which a watcher was not told, or too late: one line. */
  missedBy({ place, kind, heard }: Knowledge): string[] {
    const all = this.changes.filter((change) => change.kind === kind);
    const passed = this.passed(all, heard);
    const own = all.filter(({ name }) => !passed.has(name));
    return own.flatMap((change) => {
      const fault = this.faultOf(change, heard.get(change.name));
      return fault ? [`the watcher at ${place}: ${change.name}: ${fault}`] : [];
    });
  }

  /** Changes that were taken back before a watcher had to know of them, and both of which it did not: events of a burst are one. */
  private passed(changes: readonly Change[], heard: Knowledge['heard']): ReadonlySet<string> {
    const unheard = new Map(changes.filter(({ name }) => !heard.has(name)).map((change) => [change.name, change]));
    const names = [...unheard.values()].flatMap(({ name, undoes = '', answeredAt }) => {
      const first = unheard.get(undoes);
      return first && answeredAt <= this.dueAt(first) ? [name, undoes] : [];
    });
    return new Set(names);
  }

  private dueAt(change: Change): number {
    return Math.max(change.answeredAt, this.healedAt(change) ?? 0) + EVENT_LIMIT_MS;
  }

  private faultOf(change: Change, hearing: Hearing | undefined): string | undefined {
    if (!hearing) return 'never heard';
    const { answeredAt } = change;
    const healedAt = this.healedAt(change);
    const late = hearing.at - Math.max(answeredAt, healedAt ?? 0);
    if (late > EVENT_LIMIT_MS) return `heard ${Math.round(late)} ms late`;
    if (healedAt !== undefined || hearing.by === 'event') return undefined;
    if (hearing.by === 'middle') return 'heard only in a whole graph, in the middle of a subscription';
    // The connection lasted, and its end hid that the event had not come.
    const isHidden = hearing.lostAt > answeredAt + ON_THE_WAY_MS;
    return isHidden ? 'heard only in the whole graph of the next subscription' : undefined;
  }

  /** When the faults were repaired that may have hurt the events of a change; undefined if there was none. */
  private healedAt({ begunAt, answeredAt }: Change): number | undefined {
    const met = this.troubles.filter(
      (trouble) => trouble.begunAt < answeredAt + ON_THE_WAY_MS && trouble.healedAt > begunAt,
    );
    return met.at(-1)?.healedAt;
  }
}
