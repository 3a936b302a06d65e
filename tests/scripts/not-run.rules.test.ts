import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../kernel/package-root.js';

/** The lines at the end of a run with these suites, each with the names of its tests. */
function linesAfter(suites: Readonly<Record<string, readonly string[]>>): unknown {
  const testResults = Object.entries(suites).map(([name, titles]) => ({
    name,
    assertionResults: titles.map((title) => ({ title })),
  }));
  const script = `const { suitesNotRun } = await import('./scripts/jest/not-run.js');
    console.log(JSON.stringify(suitesNotRun(${JSON.stringify({ testResults })})));`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot(), encoding: 'utf8' }));
}

it('the end of a run counts the suites that did not run for want of a program', () => {
  const chromium = 'is not tried without Chromium';
  const lines = linesAfter({
    'pages.browser.test.ts': [chromium, chromium],
    'billing.browser.test.ts': [chromium],
    'prometheus.rest.test.ts': ['are valid', 'are not tried without promtool'],
    'graph.rest.test.ts': ['is not tried again at once'],
  });
  expect(lines).toEqual([
    'NOT RUN: the tests of 2 suites that need Chromium, which is not installed',
    'NOT RUN: the tests of 1 suite that need promtool, which is not installed',
  ]);
});

it('the end of a run says nothing where all programs are', () => {
  expect(linesAfter({ 'graph.rest.test.ts': ['has groups'] })).toEqual([]);
});
