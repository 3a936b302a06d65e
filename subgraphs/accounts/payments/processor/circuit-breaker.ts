import { unavailable } from '../../../../kernel/errors.js';

/** Consecutive failures that open the circuit. */
const FAILURES = 5;

/** Milliseconds until a trial call is allowed. */
const PAUSE_MS = 15_000;

/** Circuit breaker: fails fast after repeated outages and lets a trial call through from time to time. */
export class CircuitBreaker {
  private failures = 0;
  private openUntilMs = 0;

  /** Runs the work unless the circuit is open. @param isOutage whether an error means an outage */
  async call<Result>(
    work: () => Promise<Result>,
    { now, isOutage }: { readonly now: () => Date; readonly isOutage: (error: unknown) => boolean },
  ): Promise<Result> {
    const nowMs = now().getTime();
    if (nowMs < this.openUntilMs) throw unavailable('The payment processor is not responding.');
    // During the trial call the circuit stays open for other calls.
    if (this.failures >= FAILURES) this.openUntilMs = nowMs + PAUSE_MS;
    try {
      const result = await work();
      this.reset();
      return result;
    } catch (error) {
      if (isOutage(error)) this.countFailure(now);
      else this.reset();
      throw error;
    }
  }

  private reset(): void {
    this.failures = 0;
    this.openUntilMs = 0;
  }

  private countFailure(now: () => Date): void {
    this.failures += 1;
    if (this.failures >= FAILURES) this.openUntilMs = now().getTime() + PAUSE_MS;
  }
}
