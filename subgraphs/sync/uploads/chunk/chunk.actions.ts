import { sql } from 'kysely';
import type { ByteSource } from '../../../../kernel/http/bytes.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { Hashing, StreamHasher } from '../../blake3/hashing.js';
import { newObjectKey } from '../../blob-store/store/blob-store.js';
import { removeUnlessBackedUp } from '../../blob-store/blob/backup.actions.js';
import { discardObjects } from '../../blob-store/blob/discard.actions.js';
import { invalid } from '../../inputs/text.rules.js';
import { orRemove } from '../../files/file/new-objects.actions.js';
import { changeForOwner } from '../../folders/owner/owner-semaphore.js';
import type { SyncContext, SyncServices } from '../../services.js';
import { chunkLength, hashedBy, readChunkHash, readChunkIndex } from '../session/layout.rules.js';
import { findSession, touchSession } from '../session/session.actions.js';
import { alreadyFinalized, type Session } from '../session/session.rules.js';
import type { UploadedChunk } from '../session/upload.js';
import { CHUNK_BYTES } from '../session/upload-metrics.js';
import { sessionTopic } from '../session/session-topic.js';

/** A chunk to store. */
interface IncomingChunk {
  readonly sessionId: string;
  /** Whole number as digits. */
  readonly chunkIndex: string;
  readonly bytes: ByteSource;
  /** BLAKE3 of the chunk from the client, hex. */
  readonly blake3: string | undefined;
}

/** A stored chunk without a row yet. */
interface StoredChunk {
  readonly index: number;
  readonly key: string;
  readonly sizeBytes: number;
  readonly hash: Buffer;
  readonly subtrees: Buffer | null;
}

/**
 * Stores a chunk and replaces a former one with the same index. All checks that need no bytes come first; a refused or
 * interrupted chunk leaves nothing. @throws NOT_FOUND, FORBIDDEN, CONFLICT when finalized, BAD_REQUEST, storage_inconsistency
 */
export async function uploadChunk(context: SyncContext, chunk: IncomingChunk): Promise<UploadedChunk> {
  const session = await findSession(context, chunk.sessionId);
  if (session.state === 'finalized') throw alreadyFinalized();
  const index = readChunkIndex(session, chunk.chunkIndex);
  const sizeBytes = chunkLength(session, index);
  const declared = chunk.bytes.length;
  if (declared !== undefined && declared !== sizeBytes) throw wrongSize(index, sizeBytes);
  const expected = chunk.blake3 === undefined ? undefined : readChunkHash(chunk.blake3);
  const stored = await context.services.uploadLimiter.read(session.ownerAddress, sizeBytes, () =>
    storeChunk(context, { session, index, sizeBytes, expected }, chunk.bytes),
  );
  const now = context.now();
  const former = await orRemove(context, [stored.key], (change) =>
    change(session.ownerAddress, (transaction) => recordChunk(transaction, session, stored, now)),
  );
  // Only a late finalize can still be reading the old object, and it retries. A failure here is cleaned up later. A slow store
  // must not take the transactions of other owners.
  if (former !== null)
    await changeForOwner(context, session.ownerAddress, (transaction) =>
      removeUnlessBackedUp(transaction, context.services.blobs, former),
    ).catch(() => undefined);
  CHUNK_BYTES.add([], sizeBytes);
  return { chunkIndex: index };
}

interface Expected {
  readonly session: Session;
  readonly index: number;
  readonly sizeBytes: number;
  readonly expected: Buffer | undefined;
}

/** Writes and hashes the bytes as a stream; durable when it resolves. */
async function storeChunk(
  { services, signal }: { readonly services: SyncServices; readonly signal: AbortSignal },
  { session, index, sizeBytes, expected }: Expected,
  bytes: ByteSource,
): Promise<StoredChunk> {
  const { blobs, hashing } = services;
  const key = newObjectKey();
  const writer = await blobs.create(key, sizeBytes);
  const whole = hashing.stream();
  const piece = openPiece(hashing, session, index);
  try {
    let left = sizeBytes;
    await bytes.read((part) => {
      left -= part.length;
      if (left < 0) throw wrongSize(index, sizeBytes);
      whole.update(part);
      piece?.update(part);
      const written = writer.write(part);
      return written === true ? undefined : written;
    }, signal);
    if (left > 0) throw wrongSize(index, sizeBytes);
    const hash = whole.digest();
    if (expected && !expected.equals(hash))
      throw invalid(`Chunk ${index} does not match its BLAKE3 hash in \`X-Chunk-BLAKE3\`.`);
    await writer.commit();
    return { index, key, sizeBytes, hash, subtrees: piece?.digest() ?? null };
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    whole.close();
    piece?.close();
  }
}

/** Makes the subtree values of the chunk, if the hash of the file is computed from them. */
function openPiece(hashing: Hashing, session: Session, index: number): StreamHasher | undefined {
  const [way, position] = [hashedBy(session), index * session.chunkSize];
  if (way === 'edges') return hashing.edgedPiece(position, chunkLength(session, index));
  return way === 'subtrees' ? hashing.piece(position) : undefined;
}

interface ChunkValues extends StoredChunk {
  readonly ownerId: string;
  readonly sessionId: string;
  readonly blobId: string;
}

/** A replaced chunk has the size of the former one. */
const UPSERT_CHUNK = query(
  'upsert-chunk',
  (_: Tables, { ownerId, sessionId, blobId, index, key, sizeBytes, hash, subtrees }: ChunkValues) => sql<{
    key: string | null;
  }>`
  WITH former AS (SELECT object_key FROM sync.chunk WHERE owner_id = ${ownerId} AND blob_id = ${blobId} AND chunk_index = ${index}),
       counted AS (UPDATE sync.upload_session SET received_bytes = received_bytes + ${sizeBytes}
                    WHERE owner_id = ${ownerId} AND id = ${sessionId} AND NOT EXISTS (SELECT FROM former))
  INSERT INTO sync.chunk (owner_id, blob_id, chunk_index, object_key, size_bytes, hash, subtrees)
  VALUES (${ownerId}, ${blobId}, ${index}, ${key}, ${sizeBytes}, ${hash}, ${subtrees})
      ON CONFLICT ON CONSTRAINT chunk_once DO UPDATE SET object_key = excluded.object_key,
         size_bytes = excluded.size_bytes, hash = excluded.hash, subtrees = excluded.subtrees
  RETURNING (SELECT object_key FROM former) AS key`,
);

/**
 * Inserts the row of the chunk, in a session that is still receiving. @returns the key of the replaced object @throws
 * NOT_FOUND, CONFLICT
 */
async function recordChunk(
  transaction: Transaction,
  session: Session,
  chunk: StoredChunk,
  now: Date,
): Promise<string | null> {
  const { ownerId, id } = session;
  const blobId = await touchSession(transaction, session, now);
  const [former] = await transaction.run(UPSERT_CHUNK, { ...chunk, ownerId, sessionId: id, blobId });
  if (former?.key) await discardObjects(transaction, [former.key], now);
  transaction.publishAfterCommit(sessionTopic(id));
  return former?.key ?? null;
}

function wrongSize(index: number, sizeBytes: number): Error {
  return invalid(`Chunk ${index} must have ${sizeBytes} bytes, as declared when the session was opened.`);
}
