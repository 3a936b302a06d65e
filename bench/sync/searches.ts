import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { searchFiles } from '../../subgraphs/sync/search/search.actions.js';
import type { Cleanup } from '../cleanup.js';
import { percentile } from '../statistics.js';
import { casesOf, type Case } from './cases.js';
import { fillFiles, scaleOf } from './dataset.js';
import { searchNaively } from './naive.js';

const OWNER = 'the owner whose files are searched';
/** Runs per search, within TIME_LIMIT_MS, after one warm-up run. */
const MAX_RUNS = 100;
const MAX_NAIVE_RUNS = 5;
const TIME_LIMIT_MS = 1_000;

/** The data need not survive a crash. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', autovacuum: 'off' };

/** Latency of one search without its warm-up run. */
export interface SearchFigures {
  readonly name: string;
  /** Matching files. */
  readonly matches: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly naiveP50Ms: number;
  readonly naiveP99Ms: number;
  /** `naiveP50Ms` divided by `p50Ms`. */
  readonly ratio: number;
}

/** Measures searches of an owner with up to a million files, in a table with this many rows. Checks the count of the naive query. */
export async function measureSearches(
  cleanup: Cleanup,
  rows: number,
  print: (text: string) => void,
): Promise<SearchFigures[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS });
  cleanup.add(() => postgres.stop());
  const database = await openDatabase({ url: postgres.url, schema: 'sync', log: openLog('warn', 'bench') });
  cleanup.add(() => database.close());
  const startMs = performance.now();
  await fillFiles(postgres.url, OWNER, scaleOf(rows));
  print(`${rows} rows made in ${Math.round((performance.now() - startMs) / 1000)} s`);
  const figures: SearchFigures[] = [];
  for (const each of casesOf(OWNER)) figures.push(await measureCase(database, each));
  return figures;
}

async function measureCase(database: Database, { name, search }: Case): Promise<SearchFigures> {
  const ours = await timed(MAX_RUNS, () => searchFiles(database, search));
  const naive = await timed(MAX_NAIVE_RUNS, () => searchNaively(database, search));
  const matches = ours.result.totalCount;
  if (matches !== naive.result.totalCount)
    throw new Error(`${name}: ${matches} matches, ${naive.result.totalCount} naively`);
  const [p50Ms, naiveP50Ms] = [percentile(ours.ms, 0.5), percentile(naive.ms, 0.5)];
  return {
    name,
    matches,
    p50Ms,
    p99Ms: percentile(ours.ms, 0.99),
    naiveP50Ms,
    naiveP99Ms: percentile(naive.ms, 0.99),
    ratio: naiveP50Ms / p50Ms,
  };
}

async function timed<Result>(
  times: number,
  work: () => Promise<Result>,
): Promise<{ readonly ms: readonly number[]; readonly result: Result }> {
  const firstStartMs = performance.now();
  let result = await work();
  const ms: number[] = [];
  while (ms.length === 0 || (ms.length < times && performance.now() - firstStartMs < TIME_LIMIT_MS)) {
    const startMs = performance.now();
    result = await work();
    ms.push(performance.now() - startMs);
  }
  return { ms, result };
}
