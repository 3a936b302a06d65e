/** The limits of each key. */
export interface SemaphoreLimits {
  /** Holders of one key at a time. A function gets the number of holders of all keys; at least one holder per key is allowed. */
  readonly atOnce: number | ((active: number) => number);
  /** Maximum number of callers that wait for one key. */
  readonly waiting: number;
  /** Maximum time that a caller waits; undefined: as long as it takes. */
  readonly waitMs?: number;
}

/** Limits the number of holders per key. Other callers wait in order of arrival, up to a maximum. */
export class KeyedSemaphore {
  private readonly states = new Map<string, KeyState>();
  private active = 0;

  constructor(
    private readonly limits: SemaphoreLimits,
    /** Creates the error for a caller that finds the queue full, or waited too long. */
    private readonly refusal: () => Error,
  ) {}

  /** Waits for a permit. @returns a function that releases it; a second call does nothing @throws the refusal */
  async enter(name: string): Promise<() => void> {
    const { waiting } = this.limits;
    const atOnce = this.atOnce();
    const state = this.states.get(name) ?? { active: 0, waiting: [] };
    this.states.set(name, state);
    if (state.active >= atOnce && state.waiting.length >= waiting) throw this.refusal();
    if (state.active < atOnce) this.admit(state);
    else await this.wait(state);
    let isHeld = true;
    return () => {
      if (isHeld) this.release(name, state);
      isHeld = false;
    };
  }

  /** Runs the work with a permit. @throws the refusal */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const release = await this.enter(name);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async wait({ waiting }: KeyState): Promise<void> {
    const { waitMs } = this.limits;
    await new Promise<void>((resolve, reject) => {
      const refuse = () => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(this.refusal());
      };
      const timer = waitMs === undefined ? undefined : setTimeout(refuse, waitMs);
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(admit);
    });
  }

  private atOnce(): number {
    const { atOnce } = this.limits;
    return Math.max(1, typeof atOnce === 'number' ? atOnce : atOnce(this.active));
  }

  private release(name: string, state: KeyState): void {
    state.active--;
    this.active--;
    const room = this.atOnce() - state.active;
    for (const next of state.waiting.splice(0, Math.max(0, room))) {
      this.admit(state);
      next();
    }
    if (state.active === 0) this.states.delete(name);
  }

  private admit(state: KeyState): void {
    state.active++;
    this.active++;
  }
}

interface KeyState {
  active: number;
  readonly waiting: (() => void)[];
}
