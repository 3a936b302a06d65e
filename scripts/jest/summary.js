import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The name of a test that stands for those that need a program which is not installed. */
const STANDS_IN = /(?:is|are) not tried without (\w+)$/;

/** Lines of the message of a failed test. */
const MESSAGE_LINES = 12;

/** Returns the lines at the end of a run from jest's report: how many tests, which failed, and what did not run. */
export function summaryOf(report, root) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = report;
  const counts = `tests: ${numPassedTests} passed, ${numFailedTests} failed`;
  return [counts, ...testResults.flatMap((suite) => failuresOf(suite, root)), ...suitesNotRun(testResults, root)];
}

/** A suite that fails outside its tests, such as in a hook of the file, has no failed test. */
function failuresOf({ name, status, message, assertionResults = [] }, root) {
  const suite = path.relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length > 0)
    return failed.flatMap(({ fullName, failureMessages }) => [
      `FAILED: ${suite}: ${fullName}`,
      ...startOf(failureMessages?.join('\n')),
    ]);
  return status === 'failed' ? [`FAILED: ${suite}`, ...startOf(message)] : [];
}

/** The first lines of a message, for readers who have only the end of the output. */
function startOf(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, MESSAGE_LINES)
    .map((line) => `  ${line}`);
}

/** Which suites did not run, or only in part, because a program is missing: a line for each program. */
function suitesNotRun(testResults, root) {
  const suites = new Map();
  for (const { name, assertionResults = [] } of testResults)
    for (const { title } of assertionResults) {
      const program = STANDS_IN.exec(title)?.[1];
      if (program !== undefined) suites.set(program, (suites.get(program) ?? new Set()).add(path.relative(root, name)));
    }
  return [...suites].map(([program, names]) => {
    const count = `${names.size} ${names.size === 1 ? 'suite' : 'suites'}`;
    return `NOT RUN: the tests of ${count} that need ${program}, which is not installed: ${[...names].join(', ')}`;
  });
}
