import { costAmount, isEndless } from '../../components/costs.js';

const DAY_MS = 86_400_000;

/** When credits end at the present cost, in words. @param perDay credits @param now milliseconds since 1970 */
export function forecastWords(balance: number, perDay: number, now: number): string {
  if (perDay === 0) return 'Nothing is charged at the moment, so the balance stays.';
  const cost = costAmount(perDay);
  if (balance <= 0) return `Machines and storage cost ${cost} credits a day, and no credits are left.`;
  const days = balance / perDay;
  if (isEndless(days * 24)) return `Machines and storage cost ${cost} credits a day. Credits last more than 100 years.`;
  const day = new Date(now + days * DAY_MS).toLocaleDateString(undefined, { dateStyle: 'long' });
  return `Machines and storage cost ${cost} credits a day. At this rate credits end on ${day}.`;
}
