import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { freeBytes } from '../../../../kernel/http/free-bytes.js';
import { readStored } from '../../blob-store/scrub/damage.actions.js';
import type { Tables } from '../../entities.js';
import { currentRevision, writeFile } from '../../files/file/file.actions.js';
import { invalid } from '../../inputs/text.rules.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { checkRevision } from '../../files/file/revision.rules.js';
import { changeForOwner } from '../../folders/owner/owner-semaphore.js';
import type { SyncContext } from '../../services.js';
import { checkQuota, readBudget } from '../../usage/quota.actions.js';
import type { Budget } from '../../usage/quota.rules.js';
import { chunkLength, hashedBy } from '../session/layout.rules.js';
import { findSession, lockSession } from '../session/session.actions.js';
import { expiryAfter, loadManifest, type Session, type SessionKey } from '../session/session.rules.js';
import type { UploadResult } from '../../files/file/upload-result.js';
import { sessionTopic } from '../session/session-topic.js';

/** Maximum attempts to hash while chunks change. */
const MAX_ATTEMPTS = 10;

/**
 * Writes the file of a session when all its chunks are stored; a repeated call returns the same result. Concurrent calls write
 * once and return the same result. A refused call changes nothing and can be repeated. @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST
 * invalid_manifest or stale_sequence, CONFLICT upload_conflict, PAYMENT_REQUIRED, storage_inconsistency
 */
export async function finalizeUpload(context: SyncContext, sessionId: string): Promise<UploadResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const session = await findSession(context, sessionId);
    if (session.result) return session.result;
    const hash = await hashOf(context, session).catch((error: unknown) =>
      rethrowUnlessChanged(context, session, error),
    );
    if (!hash) continue;
    const { ownerId, id, version } = session;
    const budget = await readBudget(context);
    const now = context.now();
    const result = await changeForOwner(context, session.ownerAddress, (tx) =>
      writeIfUnchanged(tx, { ownerId, id, version, hash, budget }, now),
    );
    if (result) return result;
  }
  throw invalid('Chunks are still being uploaded: finalize when all chunks are stored.');
}

/** Returns if the chunks changed during hashing (the caller retries); otherwise rethrows. */
async function rethrowUnlessChanged(
  context: SyncContext,
  { id, version }: Session,
  error: unknown,
): Promise<undefined> {
  const current = await findSession(context, id);
  if (current.version === version && current.state === 'receiving') throw error;
}

interface HashedSession extends SessionKey {
  /** The session version of this hash. */
  readonly version: string;
  readonly hash: Buffer;
  readonly budget: Budget | undefined;
}

interface FinalizedSession extends SessionKey {
  readonly blobId: string;
  readonly hash: Buffer;
  readonly result: string;
  readonly expiresAt: Date;
}

/** The file now owns the blob of the session: replacing the file discards the blob. */
const FINALIZE_SESSION = query(
  'finalize-upload-session',
  (_: Tables, { ownerId, id, blobId, hash, result, expiresAt }: FinalizedSession) => sql`
  WITH hashed AS (UPDATE sync.blob SET hash = ${hash} WHERE owner_id = ${ownerId} AND id = ${blobId})
  UPDATE sync.upload_session SET state = 'finalized', blob_id = NULL, result = ${result}::jsonb, expires_at = ${expiresAt}
   WHERE owner_id = ${ownerId} AND id = ${id}`,
);

/** The result; undefined if a chunk arrived after the hash was computed. */
async function writeIfUnchanged(
  transaction: Transaction,
  { ownerId, id, version, hash, budget }: HashedSession,
  now: Date,
): Promise<UploadResult | undefined> {
  const session = await lockSession(transaction, { ownerId, id }, now);
  if (session.result) return session.result;
  if (session.version !== version || session.blobId === null) return undefined;
  const manifest = loadManifest(session.manifest);
  const { blobId, ciphertextSize: storedBytes } = session;
  const file = { ownerId, manifest, blobId, storedBytes, budget, conflictReason: 'upload_conflict' as const };
  const { createdAt, updatedAt, revisionId } = await writeFile(transaction, file, now);
  // After `writeFile`, which refuses a stale base, a stale sequence number or missing credits first.
  checkHash(hash, manifest);
  const result = { uploadId: id, timestamp: updatedAt, revisionId: revisionId.toString('hex'), createdAt, updatedAt };
  const expiresAt = expiryAfter(now);
  await transaction.run(FINALIZE_SESSION, { ownerId, id, blobId, hash, result: JSON.stringify(result), expiresAt });
  transaction.publishAfterCommit(sessionTopic(id));
  return result;
}

function checkHash(hash: Buffer, { ciphertextHash }: Manifest): void {
  if (!hash.equals(Buffer.from(ciphertextHash, 'hex')))
    throw invalid('The BLAKE3 hash of the chunks does not match `ciphertext_hash` in the manifest.');
}

