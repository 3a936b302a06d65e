/** Does each name's work once at a time. Of all who come meanwhile, one does it again for all of them. */
export class SingleFlight<Result> {
  private readonly running = new Map<number, Promise<unknown>>();
  private readonly next = new Map<number, Promise<Result>>();

  /** What the work answers that begins now or as soon as the one that runs has ended. @throws what it throws */
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
