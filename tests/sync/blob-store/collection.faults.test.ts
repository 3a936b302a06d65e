import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { BACKUP_LOCK } from '../../../kernel/subgraph/external-objects.js';
import { collectDiscarded, sweepOrphans } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import {
  discardBlobs,
  discardDueAt,
  discardObjects,
  keepObjects,
} from '../../../subgraphs/sync/blob-store/blob/discard.actions.js';
import { expireSessions, purgeFolders } from '../../../subgraphs/sync/maintenance/expiry.actions.js';
import { bytesOf, keysOf, reasonOf, writeObject } from '../../kit/blobs/objects.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

let storage: StorageUnderTest;
beforeAll(async () => {
  storage = await openStorage();
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
}, 60_000);
afterAll(() => storage.close());

const orphan = (): Promise<string> => writeObject(storage.store, bytesOf(10), { length: 10 });
const isStored = async (key: string | undefined): Promise<boolean> => (await keysOf(storage.store)).includes(`${key}`);

/** Sweeps and, once what was found is due, collects. */
async function collectAll(minutes: number): Promise<void> {
  await sweepOrphans(storage.after(minutes));
  await collectDiscarded(storage.after(minutes + 11));
}

describe('an object that no row names', () => {
  it('is kept for an hour', async () => {
    const key = await orphan();
    await collectAll(59);
    expect(await isStored(key)).toBe(true);
  });

  it('is gone after an hour and ten minutes', async () => {
    const key = await orphan();
    await collectAll(61);
    expect(await isStored(key)).toBe(false);
  });

  it('is kept for ten minutes after it was found', async () => {
    const key = await orphan();
    await sweepOrphans(storage.after(61));
    await collectDiscarded(storage.after(70));
    expect(await isStored(key)).toBe(true);
  });

  it('is kept when a row names it by then', async () => {
    const { keys, id } = await storage.blob(1);
    await storage.sql('DELETE FROM sync.chunk WHERE blob_id = $1', [id]);
    await sweepOrphans(storage.after(61));
    await storage.sql(
      `INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash) VALUES (1, $1, 0, $2, 10, sha256(''))`,
      [id, keys[0]],
    );
    await collectDiscarded(storage.after(80));
    expect(await isStored(keys[0])).toBe(true);
  });

  it('is kept while an upload has promised it, however long that takes', async () => {
    const key = await orphan();
    const due = storage.after(24 * 60).now();
    await storage.database.change((transaction) => discardObjects(transaction, [key], due));
    await collectAll(23 * 60);
    await storage.database.change((transaction) => keepObjects(transaction, [key]));
    expect(await isStored(key)).toBe(true);
  });

  it('cannot be kept any more once it is gone', async () => {
    const key = await orphan();
    await collectAll(61);
    const keep = (): Promise<void> => storage.database.change((transaction) => keepObjects(transaction, [key]));
    expect(await reasonOf(keep)).toBe('storage_inconsistency');
  });
});

describe('a backup', () => {
  it('keeps every object until it ends', async () => {
    const key = await orphan();
    await sweepOrphans(storage.after(61));
    const backup = new Client({ connectionString: storage.url });
    await backup.connect();
    await backup.query('SELECT pg_advisory_lock($1)', [BACKUP_LOCK]);
    await collectDiscarded(storage.after(72));
    const isKept = await isStored(key);
    await backup.query('SELECT pg_advisory_unlock($1)', [BACKUP_LOCK]);
    await backup.end();
    await collectDiscarded(storage.after(72));
    expect([isKept, await isStored(key)]).toEqual([true, false]);
  });
});

describe('an object that a row names', () => {
  it('is never collected', async () => {
    const { keys } = await storage.blob(3);
    await collectAll(365 * 24 * 60);
    const stored = await keysOf(storage.store);
    expect(keys.filter((key) => !stored.includes(key))).toEqual([]);
  });
});

describe('what writers write while it is collected', () => {
  it('is all there afterwards', async () => {
    const blobs: Promise<{ keys: readonly string[] }>[] = [];
    const write = async (): Promise<void> => {
      for (let count = 0; count < 15; count++) blobs.push(storage.blob(1));
      await Promise.all(blobs);
    };
    await Promise.all([write(), collectAll(0), collectAll(0), collectAll(0)]);
    const stored = await keysOf(storage.store);
    const keys = (await Promise.all(blobs)).flatMap((blob) => blob.keys);
    expect(keys.filter((key) => !stored.includes(key))).toEqual([]);
  });
});

