import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, buildCommandLine } from './build.js';
import { isNewEnough, setup } from './setup.js';

const ENTRIES = {
  start: 'bundle/platform.js',
  gateway: 'bundle/router.js',
  subgraph: 'bundle/subgraph.js',
  schema: 'gateway/entrypoints/write-schema.js',
  sdk: '../scripts/sdk.js',
  cli: 'bundle/cli.js',
  'test:cluster': 'tests/cluster/cluster.js',
  'test:overlay': 'tests/overlay/overlay.js',
  'test:audit': 'tests/kit/federation/audit.js',
  lighthouse: 'subgraphs/network/drivers/lighthouse/lighthouse.js',
  bench: 'bench/bench.js',
  'bench:money': 'bench/money/money.js',
  'bench:sync-faults': 'bench/sync-faults/sync-faults.js',
  backup: 'bundle/backup.js',
  restore: 'bundle/restore.js',
  migrate: 'bundle/migrate.js',
  'secrets:reseal': 'bundle/reseal.js',
  'ledger:prove': 'bundle/prove.js',
};

const root = fileURLToPath(new URL('..', import.meta.url));
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox'];
const PREPARED_VARIABLE = 'ARCHIPELAGO_PREPARED';

await main(process.argv.slice(2));

async function main([name, ...args]) {
  if (!Object.hasOwn(ENTRIES, name ?? '')) {
    console.error(`usage: node scripts/run.js ${Object.keys(ENTRIES).join('|')} [arguments]`);
    process.exit(1);
  }
  if (process.env[PREPARED_VARIABLE] && process.channel) {
    delete process.env[PREPARED_VARIABLE];
    stopWithParent();
    return runHere(name, args);
  }
  if (process.env.npm_lifecycle_event) stopWithNpm();
  process.env.ARCHIPELAGO_STARTED_MS = String(performance.timeOrigin);
  const node = await setup();
  // New operations do not fit the schema before it is written.
  const built = name === 'cli' ? buildCommandLine() : build({ withPlans: name !== 'schema' });
  await built.catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  return isNewEnough(process.version) ? runHere(name, args) : runWithNode(node, [name, ...args]);
}

/** Runs the entry in this process. Node caches compiled code in dist, so that later starts are faster. */
async function runHere(name, args) {
  module.enableCompileCache(path.join(root, 'dist', '.compiled'));
  const file = path.join(root, 'dist', ENTRIES[name]);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** Runs this script again with a newer Node. Forwards signals to it and exits with its status. */
function runWithNode(node, args) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [PREPARED_VARIABLE]: '1' },
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forward);
  child.on('exit', (code, signal) => {
    for (const name of SIGNALS) process.off(name, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
}

/** Stops when the parent of `runWithNode` dies: its IPC channel then closes, also after kill -9. */
function stopWithParent() {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/** Stops when npm dies, or the shell that may run between npm and this process: no signal would arrive then. */
function stopWithNpm() {
  const shell = process.ppid;
  const npm = SHELLS.includes(readStatus(shell).name) ? readStatus(shell).parent : undefined;
  const isOrphan = () => process.ppid !== shell || (npm !== undefined && readStatus(shell).parent !== npm);
  const timer = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

function readStatus(pid) {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent };
  } catch {
    return {};
  }
}
