// npm test: installs packages, builds, runs all checks, then the quick tests (five minutes).
// npm run test:all (`--all`): runs all tests, and beside them the checks and the overlay. With arguments, runs only jest with these arguments.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.js';
import { summaryOf } from './jest/summary.js';
import { setup } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const CODE = ['gateway', 'kernel', 'subgraphs', 'sdk', 'cli', 'bench', 'scripts', 'dashboard'];

/**
 * Programs of node_modules with their arguments. The checks of one list run one after the other, the lists run in parallel.
 * Two checks cache their results in dist/.
 */
const CHECKS = [
  [
    {
      name: 'types',
      program: 'typescript/bin/tsc',
      args: ['--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/.types.json'],
    },
    {
      name: 'types of the dashboard',
      program: 'typescript/bin/tsc',
      args: ['-p', 'dashboard', '--incremental', '--tsBuildInfoFile', 'dist/.dashboard-types.json'],
    },
    { name: 'dead code', program: 'knip/bin/knip.js', args: ['--no-progress'] },
  ],
  [
    {
      name: 'format',
      program: 'prettier/bin/prettier.cjs',
      args: ['--check', '--cache', '--cache-location', 'dist/.format.json', '--log-level', 'warn', '.'],
    },
    { name: 'lint', program: 'oxlint/bin/oxlint', args: ['--type-aware', ...CODE, 'tests'] },
    {
      name: 'boundaries',
      program: 'dependency-cruiser/bin/dependency-cruiser.mjs',
      args: ['--config', '.dependency-cruiser.cjs', ...CODE],
    },
    { name: 'schema', program: undefined, args: [path.join(root, 'scripts/check-schema.js')] },
    { name: 'sdk', program: undefined, args: [path.join(root, 'scripts/sdk.js'), '--check'] },
  ],
];

const isAll = process.argv[2] === '--all';
const args = process.argv.slice(isAll ? 3 : 2);
const hasPaths = args.length > 0;

const running = new Set();
let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  });
}

const node = await setup();
await timed('build', build);
const checking = hasPaths ? [] : timed('checks', runChecks);
if (!isAll) await checking;
// The overlay waits for packets most of its time.
const overlay = isStopped || hasPaths || !isAll ? { code: 0, output: '' } : timed('overlay', runOverlay);
const { testsPassed, summary } = await timed('tests', runTests);
const failedChecks = await checking;
const { code: overlayCode, output: overlayOutput } = await overlay;
console.log([overlayOutput, ...failedChecks.map((name) => `FAILED: ${name}, see above`), summary].join('\n'));
process.exit(!isStopped && failedChecks.length === 0 && testsPassed && overlayCode === 0 ? 0 : 1);

/** Returns the names of those that failed. */
async function runChecks() {
  const results = await Promise.all(
    CHECKS.map(async (checks) => {
      const failed = [];
      for (const check of checks) if (!(await passes(check))) failed.push(check.name);
      return failed;
    }),
  );
  return results.flat();
}

async function passes({ name, program, args: checkArgs }) {
  const startMs = performance.now();
  const command = program === undefined ? checkArgs : [path.join(root, 'node_modules', program), ...checkArgs];
  const { code, output } = await run(command, {
    stdout: 'pipe',
    stderr: 'pipe',
    // Beside the tests.
    isLow: isAll,
  });
  console.log(`${name} ${code === 0 ? 'ok' : 'FAILED'}, ${Math.round(performance.now() - startMs)} ms`);
  if (code !== 0) console.log(output);
  return code === 0;
}

/** Runs jest. Returns whether all tests passed, and the lines for the end. */
async function runTests() {
  const folder = await mkdtemp(path.join(tmpdir(), 'archipelago-test-'));
  const report = path.join(folder, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const command = ['--experimental-vm-modules', '--no-warnings', jest, '--json', `--outputFile=${report}`, ...args];
  // Jest reports on standard error; its standard output contains only the path of the JSON report.
  const { code } = await run(command, { stdout: 'ignore', stderr: 'inherit' });
  const results = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  await rm(folder, { recursive: true, force: true });
  return { testsPassed: code === 0, summary: summaryOf(results, root).join('\n') };
}

/** Runs Node with these arguments, at a low priority if `isLow`. Returns the output of piped streams. */
function run(command, { stdout, stderr, isLow = false }) {
  return new Promise((resolve) => {
    const child = spawn(node, command, {
      cwd: root,
      stdio: ['ignore', stdout, stderr],
      env: {
        ...process.env,
        TEST_COMMAND: isAll ? 'all' : hasPaths ? 'chosen' : 'quick',
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      },
    });
    if (isLow && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    running.add(child);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

function runOverlay() {
  return run([path.join(root, 'dist/tests/overlay/overlay.js'), 'untimed'], { stdout: 'pipe', stderr: 'pipe' });
}

async function timed(name, work) {
  const startMs = performance.now();
  const result = await work();
  console.log(`${name} ${Math.round(performance.now() - startMs)} ms`);
  return result;
}
