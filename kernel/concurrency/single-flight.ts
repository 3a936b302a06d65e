/** Runs the work of a key at most once at a time; concurrent callers share the result. */
export class SingleFlight<Key, Result> {
  private readonly running = new Map<Key, Promise<Result>>();
  private readonly next = new Map<Key, Promise<Result>>();

  /** Returns the result of the current run, or of one that starts now. @throws what the work throws */
  join(key: Key, work: () => Promise<Result>): Promise<Result> {
    return this.running.get(key) ?? this.begin(key, work);
  }

  /** Returns the result of a run that starts after this call: now, or when the current run ends. All calls during a run share the next one. @throws what the work throws */
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
