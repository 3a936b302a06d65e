import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { definedQueries, type Query } from '../../../kernel/database/query.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { browseDirectory } from '../../../subgraphs/sync/search/browse.actions.js';
import { searchFiles } from '../../../subgraphs/sync/search/search.actions.js';
import { readFileType } from '../../../subgraphs/sync/search/search.rules.js';
import { summarizeKinds } from '../../../subgraphs/sync/summary/storage/summary.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { readingOf } from '../../kit/database/read-blocks.js';

const [FEW, MANY] = [100, 10_000];
const PAGE = 50;

let client: Client;
let database: Database;
beforeAll(async () => {
  const url = await newDatabase();
  client = new Client({ connectionString: url });
  await client.connect();
  database = connectDatabase({ url, schema: 'sync', log: openLog('silent', 'tests') });
  await fill('few', FEW);
  await fill('many', MANY);
  await client.query('VACUUM ANALYZE');
}, 120_000);
afterAll(async () => {
  await database.close();
  await client.end();
});

const FOLDER = '00000000000000cc';

/** A folder with this number of files in its root, and as many directories of one file. */
async function fill(owner: string, count: number): Promise<void> {
  await client.query(
    `WITH o AS (INSERT INTO sync.owner (address, created_at) VALUES ($1, now()) RETURNING id)
     INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at) SELECT id, $2, '', now(), now() FROM o`,
    [owner, FOLDER],
  );
  const folder = '(SELECT d.id FROM sync.folder d JOIN sync.owner o ON o.id = d.owner_id WHERE o.address = $1)';
  await client.query(
    `WITH n AS (SELECT n, CASE WHEN n % 2 = 0 THEN 'F' || n || '.png' ELSE 'd' || n || '/x.txt' END AS path FROM generate_series(1, 2 * $2::int) n),
          b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) SELECT o.id, n, 1024, now()
                  FROM n, sync.owner o WHERE o.address = $1 RETURNING owner_id, id, size_bytes AS n)
     INSERT INTO sync.file (owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path, relative_path,
                            blob_id, created_at, updated_at)
     SELECT b.owner_id, ${folder}, sha256(convert_to(path, 'UTF8')), sha256(''), n, 1, sha256(''), '', path, b.id, n, n FROM n JOIN b USING (n)`,
    [owner, count],
  );
  await client.query(
    `INSERT INTO sync.file_search (file_id, owner_id, folder_id, size_bytes, created_at, updated_at, path_hash, file_name, folded_name,
                                   extension, directory_id)
     SELECT f.id, d.owner_id, d.id, f.size_bytes, f.created_at, f.updated_at, f.path_hash, '', lower(relative_path), '.png', x.id
       FROM sync.file f JOIN sync.folder d ON d.id = f.folder_id JOIN sync.directory x
         ON x.folder_id = d.id AND x.path_hash = sync.hash_of_path(sync.directory_of(f.relative_path))
      WHERE d.id = ${folder}`,
    [owner],
  );
}

const browse = (ownerAddress: string, offset: number, descending = false) =>
  browseDirectory(database, {
    ownerAddress,
    folderHash: FOLDER,
    path: '',
    type: undefined,
    uploadedBy: undefined,
    offset,
    limit: PAGE,
    order: { column: 'file_name', descending },
  });

const sorted = (letter: string, count: number, isEven: boolean) =>
  Array.from({ length: 2 * count }, (_, i) => i + 1)
    .filter((n) => (n % 2 === 0) === isEven)
    .map((n) => `${letter}${n}`)
    .toSorted();

