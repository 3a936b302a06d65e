import { badRequest } from '../../../../kernel/errors.js';

const HOUR_MS = 3_600_000;

/** The longest lifetime of a certificate. */
export const MAX_TTL_MS = 30 * 24 * HOUR_MS;

export const DEFAULT_OVERLAP_HOURS = MAX_TTL_MS / HOUR_MS;
const MAX_OVERLAP_HOURS = 8_760;

/**
 * Time until machines know a new authority: a live peer polls every 20 s and becomes stale after 90 s without a poll.
 */
const DISTRIBUTION_MS = 120_000;

/** @throws BAD_REQUEST */
export function checkOverlap(hours: number): void {
  if (hours < 1 || hours > MAX_OVERLAP_HOURS)
    throw badRequest(`\`overlapHours\` must be a whole number from 1 to ${MAX_OVERLAP_HOURS}.`);
}

/** When the next authority starts to sign, and when the previous one stops being trusted. */
export function rotationTimes(overlapHours: number, now: Date): { readonly signsFrom: Date; readonly retiresAt: Date } {
  const signsFrom = new Date(now.getTime() + DISTRIBUTION_MS);
  return { signsFrom, retiresAt: new Date(signsFrom.getTime() + overlapHours * HOUR_MS) };
}
