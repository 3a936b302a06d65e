/** Runs one call per name at a time. All calls that arrive during a run share the next run. */
export class SingleFlight<Result> {
  private readonly running = new Map<number, Promise<unknown>>();
  private readonly next = new Map<number, Promise<Result>>();

  /** Returns the result of the run that starts now or after the present one. @throws what the work throws */
  do(name: number, work: () => Promise<Result>): Promise<Result> {
    const running = this.running.get(name);
    if (!running) return this.begin(name, work);
    const next =
      this.next.get(name) ??
      running.then(() => {
        this.next.delete(name);
        return this.begin(name, work);
      });
    this.next.set(name, next);
    return next;
  }

  private begin(name: number, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    const forget = () => void this.running.delete(name);
    this.running.set(name, result.then(forget, forget));
    return result;
  }
}
