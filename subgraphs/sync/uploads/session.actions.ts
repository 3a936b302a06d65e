import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../../kernel/database/database.js';
import { rateLimited } from '../../../kernel/errors.js';
import { requireSignedIn } from '../../../kernel/viewer.js';
import { discardBlobs } from '../blob-store/blob/discard.actions.js';
import type { Manifest } from '../inputs/manifest.rules.js';
import { ownerIdOf } from '../folders/owner/owner.actions.js';
import { changeForOwner } from '../folders/owner/owner-semaphore.js';
import type { SyncContext } from '../services.js';
import { checkLockedFile } from '../usage/quota.actions.js';
import type { Budget } from '../usage/quota.rules.js';
import type { Layout } from './layout.rules.js';
import {
  alreadyFinalized,
  expiryAfter,
  MAX_SESSIONS,
  sessionNotFound,
  requireSessionOwner,
  secondsUntil,
  storeManifest,
  type Session,
  type SessionStatus,
} from './session.rules.js';
import type { UploadSession } from './upload.js';
import { sessionTopic } from './session-topic.js';

const COLUMNS = `
  s.id, o.address AS "ownerAddress", s.blob_id::text AS "blobId", s.manifest, s.state, s.version::text, s.result,
  s.chunk_count AS "chunkCount", s.chunk_size::double precision AS "chunkSize",
  s.ciphertext_size::double precision AS "ciphertextSize", s.expires_at AS "expiresAt",
  CASE WHEN s.hash_version = s.version THEN s.hash END AS hash`;
const LIVE_SESSION = `
  SELECT ${COLUMNS} FROM sync.upload_session s JOIN sync.owner o ON o.id = s.owner_id
   WHERE s.id = $1 AND s.expires_at > $2`;

const SESSION = { name: 'upload-session', text: LIVE_SESSION };

/** The viewer's session. @throws UNAUTHENTICATED, NOT_FOUND when missing or expired, FORBIDDEN for another's */
export async function findSession(
  { database, viewer, now }: Pick<SyncContext, 'database' | 'viewer' | 'now'>,
  id: string,
): Promise<Session> {
  requireSignedIn(viewer);
  const [session] = await database.rows<Session>(SESSION, [id, now()]);
  if (!session) throw sessionNotFound();
  requireSessionOwner(viewer, session);
  return session;
}

/** Locks the session until the end of the transaction: chunks, finalize, deletion and expiry wait. @throws NOT_FOUND */
export async function lockSession(transaction: Transaction, id: string, now: Date): Promise<Session> {
  const [session] = await transaction.execute<Session>(`${LIVE_SESSION} FOR UPDATE OF s`, [id, now]);
  if (!session) throw sessionNotFound();
  return session;
}

interface NewSession {
  readonly manifest: Manifest;
  readonly layout: Layout;
  /** The budget of the owner; undefined if storage is free. */
  readonly budget: Budget | undefined;
}

/** Opens a session for a checked manifest and layout. @throws RATE_LIMITED session_limit, PAYMENT_REQUIRED */
export function openSession(
  context: Pick<SyncContext, 'database' | 'services'>,
  { manifest, layout, budget }: NewSession,
  now: Date,
): Promise<UploadSession> {
  return changeForOwner(context, manifest.ownerAddress, async (transaction) => {
    const ownerId = await ownerIdOf(transaction, manifest.ownerAddress, now);
    await refuseTooManySessions(transaction, ownerId, now);
    const addedBytes = BigInt(layout.ciphertextSize);
    if (budget) await checkLockedFile(transaction, { budget, fileKey: manifest, addedBytes }, now);
    const id = randomBytes(16).toString('hex');
    const expiresAt = expiryAfter(now);
    const { chunkCount, chunkSize, ciphertextSize } = layout;
    await transaction.execute(
      `WITH blob AS (INSERT INTO sync.blob (size_bytes, chunk_size, created_at) VALUES ($7, $6, $8) RETURNING id)
       INSERT INTO sync.upload_session
         (id, owner_id, blob_id, manifest, ciphertext_hash, chunk_count, chunk_size, ciphertext_size, created_at, expires_at)
       SELECT $1, $2, blob.id, $3, $4, $5, $6, $7, $8, $9 FROM blob`,
      [
        id,
        ownerId,
        JSON.stringify(storeManifest(manifest)),
        manifest.ciphertextHash,
        chunkCount,
        chunkSize,
        ciphertextSize,
        now,
        expiresAt,
      ],
    );
    return {
      sessionId: id,
      state: 'receiving',
      totalChunks: chunkCount,
      chunksReceived: [],
      expiresAt: Math.floor(expiresAt.getTime() / 1000),
      ciphertextHash: manifest.ciphertextHash,
    };
  });
}

