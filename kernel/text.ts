/** Whether PostgreSQL and UTF-8 can keep this text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** What is told of a text that is not. */
export const UNSTORABLE = 'A text must not hold U+0000 or half of a surrogate pair.';

/** Whether every text within a JSON value can be kept. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isStorableJson);
}
