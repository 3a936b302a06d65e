import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { connectDatabase, type Database } from '../../../../kernel/database/database.js';
import { ByteSource } from '../../../../kernel/http/bytes.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { openHashing } from '../../../../subgraphs/sync/blake3/hashing.js';
import type { BlobStore } from '../../../../subgraphs/sync/blob-store/store/blob-store.js';
import { openDirectoryStore } from '../../../../subgraphs/sync/blob-store/store/directory-store.js';
import { storeFile } from '../../../../subgraphs/sync/files/file/store-file.actions.js';
import type { SyncContext } from '../../../../subgraphs/sync/services.js';
import type { Allowance } from '../../../../subgraphs/sync/usage/quota.actions.js';
import { keysOf } from '../../../kit/blobs/objects.js';
import { newDatabase } from '../../../kit/database/own-database.js';

const CHUNK_BYTES = 8 * 1024 * 1024;
const FREE: Allowance = { maxBytes: Infinity, check: () => undefined };

let database: Database;
let root: string;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'sync', log: openLog('silent', 'tests') });
  root = await mkdtemp(join(tmpdir(), 'archipelago-store-'));
}, 60_000);
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true });
});

/** Number of objects that this process holds open. */
async function openObjects(): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return targets.filter((target) => target.startsWith(root)).length;
}

describe('a client that leaves while a chunk of its file is written to the disk', () => {
  it('leaves no object, and none open', async () => {
    const store = await openDirectoryStore(root);
    const sent = new PassThrough({ highWaterMark: 2 * CHUNK_BYTES });
    const blobs: Pick<BlobStore, 'create' | 'remove'> = {
      remove: (key) => store.remove(key),
      async create(key, length) {
        const writer = await store.create(key, length);
        const commit = async () => {
          sent.destroy();
          await once(sent, 'close');
          await writer.commit();
        };
        return { write: (bytes) => writer.write(bytes), commit, abort: () => writer.abort() };
      },
    };
    const hashing = await openHashing();
    const [now, { signal }] = [() => new Date(), new AbortController()];
    const context = { database, now, signal, services: { blobs, hashing } } as unknown as SyncContext;
    const storing = storeFile(context, { bytes: new ByteSource(sent, undefined), allowance: FREE });
    sent.write(randomBytes(CHUNK_BYTES));
    sent.write(randomBytes(10));
    await expect(storing).rejects.toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    expect({ open: await openObjects(), keys: await keysOf(store) }).toEqual({ open: 0, keys: [] });
  });
});
