import { openDatabase, type Database } from '../../kernel/database/database.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { browseDirectory } from '../../subgraphs/sync/search/browse.actions.js';
import { searchFiles } from '../../subgraphs/sync/search/search.actions.js';
import { summarizeKinds } from '../../subgraphs/sync/summary/storage/summary.actions.js';
import type { Cleanup } from '../cleanup.js';
import { measureCosts } from '../compare.js';
import { temporaryFolder } from '../environment.js';
import { postgresPid } from '../processes.js';
import type { Row } from '../report.js';
import type { Scale } from '../scale.js';
import { casesOf, type Case } from './cases.js';
import { fillFiles, scaleOf } from './dataset.js';
import { browseNaively, searchNaively, summarizeNaively } from './naive-file-search.js';

const OWNER = 'the owner whose files are searched';

/** The data need not survive a crash. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB', autovacuum: 'off' };

/** Work on the database, and the simplest query for the same; both return how many rows match. */
interface Work {
  readonly name: string;
  readonly ours: (database: Database) => Promise<number>;
  readonly naive: (database: Database) => Promise<number>;
}

/** Measures searches, folders and summaries of an owner with up to a million files, in a table with this many rows. */
export async function measureSearches(cleanup: Cleanup, scale: Scale): Promise<Row[]> {
  const dataDir = await temporaryFolder(cleanup);
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS });
  cleanup.add(() => postgres.stop());
  const database = await openDatabase({ url: postgres.url, schema: 'sync', log: openLog('warn', 'bench') });
  cleanup.add(() => database.close());
  await fillFiles(postgres.url, OWNER, scaleOf(scale.files));
  const works = [...DIRECTORIES.map((path) => browse(path)), SUMMARY, ...casesOf(OWNER).map((each) => search(each))];
  const result: Row[] = [];
  for (const work of works) result.push(await measure(work, database, { scale, pids: [postgresPid(dataDir)] }));
  return result;
}

/** The root, with a twentieth of the files below it, and a directory with a 1,680th of those. */
const DIRECTORIES = ['', 'berlin/2020/anna'];
const FOLDER_HASH = '0000000000000001';

function browse(path: string): Work {
  const place = { ownerAddress: OWNER, folderHash: FOLDER_HASH, path };
  const order = { column: 'file_name', descending: false } as const;
  const ours = { ...place, order, type: undefined, uploadedBy: undefined, offset: 0, limit: 50 };
  return {
    name: `browse ${path === '' ? 'the root of a folder' : 'a directory'}`,
    ours: async (database) => (await browseDirectory(database, ours)).totalCount,
    naive: (database) => browseNaively(database, place),
  };
}

const SUMMARY: Work = {
  name: 'summary of file types',
  ours: async (database) =>
    (await summarizeKinds(database, OWNER, 'type')).reduce((sum, { fileCount }) => sum + fileCount, 0),
  naive: (database) => summarizeNaively(database, OWNER),
};

function search({ name, search: parameters }: Case): Work {
  return {
    name: `search: ${name}`,
    ours: async (database) => (await searchFiles(database, parameters)).totalCount,
    naive: async (database) => (await searchNaively(database, parameters)).totalCount,
  };
}

async function measure(
  { name, ours, naive }: Work,
  database: Database,
  { scale, pids }: { readonly scale: Scale; readonly pids: readonly number[] },
): Promise<Row> {
  const [matches, expected] = [await ours(database), await naive(database)];
  if (matches !== expected) throw new Error(`${name}: ${matches} matches, ${expected} naively`);
  const costs = await measureCosts(
    [ours, naive].map((request) => ({ pids, request: () => request(database) })),
    { ...scale, parallel: 1 },
  );
  const work = `files, ${name}, ${matches} matches`;
  return { work, peer: 'the simplest query', unit: 'wall ms', ours: costs[0]?.wallMs, theirs: costs[1]?.wallMs };
}
