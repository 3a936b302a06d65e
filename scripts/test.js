// npm test: installs what is missing, builds, runs every check, then the tests that find most in five minutes.
// npm run test:all (`--all`): everything, the overlay too. Arguments go to jest, which then runs alone.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.js';
import { setup } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const CODE = ['gateway', 'kernel', 'subgraphs', 'bench'];

/**
 * Each is a program of node_modules with its arguments; those of one list run one after the other, the lists side by
 * side. Two keep what they found in dist/, and look only at what has changed the next time.
 */
const CHECKS = [
  [
    {
      name: 'types',
      program: 'typescript/bin/tsc',
      words: ['--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/.types.json'],
    },
    { name: 'dead code', program: 'knip/bin/knip.js', words: ['--no-progress'] },
  ],
  [
    {
      name: 'format',
      program: 'prettier/bin/prettier.cjs',
      words: ['--check', '--cache', '--cache-location', 'dist/.format.json', '--log-level', 'warn', '.'],
    },
    { name: 'lint', program: 'oxlint/bin/oxlint', words: ['--type-aware', ...CODE, 'tests', 'scripts', 'dashboard'] },
    {
      name: 'boundaries',
      program: 'dependency-cruiser/bin/dependency-cruiser.mjs',
      words: ['--config', '.dependency-cruiser.cjs', ...CODE],
    },
    { name: 'schema', program: undefined, words: [path.join(root, 'scripts/check-schema.js')] },
  ],
];

const isAll = process.argv[2] === '--all';
const words = process.argv.slice(isAll ? 3 : 2);
const isChosen = words.length > 0;

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
const checksPassed = isChosen || (await timed('checks', runChecks));
const { haveTestsPassed, counts } = await timed('tests', runTests);
const overlayPassed = isStopped || isChosen || !isAll || (await timed('overlay', runOverlay));
console.log(counts);
process.exit(!isStopped && checksPassed && haveTestsPassed && overlayPassed ? 0 : 1);

async function runChecks() {
  const results = await Promise.all(
    CHECKS.map(async (checks) => {
      const passed = [];
      for (const check of checks) passed.push(await runCheck(check));
      return passed;
    }),
  );
  return results.flat().every(Boolean);
}

async function runCheck({ name, program, words: given }) {
  const startMs = performance.now();
  const command = program === undefined ? given : [path.join(root, 'node_modules', program), ...given];
  const { code, output } = await run(command, { stdout: 'pipe', stderr: 'pipe' });
  console.log(`${name} ${code === 0 ? 'ok' : 'FAILED'}, ${Math.round(performance.now() - startMs)} ms`);
  if (code !== 0) console.log(output);
  return code === 0;
}

/** Whether all passed, and the line for the end of the output. */
async function runTests() {
  const folder = await mkdtemp(path.join(tmpdir(), 'archipelago-test-'));
  const report = path.join(folder, 'report.json');
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const command = ['--experimental-vm-modules', '--no-warnings', jest, '--json', `--outputFile=${report}`, ...words];
  // Jest reports on standard error; on standard output it only says where its JSON is.
  const { code } = await run(command, { stdout: 'ignore', stderr: 'inherit' });
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  await rm(folder, { recursive: true, force: true });
  return { haveTestsPassed: code === 0, counts: `tests: ${numPassedTests} passed, ${numFailedTests} failed` };
}

/** Runs Node 24 with these words; the output of pipes is kept for the caller. */
function run(command, { stdout, stderr }) {
  return new Promise((resolve) => {
    const child = spawn(node, command, {
      cwd: root,
      stdio: ['ignore', stdout, stderr],
      env: {
        ...process.env,
        TEST_COMMAND: isAll ? 'all' : isChosen ? 'chosen' : 'quick',
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      },
    });
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

async function runOverlay() {
  const { code } = await run([path.join(root, 'dist/tests/overlay/overlay.js')], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  return code === 0;
}

async function timed(name, work) {
  const startMs = performance.now();
  const result = await work();
  console.log(`${name} ${Math.round(performance.now() - startMs)} ms`);
  return result;
}