describe('a directory of ten thousand directories and ten thousand files', () => {
  it.each([0, 5000, MANY - 10])('has its page at %i of directories, then files', async (offset) => {
    const { folders, files, totalCount } = await browse('many', offset);
    const entries = [...folders.map(({ name }) => name), ...files.map(({ relativePath }) => relativePath ?? '')];
    const expected = [...sorted('d', MANY, false), ...sorted('F', MANY, true).map((name) => `${name}.png`)];
    expect([totalCount, entries]).toEqual([2 * MANY, expected.slice(offset, offset + PAGE)]);
  });

  it('has its last files in descending order', async () => {
    const { files } = await browse('many', 2 * MANY - PAGE, true);
    const names = sorted('F', MANY, true).map((name) => `${name}.png`);
    expect(files.map(({ relativePath }) => relativePath)).toEqual(names.slice(0, PAGE).toReversed());
  });

  it.each([
    'browse-place',
    'browse-directories',
    'browse-files-by-file-name-asc',
    'browse-files-by-file-name-desc',
    'sync-by-kind',
    'search-count-of-type',
    'search-count-of-letters',
  ])('reads as little as one of a hundred: %s', async (name) => {
    const statement = definedQueries().get(name);
    if (!statement) throw new Error(`no statement ${name}`);
    const [small, large] = [await reading(statement, 'few'), await reading(statement, 'many')];
    expect(large.rows).toBeLessThanOrEqual(2 * PAGE);
    expect(large.blocks).toBeLessThanOrEqual(small.blocks + PAGE);
  });

  it('is summed up by type', async () => {
    const [images] = await summarizeKinds(database, 'many', 'type');
    expect(images).toEqual({ kind: 'image', fileCount: 2 * MANY, totalBytes: `${MANY * (2 * MANY + 1)}` });
  });
});

describe('a search among twenty thousand files', () => {
  const search = (text: string | undefined, fileType?: string) =>
    searchFiles(database, {
      ownerAddress: 'many',
      text,
      type: readFileType(fileType),
      sizeMin: undefined,
      sizeMax: undefined,
      createdFrom: undefined,
      createdTo: undefined,
      order: { column: 'created_at', descending: true },
      offset: 0,
      limit: 3,
      after: undefined,
    });
  const expected = async (condition: string) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT s.folded_name AS name FROM sync.file_search s JOIN sync.owner o ON o.id = s.owner_id
        WHERE o.address = 'many' AND ${condition} ORDER BY s.created_at DESC`,
    );
    return { count: rows.length, first: rows.slice(0, 3).map(({ name }) => name) };
  };

  it.each(['f', 'f1', '99', '.', 'zz', 'é'])(
    'counts exactly the names with “%s”, and finds the first',
    async (text) => {
      const { count, first } = await expected(`strpos(s.folded_name, '${text}') > 0`);
      const { totalCount, files } = await search(text);
      expect([totalCount, files.map(({ relativePath }) => relativePath?.toLowerCase())]).toEqual([count, first]);
    },
  );

  it('counts exactly the files of a type, and finds the first', async () => {
    const { count, first } = await expected('true');
    const { totalCount, files } = await search(undefined, 'image');
    expect([totalCount, files.map(({ relativePath }) => relativePath?.toLowerCase())]).toEqual([count, first]);
    expect((await search(undefined, 'video')).totalCount).toBe(0);
  });
});

async function reading(statement: Query<never, unknown>, owner: string) {
  const pathHash = createHash('sha256').update('').digest();
  const { rows } = await client.query(
    `SELECT x.id AS "directoryId", x.folder_id AS "folderId", d.owner_id AS "ownerId" FROM sync.directory x
       JOIN sync.folder d ON d.id = x.folder_id JOIN sync.owner o ON o.id = d.owner_id WHERE o.address = $1 AND x.path_hash = $2`,
    [owner, pathHash],
  );
  const filters = { extensions: null, ending: null, uploadedBy: null };
  const values = {
    ...rows[0],
    ...filters,
    ownerAddress: owner,
    folderHash: FOLDER,
    pathHash,
    groupedBy: 'type',
    type: 'image',
    text: 'f1',
  };
  return readingOf(client, 'sync', statement, { ...values, limit: PAGE, offset: 0 } as never);
}
