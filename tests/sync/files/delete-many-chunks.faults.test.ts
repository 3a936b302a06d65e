import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/database/database.js';
import { unavailable } from '../../../kernel/errors.js';
import { deleteFiles } from '../../../subgraphs/sync/files/file/delete.actions.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const FOLDER = { ownerAddress: 'owner', folderHash: '37a8eec1ce19687d' };
/** Rows of chunks that a transaction deletes in time. */
const MAX_CHUNKS = 70_000;

let storage: StorageUnderTest;
beforeAll(async () => {
  storage = await openStorage();
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
  await storage.sql(
    `INSERT INTO sync.folder (owner_id, folder_hash, created_at, updated_at) VALUES (1, '${FOLDER.folderHash}', now(), now())`,
  );
  await storage.sql('CREATE TABLE sync.deletion (chunks bigint)');
  await storage.sql(`CREATE FUNCTION sync.count_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO sync.deletion SELECT count(*) FROM gone; RETURN NULL; END $$`);
  await storage.sql(`CREATE TRIGGER count_deletion AFTER DELETE ON sync.chunk REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION sync.count_deletion()`);
}, 60_000);
afterAll(() => storage.close());
beforeEach(() => storage.sql('DELETE FROM sync.deletion'));

const NOON = new Date('2026-01-01T12:00:00Z');

/** Stands still: a machine that stalls does not end the time for a deletion. */
const now = () => NOON;

/** Rows of chunks that each transaction deleted. */
async function deletions(): Promise<number[]> {
  const rows = await storage.sql<{ chunks: string }>('SELECT chunks::text FROM sync.deletion');
  return rows.map(({ chunks }) => Number(chunks));
}

/** Adds the rows of a file of this many chunks. Returns its id. */
async function addFile(chunks: number, path: string | null = null): Promise<string> {
  const id = createHash('sha256').update(`${chunks} ${path}`).digest('hex');
  await storage.sql(
    `WITH b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES (1, $1, 1, now()) RETURNING id),
          c AS (INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
                SELECT 1, b.id, n, left(md5($1::text), 2) || '/' || md5(b.id || ' ' || n), 1, sha256('') FROM b, generate_series(0, $1::bigint - 1) n)
     INSERT INTO sync.file (owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path,
                            blob_id, created_at, updated_at, relative_path)
     SELECT 1, 1, decode($2, 'hex'), sha256(''), $1, 0, sha256(''), '', id, 0, 0, $3 FROM b`,
    [chunks, id, path],
  );
  await storage.sql(
    'UPDATE sync.folder SET file_count = file_count + 1, total_bytes = total_bytes + $1, stored_bytes = stored_bytes + $1',
    [chunks],
  );
  return id;
}

it('deletes files with many chunks in several transactions, and all of them', async () => {
  const sizes = [30_000, 30_001, 30_002, 65_536, 1];
  const fileIds: string[] = [];
  for (const chunks of sizes) fileIds.push(await addFile(chunks));
  const missing = '0'.repeat(64);
  const given = { fileIds: [...fileIds, missing, 'none'], isQuiet: false };
  const { deleted, errors, filesDeleted } = await deleteFiles(storage.database, FOLDER, given, now);
  expect(deleted?.map(({ fileId, status }) => [fileId, status])).toEqual([
    ...fileIds.map((fileId) => [fileId, 'deleted']),
    [missing, 'already_deleted'],
  ]);
  expect([errors.length, filesDeleted]).toEqual([1, 5]);
  const counts = await deletions();
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sizes.reduce((sum, chunks) => sum + chunks, 0));
  expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_CHUNKS);
  expect(
    await storage.sql('SELECT file_count::integer AS files, stored_bytes::integer AS bytes FROM sync.folder'),
  ).toEqual([{ files: 0, bytes: 0 }]);
}, 60_000);

it('counts the directories of deep paths for a transaction', async () => {
  const fileIds: string[] = [];
  for (let file = 0; file < 40; file++) fileIds.push(await addFile(1, `${file}${'/a'.repeat(127)}`));
  const given = { fileIds, isQuiet: true };
  expect(await deleteFiles(storage.database, FOLDER, given, now)).toMatchObject({ filesDeleted: 40 });
  expect(await deletions()).toEqual([17, 17, 6]);
}, 60_000);

describe('files that are left', () => {
  let fileIds: string[];
  let given: Parameters<typeof deleteFiles>[2];
  beforeEach(async () => {
    fileIds = [];
    for (const chunks of [40_000, 40_001, 40_002]) fileIds.push(await addFile(chunks));
    fileIds.sort();
    given = { fileIds: ['0'.repeat(64), ...fileIds, 'f'.repeat(64)], isQuiet: false };
  }, 60_000);
  const left = (fileId: string) => ({ fileId, code: 'database_error', message: expect.stringMatching(/repeat/) });

  it('when the time is over are among the errors, and a repeated request deletes them', async () => {
    let nowMs = 0;
    const { deleted, errors, filesDeleted } = await deleteFiles(storage.database, FOLDER, given, () => {
      nowMs += 4_600;
      return new Date(nowMs);
    });
    expect(deleted?.map(({ status }) => status)).toEqual(['already_deleted', 'deleted']);
    expect([errors, filesDeleted]).toEqual([[...fileIds.slice(1), 'f'.repeat(64)].map(left), 1]);
    expect((await deleteFiles(storage.database, FOLDER, given, now)).filesDeleted).toBe(2);
  }, 60_000);

  it('when the database fails are among the errors, unless it fails at once', async () => {
    const failAfter = (transactions: number): Database => {
      let begun = 0;
      const change: Database['change'] = (work) =>
        begun++ < transactions ? storage.database.change(work) : Promise.reject(unavailable('The database fails.'));
      return Object.assign(Object.create(storage.database) as Database, { change });
    };
    const { errors, filesDeleted } = await deleteFiles(failAfter(1), FOLDER, given, now);
    expect([errors, filesDeleted]).toEqual([[...fileIds.slice(1), 'f'.repeat(64)].map(left), 1]);
    await expect(deleteFiles(failAfter(0), FOLDER, given, now)).rejects.toMatchObject({
      extensions: { code: 'UNAVAILABLE' },
    });
    expect((await deleteFiles(storage.database, FOLDER, given, now)).filesDeleted).toBe(2);
  }, 60_000);
});