/** Serializes opening sessions of one owner, so that the limit holds. */
async function refuseTooManySessions(transaction: Transaction, ownerId: string, now: Date): Promise<void> {
  await transaction.execute('SELECT 1 FROM sync.owner WHERE id = $1 FOR NO KEY UPDATE', [ownerId]);
  const [live] = await transaction.execute<{ count: number; firstExpiry: Date }>(
    `SELECT count(*)::integer, min(expires_at) AS "firstExpiry" FROM sync.upload_session
      WHERE owner_id = $1 AND state = 'receiving' AND expires_at > $2`,
    [ownerId, now],
  );
  if (!live || live.count < MAX_SESSIONS) return;
  throw rateLimited(`You have ${MAX_SESSIONS} upload sessions open: finalize or delete one first.`, {
    reason: 'session_limit',
    retryAfter: secondsUntil(live.firstExpiry, now),
  });
}

const STATUS = {
  name: 'upload-session-status',
  text: `
    SELECT s.id AS "sessionId", s.state, s.version::text, s.chunk_count AS "totalChunks",
           s.ciphertext_hash AS "ciphertextHash", floor(extract(epoch FROM s.expires_at))::double precision AS "expiresAt",
           -- As JSON, which is read several times as fast as an array.
           to_json(CASE s.state WHEN 'finalized' THEN ARRAY(SELECT generate_series(0, s.chunk_count - 1))
             ELSE ARRAY(SELECT c.chunk_index FROM sync.chunk c WHERE c.blob_id = s.blob_id ORDER BY c.chunk_index) END)
             AS "chunksReceived"
      FROM sync.upload_session s WHERE s.id = $1 AND s.expires_at > $2`,
};

/** The current session without an owner check; the version changes with every chunk. Undefined if it does not exist. */
export async function readStatus(
  { database, now }: Pick<SyncContext, 'database' | 'now'>,
  id: string,
): Promise<SessionStatus | undefined> {
  const [session] = await database.rows<SessionStatus>(STATUS, [id, now()]);
  return session;
}

/** The current session, with an extended expiry. @throws UNAUTHENTICATED, NOT_FOUND, FORBIDDEN */
export async function refreshSession(context: SyncContext, id: string): Promise<UploadSession> {
  const { ownerAddress } = await findSession(context, id);
  const now = context.now();
  await changeForOwner(context, ownerAddress, (transaction) =>
    transaction.execute(
      `UPDATE sync.upload_session SET expires_at = $2 WHERE id = $1 AND state = 'receiving' AND expires_at > $3`,
      [id, expiryAfter(now), now],
    ),
  );
  const session = await readStatus(context, id);
  if (!session) throw sessionNotFound();
  return session;
}

/** Records a stored chunk: updates the expiry and the version. @returns the blob of its chunks @throws NOT_FOUND, CONFLICT */
export async function touchSession(transaction: Transaction, id: string, now: Date): Promise<string> {
  const [touched] = await transaction.execute<{ blobId: string }>(
    `UPDATE sync.upload_session SET expires_at = $2, version = version + 1
      WHERE id = $1 AND state = 'receiving' AND expires_at > $3 RETURNING blob_id::text AS "blobId"`,
    [id, expiryAfter(now), now],
  );
  if (touched) return touched.blobId;
  await lockSession(transaction, id, now);
  throw alreadyFinalized();
}

/** Deletes a session and its chunks; the file of a finalized session stays. @throws FORBIDDEN */
export async function deleteSession(context: SyncContext, id: string): Promise<void> {
  const viewer = requireSignedIn(context.viewer);
  const now = context.now();
  // The owner is only known from the row: limit by the caller.
  const callerAddress = viewer.kind === 'user' ? (viewer.substrateAddress ?? '') : '';
  await changeForOwner(context, callerAddress, async (transaction) => {
    const [session] = await transaction.execute<{ ownerAddress: string; blobId: string | null }>(
      `SELECT o.address AS "ownerAddress", s.blob_id::text AS "blobId"
         FROM sync.upload_session s JOIN sync.owner o ON o.id = s.owner_id WHERE s.id = $1 FOR UPDATE OF s`,
      [id],
    );
    if (!session) return;
    requireSessionOwner(viewer, session);
    await transaction.execute('DELETE FROM sync.upload_session WHERE id = $1', [id]);
    // A finalized session gave its blob to the file; other blobs have no downloads, so they are due immediately.
    if (session.blobId !== null) {
      await discardBlobs(transaction, [session.blobId], now);
      await context.jobs.enqueue(transaction, 'collect-discarded-objects', {}, { key: 'soon' });
    }
    transaction.publishAfterCommit(sessionTopic(id));
  });
}
