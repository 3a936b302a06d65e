/** How many of one name may be in at a time, and how many may wait for it. */
export interface TurnLimits {
  /** By how many of all names are in, where it depends on them; one of each name is always let in. */
  readonly atOnce: number | ((inside: number) => number);
  readonly waiting: number;
}

/** Lets so many of each name in at a time; the others wait in the order in which they came, up to a number. */
export class KeyedSemaphore {
  private readonly lines = new Map<string, Line>();
  private inside = 0;

  constructor(
    private readonly limits: TurnLimits,
    /** What is thrown to who finds too many waiting. */
    private readonly refusal: () => Error,
  ) {}

  /** Waits for a turn. @returns how to end it, which does no harm twice @throws the refusal */
  async enter(name: string): Promise<() => void> {
    const { waiting } = this.limits;
    const atOnce = this.atOnce();
    const line = this.lines.get(name) ?? { inside: 0, waiting: [] };
    this.lines.set(name, line);
    if (line.inside >= atOnce && line.waiting.length >= waiting) throw this.refusal();
    if (line.inside < atOnce) this.letIn(line);
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    let isInside = true;
    return () => {
      if (isInside) this.leave(name, line);
      isInside = false;
    };
  }

  /** Does the work in a turn. @throws the refusal */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(name);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private atOnce(): number {
    const { atOnce } = this.limits;
    return Math.max(1, typeof atOnce === 'number' ? atOnce : atOnce(this.inside));
  }

  private leave(name: string, line: Line): void {
    line.inside--;
    this.inside--;
    const room = this.atOnce() - line.inside;
    for (const next of line.waiting.splice(0, Math.max(0, room))) {
      this.letIn(line);
      next();
    }
    if (line.inside === 0) this.lines.delete(name);
  }

  private letIn(line: Line): void {
    line.inside++;
    this.inside++;
  }
}

interface Line {
  inside: number;
  readonly waiting: (() => void)[];
}
