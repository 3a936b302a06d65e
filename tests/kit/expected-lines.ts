/** Where a suite keeps the lines that it means to write to standard error. */
export const EXPECTED = 'expectedLines';

/** Tells whoever runs the suite something that is no fault, e.g. why a part of it cannot be tried here. */
export function sayExpected(line: string): void {
  const kept = globalThis as { [EXPECTED]?: string[] };
  (kept[EXPECTED] ??= []).push(line);
  process.stderr.write(`${line}\n`);
}