describe('a store that fails', () => {
  it('keeps what was to be removed due, and is collected when it works again', async () => {
    const { id, keys } = await storage.blob(2);
    await storage.database.change((tx) => discardBlobs(tx, { ownerId: '1', blobIds: [id] }, discardDueAt(new Date())));
    const failing = Object.assign(Object.create(storage.store) as typeof storage.store, {
      remove: (key: string) => (key === keys[0] ? Promise.reject(new Error('down')) : storage.store.remove(key)),
    });
    const failingRun = { ...storage.after(11), services: { blobs: failing } };
    expect(await reasonOf(() => collectDiscarded(failingRun))).toBe('storage_inconsistency');
    expect([await isStored(keys[0]), await isStored(keys[1])]).toEqual([true, false]);
    await collectDiscarded(storage.after(11));
    expect(await isStored(keys[0])).toBe(false);
  });

  it('for as many objects as are removed at once is given the others in the next run', async () => {
    const [stuck, later] = [await storage.blob(50), await storage.blob(1)];
    const discard = (id: string, minutes: number) => {
      const dueAt = discardDueAt(new Date(Date.now() + minutes * 60_000));
      return storage.database.change((tx) => discardBlobs(tx, { ownerId: '1', blobIds: [id] }, dueAt));
    };
    await discard(stuck.id, 0);
    await discard(later.id, 1);
    const locked = Object.assign(Object.create(storage.store) as typeof storage.store, {
      remove: (key: string) =>
        stuck.keys.includes(key) ? Promise.reject(new Error('locked')) : storage.store.remove(key),
    });
    const lockedRun = (minutes: number) => ({ ...storage.after(minutes), services: { blobs: locked } });
    expect(await reasonOf(() => collectDiscarded(lockedRun(12)))).toBe('storage_inconsistency');
    expect(await reasonOf(() => collectDiscarded(lockedRun(13)))).toBe('storage_inconsistency');
    expect(await isStored(later.keys[0])).toBe(false);
    await collectDiscarded(storage.after(14));
  });
});

describe('an upload session', () => {
  const open = async (expiresInMinutes: number, id: string): Promise<readonly string[]> => {
    const { id: blobId, keys } = await storage.blob(2);
    await storage.sql(
      `INSERT INTO sync.upload_session
         (id, owner_id, blob_id, manifest, ciphertext_hash, chunk_count, chunk_size, ciphertext_size, created_at, expires_at)
       VALUES ($1, 1, $2, '{}', '', 2, 10, 20, now(), $3)`,
      [id, blobId, storage.after(expiresInMinutes).now()],
    );
    return keys;
  };

  it('that has expired goes with its chunks, and its objects ten minutes later', async () => {
    const keys = await open(10, 'old');
    expect(await expireSessions(storage.after(11))).toEqual({ count: 1, isCut: false });
    const rows = await storage.sql(`SELECT 1 FROM sync.upload_session WHERE id = 'old'`);
    const before = await isStored(keys[0]);
    await collectDiscarded(storage.after(22));
    expect([rows, before, await isStored(keys[0])]).toEqual([[], true, false]);
  });

  it('that has not expired stays', async () => {
    const keys = await open(30, 'young');
    await expireSessions(storage.after(29));
    await collectAll(120);
    expect(await isStored(keys[0])).toBe(true);
  });

  it('that somebody works on is passed over', async () => {
    const keys = await open(5, 'busy');
    const ended = await storage.database.change(async (transaction) => {
      await transaction.execute(`SELECT 1 FROM sync.upload_session WHERE id = 'busy' FOR UPDATE`);
      return expireSessions(storage.after(6));
    });
    await collectDiscarded(storage.after(20));
    expect([ended.count, await isStored(keys[0])]).toEqual([0, true]);
  });
});

describe('a folder', () => {
  const deleted = async (hash: string, files: number): Promise<readonly string[]> => {
    const [folder] = await storage.sql<{ id: string }>(
      `INSERT INTO sync.folder (owner_id, folder_hash, created_at, updated_at, deleted_at)
       VALUES (1, $1, now(), now(), now()) RETURNING id::text`,
      [hash],
    );
    const blobs = await Promise.all(Array.from({ length: files }, () => storage.blob(2)));
    await storage.sql(
      `INSERT INTO sync.file (owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path,
                              blob_id, created_at, updated_at)
       SELECT 1, $1, sha256(id::text::bytea), sha256(''), 20, 0, sha256(''), '', id, 0, 0 FROM unnest($2::bigint[]) id`,
      [folder?.id, blobs.map(({ id }) => id)],
    );
    return blobs.flatMap(({ keys }) => keys);
  };
  const WEEK = 7 * 24 * 60;

  it('that was deleted less than seven days ago keeps its files', async () => {
    const keys = await deleted('0000000000000001', 3);
    await purgeFolders(storage.after(WEEK - 1));
    await collectAll(WEEK - 1);
    expect(await isStored(keys[0])).toBe(true);
  });

  it('that was deleted seven days ago goes with all its files', async () => {
    const keys = await deleted('0000000000000002', 5);
    const purged = await purgeFolders(storage.after(WEEK + 1));
    await collectDiscarded(storage.after(WEEK + 12));
    const stored = await keysOf(storage.store);
    const folders = await storage.sql(`SELECT 1 FROM sync.folder WHERE folder_hash = '0000000000000002'`);
    expect([purged.count, folders, keys.filter((key) => stored.includes(key))]).toEqual([8, [], []]);
  });

  const left = async (): Promise<number> =>
    (await storage.sql('SELECT 1 FROM sync.folder WHERE deleted_at IS NOT NULL')).length;

  it('goes with its last files in one transaction, and a run whose time is over says so', async () => {
    await deleted('0000000000000003', 2);
    const cut = await purgeFolders(storage.after(WEEK + 1), 0);
    expect([cut, await left()]).toEqual([{ count: 2, isCut: true }, 0]);
  });

  it('does not wait for another run because many were deleted at once', async () => {
    await storage.sql(
      `INSERT INTO sync.folder (owner_id, folder_hash, created_at, updated_at, deleted_at)
       SELECT 1, lpad(n::text, 16, '0'), now(), now(), now() FROM generate_series(1000, 1300) n`,
    );
    await purgeFolders(storage.after(WEEK + 1), 60_000);
    expect(await left()).toBe(0);
  });
});
