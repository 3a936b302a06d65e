const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts, in milliseconds: ten attempts within about three days. Source: Standard Webhooks */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Maximum number of attempts. */
export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** How long an endpoint may fail without a break before it is disabled, in milliseconds. */
const TIMEOUT_MS = 72 * HOUR_MS;

/** When to try again after this many attempts; undefined: never. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  const waitMs = RETRY_DELAYS_MS[attempts - 1];
  return waitMs === undefined ? undefined : new Date(now.getTime() + waitMs);
}

/** Whether an endpoint has failed for so long that it is disabled. */
export function hasFailedTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= TIMEOUT_MS;
}
