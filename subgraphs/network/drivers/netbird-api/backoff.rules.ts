/** The first pause after a failure, and the longest after many. */
const MIN_PAUSE_MS = 1_000;
const MAX_MS_LENGTH = 60_000;

/** Exponential backoff for a failing server; a `Retry-After` header takes precedence. */
export class Backoff {
  private failures = 0;
  private untilMs = Number.NEGATIVE_INFINITY;

  /** @param nowMs of a monotonic clock */
  pauseMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.untilMs - nowMs));
  }

  /** Records a failure. Failures during a pause are ignored, because their requests started earlier. */
  failed(nowMs: number): void {
    if (nowMs < this.untilMs) return;
    this.untilMs = nowMs + Math.min(MAX_MS_LENGTH, MIN_PAUSE_MS * 2 ** Math.min(this.failures, 10));
    this.failures++;
  }

  /** Applies a `Retry-After` header. @param retryAfter seconds; dates are ignored */
  applyRetryAfter(retryAfter: string | null, nowMs: number): void {
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
    if (seconds > 0) this.untilMs = Math.max(this.untilMs, nowMs + Math.min(MAX_MS_LENGTH, seconds * 1_000));
  }

  /** Records a success; during a pause it does not end the pause. */
  succeeded(nowMs: number): void {
    if (nowMs >= this.untilMs) this.failures = 0;
  }
}
