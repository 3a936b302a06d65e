import { Ends } from '../ends.js';
import { KILLS, runKills } from './kills.js';
import { runDisk, runStore } from './stores.js';
import type { Tally } from './tally.js';

/**
 * `npm run bench:sync-faults [rounds]`: uploads disturbed by kill -9, by a disk that is full or read-only and by an S3 store that is
 * cut off or refuses; ten rounds of each unless said otherwise. Prints a table and exits 1 where anything acknowledged was lost.
 */
const ends = new Ends();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void ends.run().finally(() => process.exit(1)));

const rounds = Math.max(1, Number(process.argv[2] ?? 10) || 10);
const tell = (cells: readonly (string | number)[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

let isExact = true;
function report({ kind, files, acknowledged, lost, forgottenChunks, unreadable, ...tally }: Tally): void {
  isExact &&= lost + forgottenChunks + unreadable === 0;
  tell([kind, tally.rounds, files, acknowledged, lost, forgottenChunks, unreadable]);
}

try {
  tell(['kind', 'rounds', 'files', 'acknowledged', 'lost', 'chunks forgotten', 'listed but unreadable']);
  tell(['---', '---', '---', '---', '---', '---', '---']);
  for (const kind of KILLS) report(await runKills(ends, kind, rounds));
  for (const kind of ['disk full', 'disk read-only'] as const) report(await runDisk(ends, kind, rounds));
  report(await runStore(ends, 'store cut', 'cut', rounds));
  report(await runStore(ends, 'store answers 503', 503, rounds));
  process.exitCode = isExact ? 0 : 1;
} finally {
  await ends.run();
}
