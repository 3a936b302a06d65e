/** Cleanup steps of a bench, run in reverse order at its end or on a signal. */
export class Cleanup {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private lastRun: Promise<void> = Promise.resolve();

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  /** Runs the steps added so far. Concurrent calls run one after the other. */
  run(): Promise<void> {
    this.lastRun = this.runAfter(this.lastRun);
    return this.lastRun;
  }

  private async runAfter(previousRun: Promise<void>): Promise<void> {
    await previousRun;
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step();
  }
}
