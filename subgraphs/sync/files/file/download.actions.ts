import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { readRange, type ByteRange } from '../../../../kernel/http/byte-range.js';
import type { ByteAnswer } from '../../../../kernel/http/bytes.js';
import { notFound, storageInconsistency } from '../../../../kernel/errors.js';
import { readStored, type ReadingChunks } from '../../blob-store/scrub/damage.actions.js';
import type { SyncServices } from '../../services.js';
import type { Tables } from '../../entities.js';
import { chunksOf, partsOf, type PackedChunks, type StoredLayout } from './chunk-parts.rules.js';
import { FILE_TABLES } from './file.js';
import { isLiveFolder } from './list.actions.js';
import { readFileId } from './file.rules.js';
import type { FolderName } from '../../inputs/owner.rules.js';

/** A file as it is stored. */
interface StoredFile extends StoredLayout {
  readonly sizeBytes: string;
  readonly revisionId: string;
  readonly revisionSeq: string;
  readonly ownerId: string;
  readonly blobId: string;
}

const STORED = query(
  'sync-download',
  (_: Tables, value: FolderName & { pathHash: Buffer }) => sql<StoredFile>`
  SELECT f.size_bytes::text AS "sizeBytes", encode(f.revision_id, 'hex') AS "revisionId", f.revision_seq::text AS "revisionSeq",
         b.size_bytes::double precision AS "storedBytes", b.chunk_size::double precision AS "chunkSize",
         b.owner_id::text AS "ownerId", b.id::text AS "blobId"
    FROM ${FILE_TABLES} WHERE ${isLiveFolder(value)} AND f.path_hash = ${value.pathHash}`,
);

interface ChunkIndexes extends Pick<StoredFile, 'ownerId' | 'blobId'> {
  readonly first: number;
  readonly last: number;
}

const CHUNKS = query(
  'sync-download-chunks',
  (_: Tables, { ownerId, blobId, first, last }: ChunkIndexes) => sql<Omit<PackedChunks, 'first'>>`
  SELECT count(*)::integer AS count,
         coalesce(string_agg(decode(replace(object_key, '/', ''), 'hex'), ''::bytea ORDER BY chunk_index), '') AS keys,
         coalesce(string_agg(hash, ''::bytea ORDER BY chunk_index), '') AS hashes
    FROM sync.chunk WHERE owner_id = ${ownerId} AND blob_id = ${blobId} AND chunk_index BETWEEN ${first} AND ${last}`,
);

/** Maximum attempts to read the rows of a file that is being replaced. */
const MAX_ATTEMPTS = 10;

/** Dependencies of downloads. */
type Downloading = ReadingChunks & { readonly services: Pick<SyncServices, 'downloadLimiter'> };

/**
 * The ciphertext of a file, or the range of the Range header; chunks that are read whole are compared with their hashes.
 * @throws BAD_REQUEST invalid_file_id, NOT_FOUND, RANGE_NOT_SATISFIABLE, RATE_LIMITED, UNAVAILABLE, storage_inconsistency
 */
export async function openFile(
  context: Downloading,
  folder: FolderName,
  { fileId, range }: { readonly fileId: string; readonly range: unknown },
): Promise<ByteAnswer> {
  const pathHash = readFileId(fileId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const [file] = await context.database.run(STORED, { ...folder, pathHash });
    if (!file) throw notFound('File not found.');
    const part = readRange(range, file.storedBytes);
    const requested = part ?? { start: 0, end: file.storedBytes };
    const stream = await openRange(context, folder.ownerAddress, { file, requested });
    if (!stream) continue;
    return {
      meta: {
        'x-size-bytes': file.sizeBytes,
        'x-revision-id': file.revisionId,
        'x-revision-seq': file.revisionSeq,
        'x-file-id': pathHash.toString('hex'),
        'x-ss58-address': folder.ownerAddress,
        'x-folder-hash': folder.folderHash,
        'accept-ranges': 'bytes',
      },
      length: requested.end - requested.start,
      part: part && { start: part.start, totalBytes: file.storedBytes },
      stream,
    };
  }
  throw storageInconsistency('The chunks of the file are not stored completely.');
}

/** The bytes of the range; undefined if the rows of its chunks are gone, as the file was replaced or deleted meanwhile. */
async function openRange(
  context: Downloading,
  ownerAddress: string,
  { file, requested }: { readonly file: StoredFile; readonly requested: ByteRange },
): Promise<Readable | undefined> {
  const { first, count } = chunksOf(file, requested);
  if (count === 0) return Readable.from([]);
  const leave = await context.services.downloadLimiter.enter(ownerAddress, count);
  let isOpen = false;
  try {
    const [chunks] = await context.database.run(CHUNKS, { ...file, first, last: first + count - 1 });
    if (chunks?.count !== count) return undefined;
    const parts = partsOf(file, { ...chunks, first }, requested);
    const stream = await openStream(readStored(context, parts, 'download'), leave);
    isOpen = true;
    return stream;
  } finally {
    if (!isOpen) leave();
  }
}

/** Reads the first bytes now: an error can still be answered with a status. @param leave called at the end of the stream */
async function openStream(bytes: AsyncGenerator<Buffer, void, undefined>, leave: () => void): Promise<Readable> {
  const first = await bytes.next();
  if (first.done === true) throw new Error('a part of a chunk has bytes');
  const stream = Readable.from(prepend(first.value, bytes), { objectMode: false });
  // Of a stream that nobody has read, `prepend` has not started: it cannot end the rest.
  stream.once('close', () => void bytes.return().then(leave, leave));
  return stream;
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
