import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../kernel/package-root.js';

interface Suite {
  readonly name: string;
  readonly status?: 'passed' | 'failed';
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly title: string;
    readonly fullName?: string;
    readonly status?: 'passed' | 'failed';
    readonly failureMessages?: readonly string[];
  }[];
}

/** The lines at the end of a run with these suites. */
function linesAfter(...testResults: readonly Suite[]): unknown {
  const report = { numPassedTests: 4, numFailedTests: 1, testResults };
  const script = `const { summaryOf } = await import('./scripts/jest/summary.js');
    console.log(JSON.stringify(summaryOf(${JSON.stringify(report)}, '/work')));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot(), encoding: 'utf8' }));
}

const COUNTS = 'tests: 4 passed, 1 failed';

it('the end of a run names the suites that did not run for want of a program', () => {
  const chromium = { title: 'is not tried without Chromium' };
  const lines = linesAfter(
    { name: '/work/tests/pages.browser.test.ts', assertionResults: [chromium, chromium] },
    { name: '/work/tests/billing.browser.test.ts', assertionResults: [chromium] },
    {
      name: '/work/tests/prometheus.rest.test.ts',
      assertionResults: [{ title: 'are valid' }, { title: 'are not tried without promtool' }],
    },
    { name: 'graph.rest.test.ts', assertionResults: [{ title: 'is not tried again at once' }] },
  );
  expect(lines).toEqual([
    COUNTS,
    'NOT RUN: the tests of 2 suites that need Chromium, which is not installed: tests/pages.browser.test.ts, tests/billing.browser.test.ts',
    'NOT RUN: the tests of 1 suite that need promtool, which is not installed: tests/prometheus.rest.test.ts',
  ]);
});

it('the end of a run names the failed tests, and suites that failed outside of their tests', () => {
  const lines = linesAfter(
    {
      name: '/work/tests/a.rest.test.ts',
      status: 'failed',
      assertionResults: [
        { title: 'has groups', fullName: 'the graph has groups', status: 'failed' },
        { title: 'has peers', fullName: 'the graph has peers', status: 'passed' },
      ],
    },
    { name: '/work/tests/b.rest.test.ts', status: 'failed', assertionResults: [] },
  );
  expect(lines).toEqual([COUNTS, 'FAILED: tests/a.rest.test.ts: the graph has groups', 'FAILED: tests/b.rest.test.ts']);
});

it('the end of a run repeats how the message of each failure begins', () => {
  const message = `\u001b[31mreceived false\u001b[39m\n\n${'    at line\n'.repeat(20)}`;
  const failed = { title: 'has groups', fullName: 'has groups', status: 'failed', failureMessages: [message] } as const;
  const lines = linesAfter(
    { name: '/work/tests/a.rest.test.ts', status: 'failed', assertionResults: [failed] },
    { name: '/work/tests/b.rest.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
  );
  expect(lines).toEqual([
    COUNTS,
    'FAILED: tests/a.rest.test.ts: has groups',
    '  received false',
    ...Array.from({ length: 11 }, () => '      at line'),
    'FAILED: tests/b.rest.test.ts',
    '  no such file',
  ]);
});

it('the end of a run names nothing where all tests ran and passed', () => {
  expect(
    linesAfter({ name: 'graph.rest.test.ts', status: 'passed', assertionResults: [{ title: 'has groups' }] }),
  ).toEqual([COUNTS]);
});
