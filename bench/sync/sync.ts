import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Cleanup } from '../cleanup.js';
import { tableOf } from '../statistics.js';
import { measureFinalize, type FinalizeFigures } from './finalize.js';
import { measureHashing, type HashingFigures } from './hashing.js';
import { measureSearches, type SearchFigures } from './searches.js';
import { measureUploads, type UploadFigures } from './uploads.js';

/**
 * `npm run bench:sync`: compares uploads with a bare server and the tus server, finalize with one BLAKE3 pass, BLAKE3
 * implementations with the native one, and searches with a naive query. The last line is the result as JSON.
 * `-- --rows 10000000` searches in more files, `--mib 64` uploads less, `--only uploads`, `finalize`, `hashing` or
 * `searches` runs only that part.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    mib: { type: 'string', default: '1024' },
    only: { type: 'string' },
  },
});
const MIB = 1024 * 1024;
const mib = Number(values.mib);

const cleanup = new Cleanup();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printUploads(figures: readonly UploadFigures[]): void {
  const rows = figures.map(({ server, writers, mibPerSecond, platformRatio, peakMib }) => [
    server,
    `${writers}`,
    mibPerSecond.toFixed(0),
    platformRatio.toFixed(2),
    peakMib?.toFixed(0) ?? '?',
  ]);
  print(tableOf(['chunks of 16 MiB', 'at once', 'MiB/s', 'platform / it', 'peak MiB above idle'], rows));
}

function printFinalize(figures: readonly FinalizeFigures[]): void {
  const rows = figures.map(({ chunkBytes, fileBytes, finalizeMs, passMs, ratio }) => [
    `${(fileBytes / MIB).toFixed(0)} MiB in chunks of ${chunkBytes}`,
    finalizeMs.toFixed(0),
    passMs.toFixed(0),
    ratio.toFixed(2),
  ]);
  print(tableOf(['finalize', 'ms', 'one BLAKE3 pass, ms', 'pass / finalize'], rows));
}

function printHashing(figures: readonly HashingFigures[]): void {
  const rows = figures.map(({ way, mbPerSecond, ratio }) => [way, mbPerSecond.toFixed(0), ratio.toFixed(2)]);
  print(tableOf(['BLAKE3', 'MB/s', 'of native'], rows));
}

function printSearches(figures: readonly SearchFigures[]): void {
  const rows = figures.map(({ name, matches, ...ms }) => [
    name,
    `${matches}`,
    ...[ms.p50Ms, ms.p99Ms, ms.naiveP50Ms, ms.naiveP99Ms, ms.ratio].map((figure) => figure.toFixed(1)),
  ]);
  print(tableOf(['search', 'matches', 'p50 ms', 'p99 ms', 'naive p50', 'naive p99', 'times as fast'], rows));
}

async function run<Figures>(
  part: string,
  measure: () => Promise<Figures[]>,
  show: (figures: readonly Figures[]) => void,
): Promise<readonly Figures[] | undefined> {
  if (values.only !== undefined && values.only !== part) return undefined;
  const figures = await measure();
  await cleanup.run();
  show(figures);
  return figures;
}

try {
  const chunks = Math.max(1, Math.floor(mib / 32));
  const few = await run('uploads', () => measureUploads(cleanup, { writers: 4, chunks }), printUploads);
  const many = await run('uploads', () => measureUploads(cleanup, { writers: 16, chunks }), printUploads);
  const finalize = await run('finalize', () => measureFinalize(cleanup, mib * MIB), printFinalize);
  const hashing = await run('hashing', () => measureHashing(Math.min(mib, 64) * MIB), printHashing);
  const searches = await run('searches', () => measureSearches(cleanup, Number(values.rows), print), printSearches);
  print(JSON.stringify({ uploads: [...(few ?? []), ...(many ?? [])], finalize, hashing, searches }));
} finally {
  await cleanup.run();
}
