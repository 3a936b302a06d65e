import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { fillFiles } from '../../../bench/sync/dataset.js';
import { readCursor } from '../../../subgraphs/sync/search/cursor.rules.js';
import { searchFiles, type Search } from '../../../subgraphs/sync/search/search.actions.js';
import type { SortColumn } from '../../../subgraphs/sync/search/search.rules.js';
import { newDatabase } from '../../kit/database/own-database.js';

/** More matches than are sorted after they are found: pages follow the index of their order. */
const OWNED = 30_000;
const OWNER = 'an owner of many files';

let client: Client;
let database: Database;
beforeAll(async () => {
  const url = await newDatabase();
  await fillFiles(url, OWNER, { rows: 2 * OWNED, owned: OWNED });
  client = new Client({ connectionString: url });
  await client.connect();
  database = connectDatabase({ url, schema: 'sync', log: openLog('silent', 'tests') });
}, 120_000);
afterAll(async () => {
  await database.close();
  await client.end();
});

function search(given: Partial<Search>) {
  const order = { column: 'created_at', descending: true } as const;
  const none = { text: undefined, type: undefined, sizeMin: undefined, sizeMax: undefined };
  const always = { createdFrom: undefined, createdTo: undefined, after: undefined };
  return searchFiles(database, { ownerAddress: OWNER, ...none, ...always, order, offset: 0, limit: 500, ...given });
}

/** What it must find, by a statement that has no index to follow. */
async function expected(condition: string, { column, descending }: Search['order'], [offset, limit]: [number, number]) {
  const direction = descending ? 'DESC' : 'ASC';
  const { rows } = await client.query<{ fileId: string }>(
    `SELECT encode(f.path_hash, 'hex') AS "fileId"
       FROM sync.file f JOIN sync.folder d ON d.id = f.folder_id JOIN sync.owner o ON o.id = d.owner_id
      WHERE o.address = '${OWNER}' AND d.deleted_at IS NULL AND ${condition}
      ORDER BY f.${column}${column === 'file_name' ? ' COLLATE "C"' : ''} ${direction}, f.path_hash ${direction}`,
  );
  return { count: rows.length, page: rows.slice(offset, offset + limit).map(({ fileId }) => fileId) };
}

const ORDERS = (['file_name', 'size_bytes', 'created_at', 'updated_at'] as SortColumn[]).flatMap((column) => [
  { column, descending: true },
  { column, descending: false },
]);
const TERMS = [
  { given: { text: '.' }, condition: `f.file_name LIKE '%.%'` },
  { given: { sizeMin: '8' }, condition: 'f.size_bytes >= 8' },
  {
    given: { createdFrom: '1510000000', createdTo: '1690000000' },
    condition: 'f.created_at BETWEEN 1510000000 AND 1690000000',
  },
];

describe('a search that finds more than it sorts', () => {
  describe.each(TERMS)('$given', ({ given, condition }) => {
    it.each(ORDERS)('has the pages and the count of all of them, %j', async (order) => {
      const { count, page } = await expected(condition, order, [10_000, 500]);
      expect(count).toBeGreaterThan(20_000);
      const { files, ...found } = await search({ ...given, order, offset: 10_000 });
      expect(found).toMatchObject({ totalCount: count, hasMore: true });
      expect(files.map(({ fileId }) => fileId)).toEqual(page);
    });

    it.each(ORDERS)('is followed by a cursor, %j', async (order) => {
      const { page } = await expected(condition, order, [500, 500]);
      const { endCursor } = await search({ ...given, order });
      const { files } = await search({ ...given, order, after: readCursor(order, endCursor) });
      expect(files.map(({ fileId }) => fileId)).toEqual(page);
    });
  });

  it('leaves out deleted folders', async () => {
    const order = { column: 'created_at', descending: true } as const;
    await client.query('UPDATE sync.folder SET deleted_at = now() WHERE id = 3');
    const { count, page } = await expected(`f.file_name LIKE '%.%'`, order, [100, 500]);
    expect(count).toBeGreaterThan(20_000);
    const { files, totalCount } = await search({ text: '.', order, offset: 100 });
    const all = await expected('true', order, [0, 1]);
    const bySize = await search({ sizeMin: '0', order });
    await client.query('UPDATE sync.folder SET deleted_at = NULL WHERE id = 3');
    expect([totalCount, bySize.totalCount]).toEqual([count, all.count]);
    expect(files.map(({ fileId }) => fileId)).toEqual(page);
  });

  it('finds names that are too long for the index of all conditions', async () => {
    const name = `${'x'.repeat(4000)} needle`;
    await client.query(
      'UPDATE sync.file_search SET folded_name = $1 WHERE file_id = (SELECT min(id) FROM sync.file WHERE folder_id = 2)',
      [name],
    );
    const found = await Promise.all(['needle', 'x n', 'dl'].map((text) => search({ text })));
    expect(found.map(({ totalCount }) => totalCount)).toEqual([1, 1, 1]);
  });
});
