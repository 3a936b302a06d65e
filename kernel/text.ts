/** Whether PostgreSQL and UTF-8 can keep this text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}