interface HashedChunk {
  readonly index: number;
  readonly key: string;
  readonly sizeBytes: number;
  readonly hash: Buffer;
  readonly subtrees: Buffer | null;
}

const CHUNKS = query('chunks-of-blob', (db: Tables, value: Pick<Session, 'ownerId' | 'blobId'>) =>
  db
    .selectFrom('chunk')
    .select([
      'chunkIndex as index',
      'objectKey as key',
      sql<number>`size_bytes::double precision`.as('sizeBytes'),
      'hash',
      'subtrees',
    ])
    .where('ownerId', '=', value.ownerId)
    .where('blobId', '=', sql<string>`${value.blobId}`)
    .orderBy('chunkIndex'),
);

const STATE = query('upload-session-state', (db: Tables, value: SessionKey) =>
  db.selectFrom('uploadSession').select('state').where('ownerId', '=', value.ownerId).where('id', '=', value.id),
);

/** BLAKE3 of the stored chunks. @throws CONFLICT upload_conflict, BAD_REQUEST invalid_manifest when some are missing */
async function hashOf(context: SyncContext, session: Session): Promise<Buffer> {
  const { database, services } = context;
  const chunks = await database.run(CHUNKS, { ownerId: session.ownerId, blobId: session.blobId });
  const missing = session.chunkCount - chunks.length;
  if (missing > 0) {
    await refuseEarly(context, session);
    throw invalid(`${missing} of ${session.chunkCount} chunks are missing.`);
  }
  const method = hashedBy(session);
  if (method === 'chunk') return singleChunkHash(chunks);
  const pieces = chunks.flatMap((chunk) => pieceOf(session, chunk) ?? []);
  if (pieces.length === chunks.length)
    return method === 'edges' ? services.hashing.combineEdged(pieces) : services.hashing.combine(pieces);
  // An early check, to avoid reading a terabyte for nothing; `writeFile` decides.
  await refuseEarly(context, session);
  if (session.hash) return session.hash;
  const hash = await readOnce(context, session, chunks);
  await storeHash(context, session, hash);
  return hash;
}

const STORE_HASH = query('store-hash-of-session', (db: Tables, value: SessionKey & { version: string; hash: Buffer }) =>
  db
    .updateTable('uploadSession')
    .set((eb) => ({ hash: value.hash, hashVersion: eb.ref('version') }))
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.id)
    .where('version', '=', value.version)
    .whereRef('hashVersion', 'is distinct from', 'version'),
);

/** Saves the hash: a repeated call for the same chunks does not read them. */
async function storeHash(
  { database, services }: SyncContext,
  { ownerId, id, ownerAddress, version }: Session,
  hash: Buffer,
): Promise<void> {
  await changeForOwner({ database: unaudited(database), services }, ownerAddress, (transaction) =>
    transaction.run(STORE_HASH, { ownerId, id, version, hash }),
  );
}

/** Refuses a stale base, then a file that cannot be paid for. */
async function refuseEarly(context: SyncContext, { ownerId, id, ciphertextSize, ...stored }: Session): Promise<void> {
  const { database } = context;
  const manifest = loadManifest(stored.manifest);
  const current = await currentRevision(database, manifest);
  const [session] = await database.run(STATE, { ownerId, id });
  // A concurrent call may have written it.
  if (session?.state !== 'receiving') return;
  checkRevision(manifest, current, 'upload_conflict');
  await checkQuota(context, { fileKey: manifest, addedBytes: BigInt(ciphertextSize), isReserved: true });
}

function singleChunkHash([chunk]: readonly HashedChunk[]): Buffer {
  if (!chunk) throw new Error('a single-chunk upload has no chunk');
  return chunk.hash;
}

/** Null for a chunk without subtree values. */
function pieceOf(session: Session, { index, subtrees }: HashedChunk) {
  return subtrees && { position: index * session.chunkSize, length: chunkLength(session, index), subtrees };
}

/** Reads all chunks to hash them; concurrent calls share the result. */
function readOnce(context: SyncContext, { id, version }: Session, chunks: readonly HashedChunk[]): Promise<Buffer> {
  return context.services.runningHashes.join(`${id} ${version}`, () => readAll(context, chunks));
}

/** @throws storage_inconsistency, also for a chunk that changed after its upload: that is not the client's error */
async function readAll(context: SyncContext, chunks: readonly HashedChunk[]): Promise<Buffer> {
  const hasher = context.services.hashing.stream();
  try {
    const parts = chunks.map((chunk) => ({ ...chunk, start: 0, end: chunk.sizeBytes }));
    for await (const bytes of readStored(context, parts, 'finalize')) {
      hasher.update(bytes);
      freeBytes(bytes);
    }
    return hasher.digest();
  } finally {
    hasher.close();
  }
}
