import { expect } from '@jest/globals';
import { PLATFORM_DIALECT } from '../../../gateway/rest/interpreter/answers.js';
import { dialectOf } from '../../../gateway/rest/interpreter/dialects.js';
import type { Json } from '../platform.js';

/** ISO 8601 in UTC. */
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/;

/** Valid labels: any text of 1 to 100 characters. */
export const ANY_TEXT = [
  'Web',
  'My first VM (prod)',
  ' ',
  '日本 👩‍💻',
  '$(reboot) `id` "; rm -rf / #',
  'a: b #- c',
  'x'.repeat(100),
  '👍'.repeat(100),
];

/** Matches an error response in the format of the API of the path. @param target method and path */
export function refusalAt(target: string, word: unknown = expect.any(String)): object {
  const message = expect.stringMatching(/\S/);
  return dialectOf(target.split(' ')[1] ?? '') === PLATFORM_DIALECT
    ? { error: message }
    : { Error: { error: word, message } };
}

/** Matches a response with 400; create-payment adds recommendations. */
export function badRequestAt(target: string, word?: unknown): object {
  const refusal = refusalAt(target, word);
  return target.includes('/create-payment/') ? { ...refusal, recommendation: expect.stringMatching(/\S/) } : refusal;
}

/** Returns the sorted field names. */
export function fieldsOf(record: object): string[] {
  return Object.keys(record).toSorted();
}

/** Sorts records by a field, ascending (1) or descending (-1), null last, then by id. */
export function orderedBy(records: readonly Json[], field: string, way: 1 | -1): Json[] {
  const compare = (a: Json, b: Json) => (a === b ? 0 : a < b ? -1 : 1);
  return records.toSorted((a, b) => {
    if ((a[field] === null) !== (b[field] === null)) return a[field] === null ? 1 : -1;
    return way * compare(a[field], b[field]) || compare(a.id, b.id);
  });
}

/** Counts the replies by status. */
export function tally(replies: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Runs the work twenty times at once. */
export function twentyAtOnce<Result>(work: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: 20 }, work));
}

/** Returns the first 16 hex digits of the SHA-256 of a label, as clients compute them. */
export async function folderHash(label: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(label));
  return Buffer.from(digest).toString('hex').slice(0, 16);
}
