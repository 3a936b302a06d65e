import { Cleanup } from '../cleanup.js';
import { KILLS, runKills } from './kills.js';
import { runDisk, runStore } from './stores.js';
import type { FaultResult } from './fault-result.js';

/**
 * `npm run bench:sync-faults [rounds]`: uploads with faults: kill -9, a full or read-only disk, an S3 store that cuts connections
 * or refuses. Runs ten rounds of each by default. Prints a table and exits 1 when acknowledged data was lost.
 */
const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

const rounds = Math.max(1, Number(process.argv[2] ?? 10) || 10);
const print = (cells: readonly (string | number)[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

let isExact = true;
function report({ kind, files, acknowledged, lost, forgottenChunks, unreadable, ...result }: FaultResult): void {
  isExact &&= lost + forgottenChunks + unreadable === 0;
  print([kind, result.rounds, files, acknowledged, lost, forgottenChunks, unreadable]);
}

try {
  print(['kind', 'rounds', 'files', 'acknowledged', 'lost', 'chunks forgotten', 'listed but unreadable']);
  print(['---', '---', '---', '---', '---', '---', '---']);
  for (const kind of KILLS) report(await runKills(cleanup, kind, rounds));
  for (const kind of ['disk full', 'disk read-only'] as const) report(await runDisk(cleanup, kind, rounds));
  report(await runStore(cleanup, 'store cut', 'cut', rounds));
  report(await runStore(cleanup, 'store answers 503', 503, rounds));
  process.exitCode = isExact ? 0 : 1;
} finally {
  await cleanup.run();
}
