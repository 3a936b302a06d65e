import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { searchFiles } from '../../subgraphs/sync/search/search.actions.js';
import type { Ends } from '../ends.js';
import { percentile } from '../figures.js';
import { casesOf, type Case } from './cases.js';
import { fillFiles, scaleOf } from './dataset.js';
import { searchNaively } from './naive.js';

const OWNER = 'the owner whose files are searched';
/** Searches of one kind: so many, or as many as there is time for, but one more than the first. */
const TIMES = 100;
const NAIVE_TIMES = 5;
const LIMIT_MS = 1_000;

/** Nothing of it has to outlive the bench. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', autovacuum: 'off' };

/** How long searches of one kind took; the first, which warms up, is left out. */
export interface SearchFigures {
  readonly name: string;
  /** Files that match. */
  readonly matches: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly naiveP50Ms: number;
  readonly naiveP99Ms: number;
  /** How many times as fast as the naive query, by the p50. */
  readonly ratio: number;
}

/** Searches among a million files of one owner, or as many as there are, in so many rows; the naive query finds the same. */
export async function measureSearches(
  ends: Ends,
  rows: number,
  tell: (text: string) => void,
): Promise<SearchFigures[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS });
  ends.add(() => postgres.stop());
  const database = await openDatabase({ url: postgres.url, schema: 'sync', log: openLog('warn', 'bench') });
  ends.add(() => database.close());
  const startMs = performance.now();
  await fillFiles(postgres.url, OWNER, scaleOf(rows));
  tell(`${rows} rows made in ${Math.round((performance.now() - startMs) / 1000)} s`);
  const figures: SearchFigures[] = [];
  for (const each of casesOf(OWNER)) figures.push(await measureCase(database, each));
  return figures;
}

async function measureCase(database: Database, { name, search }: Case): Promise<SearchFigures> {
  const ours = await timed(TIMES, () => searchFiles(database, search));
  const naive = await timed(NAIVE_TIMES, () => searchNaively(database, search));
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
  const beginMs = performance.now();
  let result = await work();
  const ms: number[] = [];
  while (ms.length === 0 || (ms.length < times && performance.now() - beginMs < LIMIT_MS)) {
    const startMs = performance.now();
    result = await work();
    ms.push(performance.now() - startMs);
  }
  return { ms, result };
}
