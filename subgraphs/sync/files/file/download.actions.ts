import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import { readRange } from '../../../../kernel/http/byte-range.js';
import type { ByteAnswer } from '../../../../kernel/http/bytes.js';
import { notFound } from '../../../../kernel/errors.js';
import { readStored, type ReadingChunks } from '../../blob-store/scrub/damage.actions.js';
import type { Tables } from '../../entities.js';
import { partsOf, type ListedChunk } from './chunk-parts.rules.js';
import { FILE_TABLES } from './file.js';
import { isLiveFolder } from './list.actions.js';
import { readFileId } from './file.rules.js';
import type { FolderName } from '../../inputs/owner.rules.js';

interface StoredFile {
  readonly sizeBytes: string;
  readonly revisionId: string;
  readonly revisionSeq: string;
  readonly storedBytes: number;
  readonly chunks: readonly ListedChunk[];
  /** Concatenated BLAKE3 hashes of the chunks: 32 bytes each. */
  readonly hashes: Buffer;
}

const STORED = query(
  'sync-download',
  (_: Tables, value: FolderName & { pathHash: Buffer }) => sql<StoredFile>`
  SELECT f.size_bytes::text AS "sizeBytes", encode(f.revision_id, 'hex') AS "revisionId", f.revision_seq::text AS "revisionSeq",
         b.size_bytes::double precision AS "storedBytes",
         (SELECT json_agg(json_build_object('key', object_key, 'size', size_bytes) ORDER BY chunk_index)
            FROM sync.chunk WHERE owner_id = b.owner_id AND blob_id = b.id) AS chunks,
         (SELECT string_agg(hash, ''::bytea ORDER BY chunk_index) FROM sync.chunk WHERE owner_id = b.owner_id AND blob_id = b.id)
           AS hashes
    FROM ${FILE_TABLES} WHERE ${isLiveFolder(value)} AND f.path_hash = ${value.pathHash}`,
);

/**
 * The ciphertext of a file, or the range of the Range header; chunks that are read whole are compared with their hashes.
 * @throws BAD_REQUEST invalid_file_id, NOT_FOUND, RANGE_NOT_SATISFIABLE, storage_inconsistency
 */
export async function openFile(
  context: ReadingChunks,
  folder: FolderName,
  { fileId, range }: { readonly fileId: string; readonly range: unknown },
): Promise<ByteAnswer> {
  const pathHash = readFileId(fileId);
  const [file] = await context.database.run(STORED, { ...folder, pathHash });
  if (!file) throw notFound('File not found.');
  const part = readRange(range, file.storedBytes);
  const requested = part ?? { start: 0, end: file.storedBytes };
  const bytes = readStored(context, partsOf(file, requested), 'download');
  // Read the first bytes now: an error can still be answered with a status.
  const first = await bytes.next();
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
    stream: first.done === true ? Readable.from([]) : streamOf(first.value, bytes),
  };
}

function streamOf(first: Buffer, rest: AsyncGenerator<Buffer, void, undefined>): Readable {
  const stream = Readable.from(prepend(first, rest), { objectMode: false });
  // Of a stream that nobody has read, `prepend` has not started: it cannot end the rest.
  stream.once('close', () => void rest.return().catch(() => undefined));
  return stream;
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
