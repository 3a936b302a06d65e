import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Database } from '../../../kernel/database/database.js';
import type { ByteAnswer } from '../../../kernel/http/bytes.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { DownloadLimiter } from '../../../subgraphs/sync/blob-store/store/download-limiter.js';
import { PrefetchCapacity } from '../../../subgraphs/sync/blob-store/store/read-chunks.js';
import { openFile } from '../../../subgraphs/sync/files/file/download.actions.js';
import { writeObject } from '../../kit/blobs/objects.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

const FOLDER = { ownerAddress: 'owner', folderHash: '37a8eec1ce19687d' };
const FILE_ID = 'ab'.repeat(32);
const CHUNKS = 65_536;
const CHUNK_BYTES = 100;
/** The chunks whose objects are in the store: the first ones, and one in the middle. */
const [FIRST, MIDDLE] = [20, 40_000];

let storage: StorageUnderTest;
let hashing: Hashing;
const bytes = randomBytes((FIRST + 1) * CHUNK_BYTES);
const middle = bytes.subarray(FIRST * CHUNK_BYTES);
beforeAll(async () => {
  [storage, hashing] = await Promise.all([openStorage(), openHashing()]);
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('owner', now())`);
  await storage.sql(
    `INSERT INTO sync.folder (owner_id, folder_hash, created_at, updated_at) VALUES (1, '${FOLDER.folderHash}', now(), now())`,
  );
  await storage.sql(
    `WITH b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES (1, $1, $2, now()) RETURNING id),
          c AS (INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
                SELECT 1, b.id, n, overlay(md5(n::text) PLACING '/' FROM 3 FOR 0), $2, sha256('') FROM b, generate_series(0, $3::integer - 1) n)
     INSERT INTO sync.file (owner_id, folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path,
                            blob_id, created_at, updated_at)
     SELECT 1, 1, decode($4, 'hex'), sha256(''), $1, 0, sha256(''), '', id, 0, 0 FROM b`,
    [CHUNKS * CHUNK_BYTES, CHUNK_BYTES, CHUNKS, FILE_ID],
  );
  for (let place = 0; place <= FIRST; place++) {
    const chunk = bytes.subarray(place * CHUNK_BYTES, (place + 1) * CHUNK_BYTES);
    const key = await writeObject(storage.store, chunk);
    await storage.sql('UPDATE sync.chunk SET object_key = $1, hash = $2 WHERE chunk_index = $3', [
      key,
      hashing.stream().update(chunk).digest(),
      place === FIRST ? MIDDLE : place,
    ]);
  }
}, 60_000);
afterAll(() => storage.close());

/** Bytes of all values that the database answered. */
let readBytes = 0;
const counting = (afterRead: () => Promise<unknown>): Database => {
  readBytes = 0;
  const run: Database['run'] = async (query, values) => {
    const rows = await storage.database.run(query, values);
    for (const value of rows.flatMap((row) => Object.values(row as object)))
      readBytes += Buffer.isBuffer(value) ? value.length : JSON.stringify(value).length;
    await afterRead();
    return rows;
  };
  return Object.assign(Object.create(storage.database) as Database, { run });
};

interface Opening {
  readonly range?: string;
  readonly downloadLimiter?: DownloadLimiter;
  /** Runs after each statement. */
  readonly afterRead?: () => Promise<unknown>;
}

function open({
  range,
  downloadLimiter = new DownloadLimiter(),
  afterRead = () => Promise.resolve(),
}: Opening = {}): Promise<ByteAnswer> {
  const services = { blobs: storage.store, hashing, prefetchCapacity: new PrefetchCapacity(), downloadLimiter };
  const context = { database: counting(afterRead), log: openLog('silent', 'tests'), now: () => new Date(), services };
  return openFile(context, FOLDER, { fileId: FILE_ID, range });
}

describe('a file with as many chunks as a file can have', () => {
  it('is read from the database only as far as a range needs it', async () => {
    const start = MIDDLE * CHUNK_BYTES + 7;
    const { stream, length } = await open({ range: `bytes=${start}-${start}` });
    expect([length, await buffer(stream)]).toEqual([1, middle.subarray(7, 8)]);
    expect(readBytes).toBeLessThan(500);
    const across = await open({ range: `bytes=${CHUNK_BYTES - 10}-${3 * CHUNK_BYTES}` });
    expect(await buffer(across.stream)).toEqual(bytes.subarray(CHUNK_BYTES - 10, 3 * CHUNK_BYTES + 1));
  });

  it('takes 48 bytes of memory for each chunk while it is downloaded', async () => {
    const { stream, length } = await open();
    const first = (await stream[Symbol.asyncIterator]().next()) as { value: Buffer };
    expect([length, first.value]).toEqual([CHUNKS * CHUNK_BYTES, bytes.subarray(0, CHUNK_BYTES)]);
    expect(readBytes).toBeLessThan(CHUNKS * 48 + 500);
    stream.destroy();
  });

  it('is downloaded fewer times at once than a small one', async () => {
    const downloadLimiter = new DownloadLimiter();
    const streams = await Promise.all(Array.from({ length: 12 }, async () => (await open({ downloadLimiter })).stream));
    await expect(open({ downloadLimiter })).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
    const part = await open({ range: `bytes=0-${FIRST * CHUNK_BYTES - 1}` });
    expect(await buffer(part.stream)).toEqual(bytes.subarray(0, FIRST * CHUNK_BYTES));
    for (const stream of streams) stream.destroy();
  });
});

describe('a file that is replaced while its download begins', () => {
  it('is downloaded at its new revision', async () => {
    const replacement = randomBytes(CHUNK_BYTES);
    const key = await writeObject(storage.store, replacement);
    let isReplaced = false;
    const replace = async () => {
      if (isReplaced) return;
      isReplaced = true;
      await storage.sql(
        `WITH gone AS (DELETE FROM sync.chunk RETURNING 1),
              b AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at) VALUES (1, $1, $1, now()) RETURNING id),
              c AS (INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash)
                    SELECT 1, id, 0, $2, $1, $3 FROM b)
         UPDATE sync.file SET blob_id = b.id FROM b`,
        [CHUNK_BYTES, key, hashing.stream().update(replacement).digest()],
      );
    };
    const answer = await open({ afterRead: replace });
    expect(await buffer(answer.stream)).toEqual(replacement);
  });
});
