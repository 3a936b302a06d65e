import { Readable } from 'node:stream';
import { readRange, type ByteRange } from '../../../kernel/byte-range.js';
import type { ByteAnswer } from '../../../kernel/bytes.js';
import { notFound } from '../../../kernel/errors.js';
import type { BlobStore } from '../blob/blob-store.js';
import type { SyncContext } from '../services.js';
import { readFileId } from './file.rules.js';
import type { FolderName } from './list.actions.js';

interface StoredFile {
  readonly sizeBytes: string;
  readonly revisionId: string;
  readonly revisionSeq: string;
  readonly storedBytes: number;
  readonly chunks: readonly Chunk[];
}

interface Chunk {
  readonly key: string;
  readonly size: number;
}

const STORED = {
  name: 'sync-download',
  text: `
    SELECT f.size_bytes::text AS "sizeBytes", encode(f.revision_id, 'hex') AS "revisionId", f.revision_seq::text AS "revisionSeq",
           b.size_bytes::double precision AS "storedBytes",
           (SELECT json_agg(json_build_object('key', object_key, 'size', size_bytes) ORDER BY chunk_index)
              FROM sync.chunk WHERE blob_id = b.id) AS chunks
      FROM sync.file f JOIN sync.folder d ON d.id = f.folder_id JOIN sync.blob b ON b.id = f.blob_id
     WHERE d.owner_id = (SELECT id FROM sync.owner WHERE address = $1) AND d.folder_hash = $2 AND d.deleted_at IS NULL
       AND f.path_hash = $3`,
};

/** The ciphertext of a file, or the part a Range header asks for. @throws BAD_REQUEST invalid_file_id, NOT_FOUND, RANGE_NOT_SATISFIABLE */
export async function openFile(
  { database, services }: Pick<SyncContext, 'database' | 'services'>,
  folder: FolderName,
  { fileId, range }: { readonly fileId: string; readonly range: unknown },
): Promise<ByteAnswer> {
  const pathHash = readFileId(fileId);
  const [file] = await database.rows<StoredFile>(STORED, [folder.ownerAddress, folder.folderHash, pathHash]);
  if (!file) throw notFound('There is no such file.');
  const part = readRange(range, file.storedBytes);
  const wanted = part ?? { start: 0, end: file.storedBytes };
  const pieces = piecesOf(file.chunks, wanted);
  const [first] = pieces;
  // What cannot be read at all is refused while there is still a status to say it with.
  const opened = first && (await services.blobs.read(first.key, first));
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
    length: wanted.end - wanted.start,
    part: part && { start: part.start, totalBytes: file.storedBytes },
    stream: opened
      ? Readable.from(readPieces(services.blobs, opened, pieces.slice(1)), { objectMode: false })
      : Readable.from([]),
  };
}

interface Piece extends ByteRange {
  readonly key: string;
}

/** The parts of chunks that lie in the range. */
function piecesOf(chunks: readonly Chunk[], { start, end }: ByteRange): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  for (const { key, size } of chunks) {
    const piece = { key, start: Math.max(0, start - position), end: Math.min(size, end - position) };
    if (piece.start < piece.end) pieces.push(piece);
    position += size;
  }
  return pieces;
}

async function* readPieces(
  blobs: BlobStore,
  opened: Readable,
  rest: readonly Piece[],
): AsyncGenerator<Buffer, void, undefined> {
  yield* opened as AsyncIterable<Buffer>;
  for (const piece of rest) yield* (await blobs.read(piece.key, piece)) as AsyncIterable<Buffer>;
}
