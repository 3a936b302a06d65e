import { useEffect, useState } from 'react';
import { isEndless } from './costs';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A number of bytes in the largest unit that leaves a whole. */
export function bytes(count: number | string): string {
  const number = Number(count);
  const power = number < 1 ? 0 : Math.min(Math.floor(Math.log2(number) / 10), UNITS.length - 1);
  const amount = (number / 1024 ** power).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return `${amount} ${UNITS[power] ?? ''}`;
}

/** Credits with two digits after the point, rounded towards zero; the exact figure is its title. */
export function Credits({ amount }: { readonly amount: string }) {
  return (
    <span className="number" title={`${amount} credits`}>
      {shortAmount(Number(amount))}
    </span>
  );
}

/** Two digits after the point; of less than a hundredth the first two digits, so that a cost is never shown as none. */
function shortAmount(amount: number): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.01;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return amount.toLocaleString(undefined, { ...digits, roundingMode: 'trunc' });
}

/** A number with its noun: `1 peer`, `2 peers`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}

/** How long something lasts, in hours below two days and then in days. */
export function lasting(hours: number): string {
  if (isEndless(hours)) return 'more than 100 years';
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day');
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago a time was or how far away it is, in words. */
export function relative(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000);
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (!step) return seconds > 0 ? 'in a moment' : 'just now';
  return words.format(Math.round(seconds / step[1]), step[0]);
}

/** A time as people say it; the exact one is its title. */
export function Time({ at }: { readonly at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {relative(date.getTime(), now)}
    </time>
  );
}

/** The present time, to the half minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
