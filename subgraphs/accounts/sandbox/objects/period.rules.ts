import type Stripe from 'stripe';

const DAY_SECONDS = 86_400;

/** The end of a period in Unix seconds UTC; the 31st becomes the last day of a shorter month. */
export function periodEnd(start: number, recurring: Stripe.Price.Recurring | null, anchorDay?: number): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  if (interval === 'day') return start + count * DAY_SECONDS;
  if (interval === 'week') return start + count * 7 * DAY_SECONDS;
  return addMonths(start, interval === 'year' ? count * 12 : count, anchorDay);
}

function addMonths(start: number, months: number, anchorDay: number | undefined): number {
  const date = new Date(start * 1000);
  const day = anchorDay ?? date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1000);
}

/** The share of an amount in cents for the rest of a period, rounded to a cent. */
export function prorated(cents: number, period: { readonly start: number; readonly end: number }, at: number): number {
  const length = Math.max(1, period.end - period.start);
  const left = Math.min(Math.max(0, period.end - at), length);
  return Math.round((cents * left) / length);
}
