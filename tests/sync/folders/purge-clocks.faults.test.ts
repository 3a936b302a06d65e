import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Jobs } from '../../../kernel/jobs/jobs.js';
import {
  listDeletedFolders,
  purgeFolder,
} from '../../../subgraphs/sync/folders/deleted-folder/deleted-folder.actions.js';
import { purgeFolders } from '../../../subgraphs/sync/maintenance/expiry.actions.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const DAY_MS = 24 * 3_600_000;
/** No worker runs. */
const jobs: Jobs = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };

let storage: StorageUnderTest;
let folderId: string;
beforeAll(async () => {
  storage = await openStorage();
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
}, 60_000);
afterAll(() => storage.close());
beforeEach(async () => {
  const [folder] = await storage.sql<{ id: string }>(
    `INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at, deleted_at)
     VALUES (1, '37a8eec1ce19687d', 'default', now(), now(), now()) RETURNING id::text`,
  );
  folderId = folder?.id ?? '';
});

/** Ids of the folders that a process shows as restorable whose clock is behind by this. */
async function restorable(behindMs: number): Promise<string[]> {
  const page = { ownerAddress: 'owner', offset: 0, limit: 10 };
  const folders = await listDeletedFolders(storage.database, page, new Date(Date.now() - behindMs));
  return folders.map((folder) => folder.folderId);
}

/** Adds files with empty blobs. */
async function addFiles(count: number): Promise<void> {
  await storage.sql(
    `WITH b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at)
                SELECT 1, 0, 1, now() FROM generate_series(1, $2::integer) RETURNING id)
     INSERT INTO sync.file (owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path,
                            blob_id, created_at, updated_at)
     SELECT 1, $1::bigint, sha256(b.id::text::bytea), sha256(''), 0, 0, sha256(''), '', b.id, 0, 0 FROM b`,
    [folderId, count],
  );
}

it('a folder that its owner has purged cannot be restored by a process whose clock is behind', async () => {
  const { database, now } = storage.after(0);
  expect(await restorable(60_000)).toContain(folderId);
  await purgeFolder({ database, jobs, now }, { ownerAddress: 'owner', folderId });
  expect(await restorable(60_000)).not.toContain(folderId);
});

it('a folder of which some files are purged cannot be restored by a process whose clock is behind', async () => {
  await addFiles(1_001);
  const { database, services } = storage.after(0);
  // Ahead by eight days until some files are gone.
  let purged = 0;
  const now = () => new Date(Date.now() + (purged === 0 ? 8 * DAY_MS : 0));
  const count = () =>
    storage
      .sql<{ count: number }>('SELECT count(*)::integer FROM sync.file WHERE folder_id = $1', [folderId])
      .then(([row]) => row?.count ?? 0);
  const watched = Object.assign(Object.create(database) as typeof database, {
    async change(work: Parameters<typeof database.change>[0]) {
      const result = await database.change(work);
      purged = 1_001 - (await count());
      return result;
    },
  });
  await purgeFolders({ database: watched, services, now });
  expect(purged).toBeGreaterThan(0);
  expect(await restorable(0)).not.toContain(folderId);
});
