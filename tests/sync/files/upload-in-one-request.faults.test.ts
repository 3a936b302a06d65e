import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ByteSource } from '../../../kernel/http/bytes.js';
import { openPortableHashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { collectDiscarded } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import type { BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { UploadLimiter } from '../../../subgraphs/sync/blob-store/store/upload-limiter.js';
import { uploadFile, uploadPlainFile } from '../../../subgraphs/sync/files/file/upload-file.actions.js';
import { setStoragePrice } from '../../../subgraphs/sync/usage/price.actions.js';
import { openOwnerSemaphore } from '../../../subgraphs/sync/folders/owner/owner-semaphore.js';
import type { SyncContext } from '../../../subgraphs/sync/services.js';
import { keysOf } from '../../kit/blobs/objects.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const MIB = 1024 * 1024;

let storage: StorageUnderTest;
let context: SyncContext;
beforeAll(async () => {
  storage = await openStorage();
  context = {
    isBillingBypassed: true,
    viewer: { kind: 'user', userId: 1, substrateAddress: '5Fabc' },
    callSubgraph: async () => ({ balance: '10', held: '0' }),
    database: storage.database,
    now: () => new Date(),
    services: {
      blobs: storage.store,
      hashing: await openPortableHashing(),
      uploadLimiter: new UploadLimiter(),
      ownerSemaphore: openOwnerSemaphore(),
    },
  } as unknown as SyncContext;
}, 60_000);
afterAll(() => storage.close());

/** Copies, because the store may overwrite the buffer. */
const sourceOf = (bytes: Buffer) => new ByteSource(Readable.from([Buffer.from(bytes)]), undefined);

describe('a machine without the native BLAKE3 module', () => {
  it('stores files of an object-store gateway, with the hash of the address and the bytes', async () => {
    const bytes = randomBytes(3000);
    await uploadPlainFile(context, { ownerAddress: '5Fabc', fileName: 'cat.png', bytes: sourceOf(bytes) });
    const salted = Buffer.from(blake3(Buffer.concat([Buffer.from('5Fabc'), bytes])));
    expect(await storage.sql('SELECT salted_hash AS salted FROM sync.file')).toEqual([{ salted }]);
  });
});

describe('a file of unknown length', () => {
  const ONE_CREDIT_PER_MIB_MONTH = { creditsPerGibMonth: '1024', setBy: 'a test' };

  it('is refused as soon as it has more bytes than its owner can pay for, and leaves nothing', async () => {
    await setStoragePrice(storage.database, ONE_CREDIT_PER_MIB_MONTH, context.now());
    const before = await keysOf(storage.store);
    let sentBytes = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (; sentBytes < 64 * MIB; sentBytes += MIB) yield Buffer.alloc(MIB);
    }
    const bytes = new ByteSource(Readable.from(endless(), { objectMode: false }), undefined);
    const paid = { ...context, isBillingBypassed: false };
    await expect(uploadPlainFile(paid, { ownerAddress: '5Fabc', fileName: 'endless', bytes })).rejects.toMatchObject({
      extensions: { code: 'PAYMENT_REQUIRED', reason: 'drive_quota_exceeded' },
    });
    expect(sentBytes).toBeLessThan(16 * MIB);
    await collectDiscarded(storage.after(1));
    expect(await keysOf(storage.store)).toEqual(before);
  });
});

describe('a file of many chunks that is refused', () => {
  const CHUNK_BYTES = 8 * MIB;
  const manifest = {
    ownerAddress: '5Fabc',
    folderHash: '37a8eec1ce19687d',
    ciphertextHash: '0'.repeat(64),
    sizeBytes: '1',
    revisionSeq: '1',
    pathHash: randomBytes(32),
    saltedHash: randomBytes(32),
    baseRevisionId: null,
    encryptedPath: Buffer.alloc(0),
    fileName: null,
    relativePath: null,
    source: null,
  };
  /** Uploads four chunks. Returns the error, the objects that were removed before the refusal, and those that the next cleanup removes. */
  async function refuse(end?: Error): Promise<{ error: unknown; removed: number; due: number }> {
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let chunk = 0; chunk < 4; chunk++) yield Buffer.alloc(CHUNK_BYTES);
      if (end) throw end;
    }
    const bytes = new ByteSource(Readable.from(chunks(), { objectMode: false, highWaterMark: 1 }), undefined);
    let removed = 0;
    const blobs: BlobStore = Object.assign(Object.create(storage.store) as BlobStore, {
      remove: async (key: string) => {
        removed += 1;
        return storage.store.remove(key);
      },
    });
    const services = { ...context.services, blobs };
    const error: unknown = await uploadFile({ ...context, services }, manifest, bytes).catch(
      (thrown: unknown) => thrown,
    );
    const [due] = await storage.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM sync.discarded_object WHERE due_at <= now()',
    );
    return { error, removed, due: due?.count ?? 0 };
  }

  it.each([
    ['because of its hash', undefined, 4],
    ['because its client left', new Error('gone'), 3],
  ])('%s leaves its objects to the next cleanup', async (_, end, due) => {
    const before = await keysOf(storage.store);
    const refused = await refuse(end);
    expect(refused).toMatchObject({ error: { extensions: { code: 'BAD_REQUEST' } }, removed: 0 });
    expect(refused.due).toBeGreaterThanOrEqual(due);
    await collectDiscarded(storage.after(0));
    expect(await keysOf(storage.store)).toEqual(before);
  });
});
