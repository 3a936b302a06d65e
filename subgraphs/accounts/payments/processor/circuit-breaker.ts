import { unavailable } from '../../../../kernel/errors.js';

/** Failures in a row after which nobody waits for the processor any more. */
const FAILURES = 5;

/** Then one call may try again after this long. */
const PAUSE_MS = 15_000;

/** Stops calling what does not answer, and lets one call through now and then to see whether it does again. */
export class CircuitBreaker {
  private failures = 0;
  private openUntilMs = 0;

  /** Does the work unless too much failed before. @param isOutage whether an error says that the other side is down */
  async call<Result>(
    work: () => Promise<Result>,
    { now, isOutage }: { readonly now: () => Date; readonly isOutage: (error: unknown) => boolean },
  ): Promise<Result> {
    const nowMs = now().getTime();
    if (nowMs < this.openUntilMs) throw unavailable('The payment processor is not responding.');
    // While this one tries, the others still find it open.
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
