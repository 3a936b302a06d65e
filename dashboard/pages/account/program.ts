/** Browsers by a word of their User-Agent header; a browser also has the words of those below it. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** The program of a User-Agent header in words, e.g. "Firefox on Linux". */
export function programOf(userAgent: string | null): string {
  if (userAgent === null) return 'A program';
  const browser = BROWSERS.find(([word]) => userAgent.includes(`${word}/`))?.[1] ?? userAgent.split(/[ /]/)[0] ?? '';
  const system = SYSTEMS.find(([word]) => userAgent.includes(word))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
