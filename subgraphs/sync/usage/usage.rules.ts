import { badRequest } from '../../../kernel/errors.js';

/** Maximum price per GiB and month: the cost of any store fits into the ledger. */
const MAX_PRICE = 1_000_000_000_000;

/** Days to catch up. */
const MAX_MISSED_DAYS = 31;

const DAY_MS = 24 * 3_600_000;

/** Checks a price. @param price exact decimal @throws BAD_REQUEST */
export function checkPrice(price: string | null | undefined): void {
  if (price == null) return;
  if (Number(price) <= 0) throw badRequest('`creditsPerGibMonth` must be above zero; null makes storage free.');
  if (Number(price) > MAX_PRICE) throw badRequest(`\`creditsPerGibMonth\` must be at most ${MAX_PRICE}.`);
}

/** The requested time. @throws BAD_REQUEST in the past, or too far ahead */
export function checkTime(at: Date, now: Date): Date {
  if (at.getTime() < now.getTime()) throw badRequest('`at` must not be in the past.');
  if (at.getTime() > now.getTime() + MAX_MISSED_DAYS * DAY_MS)
    throw badRequest(`\`at\` must be at most ${MAX_MISSED_DAYS} days ahead.`);
  return at;
}

/** The first and last ended day to catch up, ISO 8601 in UTC. */
export interface EndedDays {
  readonly first: string;
  readonly last: string;
}

/** The ended days at this time. */
export function endedDays(now: Date): EndedDays {
  return { first: dayOf(now.getTime() - MAX_MISSED_DAYS * DAY_MS), last: dayOf(now.getTime() - DAY_MS) };
}

/** Start and end of a day, ISO 8601. @param day ISO 8601 */
export function periodOf(day: string): { readonly start: string; readonly end: string } {
  const startMs = Date.parse(`${day}T00:00:00.000Z`);
  return { start: new Date(startMs).toISOString(), end: new Date(startMs + DAY_MS).toISOString() };
}

/** The reference of the charge for a day of storage: id of `StorageCharge`. @param day ISO 8601 */
export function storageReference(address: string, day: string): string {
  return `storage:${address}:${day}`;
}

/** Address and day of such a reference; undefined if it is none. */
export function chargedDay(reference: string): { readonly address: string; readonly day: string } | undefined {
  const [, address, day] = /^storage:(.+):(\d{4}-\d{2}-\d{2})$/s.exec(reference) ?? [];
  if (address === undefined || day === undefined) return undefined;
  const time = Date.parse(day);
  return !Number.isNaN(time) && dayOf(time) === day ? { address, day } : undefined;
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
