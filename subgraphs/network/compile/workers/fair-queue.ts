/** Runs one task at a time, with fair turns for names. Tasks of one name run in order of arrival. */
export class FairQueue {
  /** By name, in the order of their next turns. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;

  constructor(
    private readonly limits: {
      /** Per name. */
      readonly waiting: number;
      /** Creates the error that is thrown when too many are waiting. */
      readonly refusal: () => Error;
    },
  ) {}

  /** Runs the work in its turn. @throws the refusal */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.isBusy) await this.waitForTurn(name);
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.startNext();
    }
  }

  private waitForTurn(name: string): Promise<void> {
    const queue = this.waiting.get(name) ?? [];
    if (queue.length >= this.limits.waiting) throw this.limits.refusal();
    this.waiting.set(name, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Stays busy while a task is waiting, so that a new caller cannot overtake it. */
  private startNext(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isBusy = false;
      return;
    }
    const [name, queue] = first;
    const start = queue.shift();
    this.waiting.delete(name);
    if (queue.length > 0) this.waiting.set(name, queue);
    start?.();
  }
}
