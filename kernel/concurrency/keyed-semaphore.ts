/** The limits of each key. */
export interface SemaphoreLimits {
  /** Permits of one key at a time. A function gets the number of permits of all keys; one holder of a key is always allowed. */
  readonly atOnce: number | ((active: number) => number);
  /** Maximum number of callers that wait for one key. */
  readonly waiting: number;
  /** Maximum time that a caller waits; undefined: as long as it takes. */
  readonly waitMs?: number;
}

/** Limits the number of permits per key; most holders take one. Other callers wait in order of arrival, up to a maximum. */
export class KeyedSemaphore {
  private readonly states = new Map<string, KeyState>();
  private active = 0;

  constructor(
    private readonly limits: SemaphoreLimits,
    /** Creates the error for a caller that finds the queue full, or waited too long. */
    private readonly refusal: () => Error,
  ) {}

  /** Number of permits of all keys. */
  get held(): number {
    return this.active;
  }

  /** Waits for the permits. @returns a function that releases them; a second call does nothing @throws the refusal */
  async enter(name: string, permits = 1): Promise<() => void> {
    const state = this.states.get(name) ?? { active: 0, waiting: [] };
    this.states.set(name, state);
    this.admitWaiting(state);
    if (state.waiting.length === 0 && this.hasRoom(state, permits)) this.admit(state, permits);
    else if (state.waiting.length < this.limits.waiting) await this.wait(state, permits);
    else throw this.refusal();
    let isHeld = true;
    return () => {
      if (isHeld) this.release(name, state, permits);
      isHeld = false;
    };
  }

  /** Runs the work with these permits. @throws the refusal */
  async take<Result>(name: string, work: () => Promise<Result>, permits = 1): Promise<Result> {
    const release = await this.enter(name, permits);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async wait(state: KeyState, permits: number): Promise<void> {
    const { waitMs } = this.limits;
    await new Promise<void>((resolve, reject) => {
      const refuse = () => {
        state.waiting.splice(state.waiting.indexOf(waiter), 1);
        reject(this.refusal());
        this.admitWaiting(state);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(refuse, waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { permits, begin };
      state.waiting.push(waiter);
    });
  }

  /** Whether a key has room for these permits; one holder is always allowed. */
  private hasRoom({ active }: KeyState, permits: number): boolean {
    const { atOnce } = this.limits;
    return active === 0 || active + permits <= (typeof atOnce === 'number' ? atOnce : atOnce(this.active));
  }

  private release(name: string, state: KeyState, permits: number): void {
    state.active -= permits;
    this.active -= permits;
    this.admitWaiting(state);
    if (state.active === 0) this.states.delete(name);
  }

  private admitWaiting(state: KeyState): void {
    for (let [next] = state.waiting; next && this.hasRoom(state, next.permits); [next] = state.waiting) {
      state.waiting.shift();
      this.admit(state, next.permits);
      next.begin();
    }
  }

  private admit(state: KeyState, permits: number): void {
    state.active += permits;
    this.active += permits;
  }
}

interface KeyState {
  active: number;
  readonly waiting: { readonly permits: number; readonly begin: () => void }[];
}
