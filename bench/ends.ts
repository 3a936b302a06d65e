/** What is to be stopped and removed at the end, the last first, also when the bench is told to stop. */
export class Ends {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private ending: Promise<void> = Promise.resolve();

  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  /** Ends what there is now; who asks meanwhile waits for the same. */
  run(): Promise<void> {
    this.ending = this.endAfter(this.ending);
    return this.ending;
  }

  private async endAfter(before: Promise<void>): Promise<void> {
    await before;
    for (let step = this.steps.pop(); step; step = this.steps.pop()) await step();
  }
}
