import type { Database, Transaction } from '../../../kernel/database/database.js';
import { readStored } from '../blob-store/check/damage.actions.js';
import { currentRevision, writeFile } from '../files/file/file.actions.js';
import { invalid } from '../inputs/text.rules.js';
import type { Manifest } from '../inputs/manifest.rules.js';
import { checkRevision } from '../files/file/revision.rules.js';
import { changeForOwner } from '../folders/owner/owner-semaphore.js';
import type { SyncContext } from '../services.js';
import { readBudget } from '../usage/quota.actions.js';
import type { Budget } from '../usage/quota.rules.js';
import { chunkLength, hashedBy } from './layout.rules.js';
import { findSession, lockSession } from './session.actions.js';
import { expiryAfter, loadManifest, type Session } from './session.rules.js';
import type { UploadResult } from '../files/file/upload-result.js';
import { sessionTopic } from './session-topic.js';

/** Maximum retries of the hash when chunks change meanwhile. */
const MAX_TRIES = 10;

/**
 * Writes the file of a session when all its chunks are stored; a repeated call returns the same result. Of concurrent calls one
 * writes and all get its result. A refused call changes nothing and can be repeated. @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST
 * invalid_manifest or stale_sequence, CONFLICT upload_conflict, PAYMENT_REQUIRED
 */
export async function finalizeUpload(context: SyncContext, sessionId: string): Promise<UploadResult> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const session = await findSession(context, sessionId);
    if (session.result) return session.result;
    const hash = await hashOf(context, session).catch((error: unknown) => unlessChanged(context, session, error));
    if (!hash) continue;
    const { version } = session;
    const budget = await readBudget(context);
    const now = context.now();
    const result = await changeForOwner(context, session.ownerAddress, (tx) =>
      writeIfUnchanged(tx, { sessionId, version, hash, budget }, now),
    );
    if (result) return result;
  }
  throw invalid('Chunks are still being uploaded: finalize when all chunks are stored.');
}

/** Chunks that are being read were replaced: retry, nothing is lost. */
async function unlessChanged(context: SyncContext, { id, version }: Session, error: unknown): Promise<undefined> {
  const present = await findSession(context, id);
  if (present.version === version && present.state === 'receiving') throw error;
}

interface Hashed {
  readonly sessionId: string;
  /** The session version of this hash. */
  readonly version: string;
  readonly hash: Buffer;
  readonly budget: Budget | undefined;
}

/** The result; undefined if a chunk arrived after the hash was computed. */
async function writeIfUnchanged(
  transaction: Transaction,
  { sessionId, version, hash, budget }: Hashed,
  now: Date,
): Promise<UploadResult | undefined> {
  const session = await lockSession(transaction, sessionId, now);
  if (session.result) return session.result;
  if (session.version !== version || session.blobId === null) return undefined;
  const manifest = loadManifest(session.manifest);
  // The file now owns the blob of the session: replacing the file discards it.
  await transaction.execute('UPDATE sync.upload_session SET blob_id = NULL WHERE id = $1', [sessionId]);
  const { blobId, ciphertextSize: storedBytes } = session;
  const file = { manifest, blobId, storedBytes, budget, conflictReason: 'upload_conflict' as const };
  const written = await writeFile(transaction, file, now);
  // Check the base, the sequence number and the credits first. Source: decisions, Folder sync
  checkHash(hash, manifest);
  await transaction.execute('UPDATE sync.blob SET hash = $2 WHERE id = $1', [blobId, hash]);
  const result = {
    uploadId: sessionId,
    timestamp: written.updatedAt,
    revisionId: written.revisionId.toString('hex'),
    createdAt: written.createdAt,
    updatedAt: written.updatedAt,
  };
  await transaction.execute(
    `UPDATE sync.upload_session SET state = 'finalized', result = $2, expires_at = $3 WHERE id = $1`,
    [sessionId, JSON.stringify(result), expiryAfter(now)],
  );
  transaction.publishAfterCommit(sessionTopic(sessionId));
  return result;
}

