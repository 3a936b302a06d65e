/** Runs the work of one key once at a time. */
export class SingleFlight<Key, Result> {
  private readonly running = new Map<Key, Promise<Result>>();
  private readonly next = new Map<Key, Promise<Result>>();

  /** Returns the result of the present run, or of one that starts now. @throws what the work throws */
  join(key: Key, work: () => Promise<Result>): Promise<Result> {
    return this.running.get(key) ?? this.begin(key, work);
  }

  /** Returns the result of the run that starts now or after the present one; all calls during a run share the next. @throws what the work throws */
  refresh(key: Key, work: () => Promise<Result>): Promise<Result> {
    const begin = () => {
      this.next.delete(key);
      return this.begin(key, work);
    };
    const running = this.running.get(key);
    if (!running) return begin();
    const next = this.next.get(key) ?? running.then(begin, begin);
    this.next.set(key, next);
    return next;
  }

  private begin(key: Key, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    const forget = () => void this.running.delete(key);
    this.running.set(key, result);
    void result.then(forget, forget);
    return result;
  }
}
