import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Ends } from '../ends.js';
import { tableOf } from '../figures.js';
import { measureFinalize, type FinalizeFigures } from './finalize.js';
import { measureHashing, type HashingFigures } from './hashing.js';
import { measureSearches, type SearchFigures } from './searches.js';
import { measureUploads, type UploadFigures } from './uploads.js';

/**
 * `npm run bench:sync`: chunks against a bare server and against the tus server, a finalize against one pass of BLAKE3,
 * memory, ways of BLAKE3 against the native one, and searches against the naive query; the last line is the outcome as JSON.
 * `-- --rows 10000000` searches in more files, `--mib 64` uploads less, `--only uploads`, `finalize`, `hashing` or `searches`
 * leaves out the rest.
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

const ends = new Ends();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.once(signal, () => void ends.run().finally(() => process.exit(1)));

function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}

function tellUploads(figures: readonly UploadFigures[]): void {
  const rows = figures.map(({ server, writers, mibPerSecond, platformRatio, peakMib }) => [
    server,
    `${writers}`,
    mibPerSecond.toFixed(0),
    platformRatio.toFixed(2),
    peakMib?.toFixed(0) ?? '?',
  ]);
  tell(tableOf(['chunks of 16 MiB', 'at once', 'MiB/s', 'platform / it', 'peak MiB above idle'], rows));
}

function tellFinalize(figures: readonly FinalizeFigures[]): void {
  const rows = figures.map(({ chunkBytes, fileBytes, finalizeMs, passMs, ratio }) => [
    `${(fileBytes / MIB).toFixed(0)} MiB in chunks of ${chunkBytes}`,
    finalizeMs.toFixed(0),
    passMs.toFixed(0),
    ratio.toFixed(2),
  ]);
  tell(tableOf(['finalize', 'ms', 'one BLAKE3 pass, ms', 'pass / finalize'], rows));
}

function tellHashing(figures: readonly HashingFigures[]): void {
  const rows = figures.map(({ way, mbPerSecond, ratio }) => [way, mbPerSecond.toFixed(0), ratio.toFixed(2)]);
  tell(tableOf(['BLAKE3', 'MB/s', 'of native'], rows));
}

function tellSearches(figures: readonly SearchFigures[]): void {
  const rows = figures.map(({ name, matches, ...ms }) => [
    name,
    `${matches}`,
    ...[ms.p50Ms, ms.p99Ms, ms.naiveP50Ms, ms.naiveP99Ms, ms.ratio].map((figure) => figure.toFixed(1)),
  ]);
  tell(tableOf(['search', 'matches', 'p50 ms', 'p99 ms', 'naive p50', 'naive p99', 'times as fast'], rows));
}

async function run<Figures>(
  part: string,
  measure: () => Promise<Figures[]>,
  show: (figures: readonly Figures[]) => void,
): Promise<readonly Figures[] | undefined> {
  if (values.only !== undefined && values.only !== part) return undefined;
  const figures = await measure();
  await ends.run();
  show(figures);
  return figures;
}

try {
  const chunks = Math.max(1, Math.floor(mib / 32));
  const few = await run('uploads', () => measureUploads(ends, { writers: 4, chunks }), tellUploads);
  const many = await run('uploads', () => measureUploads(ends, { writers: 16, chunks }), tellUploads);
  const finalize = await run('finalize', () => measureFinalize(ends, mib * MIB), tellFinalize);
  const hashing = await run('hashing', () => measureHashing(Math.min(mib, 64) * MIB), tellHashing);
  const searches = await run('searches', () => measureSearches(ends, Number(values.rows), tell), tellSearches);
  tell(JSON.stringify({ uploads: [...(few ?? []), ...(many ?? [])], finalize, hashing, searches }));
} finally {
  await ends.run();
}