function checkHash(hash: Buffer, { ciphertextHash }: Manifest): void {
  if (!hash.equals(Buffer.from(ciphertextHash, 'hex')))
    throw invalid('The BLAKE3 hash of the chunks does not match `ciphertext_hash` in the manifest.');
}

interface ChunkRow {
  readonly index: number;
  readonly key: string;
  readonly sizeBytes: number;
  readonly hash: Buffer;
  readonly subtrees: Buffer | null;
}

const CHUNKS = {
  name: 'chunks-of-blob',
  text: `
    SELECT c.chunk_index AS index, c.object_key AS key, c.size_bytes::double precision AS "sizeBytes", c.hash, c.subtrees
      FROM sync.chunk c
     WHERE c.blob_id = $1 ORDER BY c.chunk_index`,
};

const STATE = { name: 'upload-session-state', text: 'SELECT s.state FROM sync.upload_session s WHERE s.id = $1' };

/** BLAKE3 of the stored chunks. @throws BAD_REQUEST invalid_manifest when some are missing */
async function hashOf(context: SyncContext, session: Session): Promise<Buffer> {
  const { database, services } = context;
  const chunks = await database.rows<ChunkRow>(CHUNKS, [session.blobId]);
  const missing = session.chunkCount - chunks.length;
  if (missing > 0) throw invalid(`${missing} of ${session.chunkCount} chunks are missing.`);
  const way = hashedBy(session);
  if (way === 'chunk') return hashOfOnly(chunks);
  if (way === 'subtrees') return services.hashing.combine(chunks.map((chunk) => pieceOf(session, chunk)));
  // An early check, to avoid reading a terabyte for nothing; `writeFile` decides.
  await refuseStaleBase(database, session);
  if (session.hash) return session.hash;
  const hash = await readOnce(context, session, chunks);
  await keepHash(context, session, hash);
  return hash;
}

/** Saves the hash: a repeated call for the same chunks does not read them. */
async function keepHash(context: SyncContext, { id, ownerAddress, version }: Session, hash: Buffer): Promise<void> {
  await changeForOwner(context, ownerAddress, (transaction) =>
    transaction.execute(
      'UPDATE sync.upload_session SET hash = $3, hash_version = version WHERE id = $1 AND version = $2 AND hash_version IS DISTINCT FROM version',
      [id, version, hash],
    ),
  );
}

async function refuseStaleBase(database: Database, { id, manifest: stored }: Session): Promise<void> {
  const manifest = loadManifest(stored);
  const present = await currentRevision(database, manifest);
  const [session] = await database.rows<Pick<Session, 'state'>>(STATE, [id]);
  // A concurrent call may have written it.
  if (session?.state === 'receiving') checkRevision(manifest, present, 'upload_conflict');
}

function hashOfOnly([chunk]: readonly ChunkRow[]): Buffer {
  if (!chunk) throw new Error('the one chunk of a file is there');
  return chunk.hash;
}

function pieceOf(session: Session, { index, subtrees }: ChunkRow) {
  const position = index * session.chunkSize;
  return { position, length: chunkLength(session, index), subtrees: subtrees ?? Buffer.alloc(0) };
}

/** Reads all chunks to hash them; concurrent calls share the result. */
function readOnce(context: SyncContext, { id, version }: Session, chunks: readonly ChunkRow[]): Promise<Buffer> {
  return context.services.runningHashes.join(`${id} ${version}`, () => readAll(context, chunks));
}

/** @throws storage_inconsistency also for a chunk that is no longer what arrived: the client has not to answer for that */
async function readAll(context: SyncContext, chunks: readonly ChunkRow[]): Promise<Buffer> {
  const hasher = context.services.hashing.stream();
  try {
    const parts = chunks.map((chunk) => ({ ...chunk, start: 0, end: chunk.sizeBytes }));
    for await (const bytes of readStored(context, parts, 'finalize')) hasher.update(bytes);
    return hasher.digest();
  } finally {
    hasher.close();
  }
}
