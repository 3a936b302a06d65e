/** Global variable with the lines that a suite may write to standard error. */
export const EXPECTED = 'expectedLines';

/** Prints an expected line to standard error, e.g. why a test cannot run here. */
export function sayExpected(line: string): void {
  const kept = globalThis as { [EXPECTED]?: string[] };
  (kept[EXPECTED] ??= []).push(line);
  process.stderr.write(`${line}\n`);
}
