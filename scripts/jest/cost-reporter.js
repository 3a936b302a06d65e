import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BUDGETS } from './budgets.js';
import { cpuSeconds as cpuSecondsOfAll, cpuSecondsOfChildren } from './cpu.js';

const SLOWEST = 10;
const SERVERS = 'shared servers';

/** Prints the tests, CPU seconds and budget of each folder, and the slowest suites. Writes those of all suites to artefacts/. */
export default class CostReporter {
  suites = [];

  constructor({ rootDir }, { budget }) {
    this.rootDir = rootDir;
    this.budget = BUDGETS[budget] ?? {};
  }

  onTestResult({ path: file, context }, { cpuSeconds = 0, perfStats, numPassingTests, numFailingTests }) {
    const name = path.relative(this.rootDir, file);
    const label = context.config.displayName?.name ?? '';
    const [wallSeconds, tests] = [perfStats.runtime / 1000, numPassingTests + numFailingTests];
    this.suites.push({
      folder: name.split('/', 2).join('/'),
      name: `${name} (${label})`,
      cpuSeconds,
      wallSeconds,
      tests,
    });
  }

  onRunComplete() {
    const folders = Map.groupBy(this.suites, ({ folder }) => folder);
    const rows = [...folders].map(([name, suites]) => [
      name,
      sum(suites, ({ tests }) => tests),
      sum(suites, ({ cpuSeconds }) => cpuSeconds),
    ]);
    rows.sort(([a], [b]) => a.localeCompare(b));
    rows.push([SERVERS, '', cpuSecondsOfChildren()]);
    rows.push(['all', sum(this.suites, ({ tests }) => tests), cpuSecondsOfAll()]);
    print(
      ['folder', 'tests', 'CPU s', 'budget'],
      rows.map((row) => this.withBudget(row)),
    );
    mkdirSync(path.join(this.rootDir, 'artefacts'), { recursive: true });
    const costs = this.suites.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
    writeFileSync(path.join(this.rootDir, 'artefacts/test-costs.json'), JSON.stringify(costs, undefined, 1));
    const slowest = this.suites.toSorted((a, b) => b.wallSeconds - a.wallSeconds).slice(0, SLOWEST);
    print(
      ['slowest suites', 'tests', 'CPU s', 'wall s'],
      slowest.map((suite) => [suite.name, suite.tests, suite.cpuSeconds.toFixed(1), suite.wallSeconds.toFixed(1)]),
    );
  }

  withBudget([name, tests, cpuSeconds]) {
    const budget = this.budget[name];
    const verdict = budget !== undefined && cpuSeconds > budget ? `${budget} EXCEEDED` : (budget ?? '');
    return [name, tests, cpuSeconds.toFixed(0), verdict];
  }
}

function sum(suites, valueOf) {
  return suites.reduce((total, suite) => total + valueOf(suite), 0);
}

/** Prints a table. The first column is aligned left, the others right. */
function print(head, rows) {
  const table = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  process.stderr.write(`\n${table.map(line).join('\n')}\n`);
}
