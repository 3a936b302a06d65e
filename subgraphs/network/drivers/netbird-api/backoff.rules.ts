/** The first pause after a failure, and the longest after many. */
const FIRST_MS = 1_000;
const MAX_MS_LENGTH = 60_000;

/** How long a server that fails is left alone: twice as long each time, or as long as it asks for. */
export class Patience {
  private failures = 0;
  private untilMs = Number.NEGATIVE_INFINITY;

  /** @param nowMs of a clock that only goes forward */
  pauseMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.untilMs - nowMs));
  }

  /** It failed. Requests that fail during a pause were begun before it. */
  blame(nowMs: number): void {
    if (nowMs < this.untilMs) return;
    this.untilMs = nowMs + Math.min(MAX_MS_LENGTH, FIRST_MS * 2 ** Math.min(this.failures, 10));
    this.failures++;
  }

  /** It asks to be left alone. @param retryAfter its header, in seconds; dates are not understood */
  ask(retryAfter: string | null, nowMs: number): void {
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
    if (seconds > 0) this.untilMs = Math.max(this.untilMs, nowMs + Math.min(MAX_MS_LENGTH, seconds * 1_000));
  }

  /** It answered; what it said during a pause does not end it. */
  praise(nowMs: number): void {
    if (nowMs >= this.untilMs) this.failures = 0;
  }
}
