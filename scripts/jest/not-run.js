/** The name of a test that stands for those that need a program which is not installed. */
const STANDS_IN = /(?:is|are) not tried without (\w+)$/;

/** Says which suites of a report of jest did not run, or only in part, because a program is missing. Returns a line for each program. */
export function suitesNotRun({ testResults = [] }) {
  const suites = new Map();
  for (const { name, assertionResults = [] } of testResults)
    for (const { title } of assertionResults) {
      const program = STANDS_IN.exec(title)?.[1];
      if (program !== undefined) suites.set(program, (suites.get(program) ?? new Set()).add(name));
    }
  return [...suites].map(([program, { size }]) => {
    return `NOT RUN: the tests of ${size} ${size === 1 ? 'suite' : 'suites'} that need ${program}, which is not installed`;
  });
}
