import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { rateLimited } from '../../../../kernel/errors.js';
import { requireSignedIn } from '../../../../kernel/security/viewer.js';
import { discardBlobs } from '../../blob-store/blob/discard.actions.js';
import type { Tables } from '../../entities.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { ownerIdOf } from '../../folders/owner/owner.actions.js';
import { changeForOwner } from '../../folders/owner/owner-semaphore.js';
import type { SyncContext } from '../../services.js';
import { checkLockedFile, lockQuota } from '../../usage/quota.actions.js';
import type { Budget } from '../../usage/quota.rules.js';
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
  type SessionKey,
  type SessionStatus,
} from './session.rules.js';
import type { UploadSession } from './upload.js';
import { sessionTopic } from './session-topic.js';

const liveSession = (db: Tables, value: { id: string; now: Date }) =>
  db
    .selectFrom('uploadSession as s')
    .innerJoin('owner', 'owner.id', 's.ownerId')
    .select([
      's.id',
      's.ownerId',
      'owner.address as ownerAddress',
      's.blobId',
      's.manifest',
      's.state',
      's.version',
      's.result',
      's.chunkCount',
      sql<number>`s.chunk_size::double precision`.as('chunkSize'),
      sql<number>`s.ciphertext_size::double precision`.as('ciphertextSize'),
      's.expiresAt',
      sql<Buffer | null>`CASE WHEN s.hash_version = s.version THEN s.hash END`.as('hash'),
    ])
    .where('s.id', '=', value.id)
    .where('s.expiresAt', '>', value.now);

const SESSION = query('upload-session', liveSession);
const LOCK_SESSION = query('lock-upload-session', (db: Tables, value: SessionKey & { now: Date }) =>
  liveSession(db, value).where('s.ownerId', '=', value.ownerId).forUpdate('s'),
);

/** The viewer's session. @throws UNAUTHENTICATED, NOT_FOUND when missing or expired, FORBIDDEN for another's */
export async function findSession(
  { database, viewer, now }: Pick<SyncContext, 'database' | 'viewer' | 'now'>,
  id: string,
): Promise<Session> {
  requireSignedIn(viewer);
  const [session] = await database.run(SESSION, { id, now: now() });
  if (!session) throw sessionNotFound();
  requireSessionOwner(viewer, session);
  return session;
}

/** Locks the session until the end of the transaction: chunks, finalize, deletion and expiry wait. @throws NOT_FOUND */
export async function lockSession(transaction: Transaction, key: SessionKey, now: Date): Promise<Session> {
  const [session] = await transaction.run(LOCK_SESSION, { ownerId: key.ownerId, id: key.id, now });
  if (!session) throw sessionNotFound();
  return session;
}

interface NewSession {
  readonly manifest: Manifest;
  readonly layout: Layout;
  /** The budget of the owner; undefined if storage is free. */
  readonly budget: Budget | undefined;
}

interface SessionValues extends Layout {
  readonly id: string;
  readonly ownerId: string;
  readonly manifest: string;
  readonly ciphertextHash: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

const INSERT_SESSION = query(
  'insert-upload-session',
  (_: Tables, value: SessionValues) => sql`
  WITH blob AS (INSERT INTO sync.blob (owner_id, size_bytes, chunk_size, created_at)
                VALUES (${value.ownerId}, ${value.ciphertextSize}, ${value.chunkSize}, ${value.now}) RETURNING id)
  INSERT INTO sync.upload_session
    (id, owner_id, blob_id, manifest, ciphertext_hash, chunk_count, chunk_size, ciphertext_size, created_at, expires_at)
  SELECT ${value.id}, ${value.ownerId}, blob.id, ${value.manifest}, ${value.ciphertextHash}, ${value.chunkCount}, ${value.chunkSize},
         ${value.ciphertextSize}, ${value.now}, ${value.expiresAt} FROM blob`,
);

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
    const { ciphertextHash } = manifest;
    const stored = JSON.stringify(storeManifest(manifest));
    await transaction.run(INSERT_SESSION, { ...layout, id, ownerId, manifest: stored, ciphertextHash, now, expiresAt });
    return {
      sessionId: id,
      state: 'receiving',
      totalChunks: layout.chunkCount,
      chunksReceived: [],
      expiresAt: Math.floor(expiresAt.getTime() / 1000),
      ciphertextHash,
    };
  });
}

const LIVE_SESSIONS = query('count-live-upload-sessions', (db: Tables, value: { ownerId: string; now: Date }) =>
  db
    .selectFrom('uploadSession')
    .select([sql<number>`count(*)::integer`.as('count'), sql<Date>`min(expires_at)`.as('firstExpiry')])
    .where('ownerId', '=', value.ownerId)
    .where('state', '=', sql.lit('receiving'))
    .where('expiresAt', '>', value.now),
);

/** Serializes opening sessions of one owner, so that the limit holds. */
async function refuseTooManySessions(transaction: Transaction, ownerId: string, now: Date): Promise<void> {
  await lockQuota(transaction, ownerId);
  const [live] = await transaction.run(LIVE_SESSIONS, { ownerId, now });
  if (!live || live.count < MAX_SESSIONS) return;
  throw rateLimited(`You have ${MAX_SESSIONS} upload sessions open: finalize or delete one first.`, {
    reason: 'session_limit',
    retryAfter: secondsUntil(live.firstExpiry, now),
  });
}

const STATUS = query(
  'upload-session-status',
  (_: Tables, value: { id: string; now: Date }) => sql<SessionStatus>`
  SELECT s.id AS "sessionId", s.state, s.version::text, s.chunk_count AS "totalChunks",
         s.ciphertext_hash AS "ciphertextHash", floor(extract(epoch FROM s.expires_at))::double precision AS "expiresAt",
         -- As JSON, which is read several times as fast as an array.
         to_json(CASE s.state WHEN 'finalized' THEN ARRAY(SELECT generate_series(0, s.chunk_count - 1))
           ELSE ARRAY(SELECT c.chunk_index FROM sync.chunk c WHERE c.owner_id = s.owner_id AND c.blob_id = s.blob_id
                       ORDER BY c.chunk_index) END)
           AS "chunksReceived"
    FROM sync.upload_session s WHERE s.id = ${value.id} AND s.expires_at > ${value.now}`,
);

/** The current session without an owner check; the version changes with every chunk. Undefined if it does not exist. */
export async function readStatus(
  { database, now }: Pick<SyncContext, 'database' | 'now'>,
  id: string,
): Promise<SessionStatus | undefined> {
  const [session] = await database.run(STATUS, { id, now: now() });
  return session;
}

const REFRESH_SESSION = query(
  'refresh-upload-session',
  (db: Tables, value: SessionKey & { now: Date; expiresAt: Date }) =>
    db
      .updateTable('uploadSession')
      .set({ expiresAt: value.expiresAt })
      .where('ownerId', '=', value.ownerId)
      .where('id', '=', value.id)
      .where('state', '=', sql.lit('receiving'))
      .where('expiresAt', '>', value.now),
);

/** The current session, with an extended expiry. @throws UNAUTHENTICATED, NOT_FOUND, FORBIDDEN */
export async function refreshSession(context: SyncContext, id: string): Promise<UploadSession> {
  const { ownerId, ownerAddress } = await findSession(context, id);
  const now = context.now();
  await changeForOwner(context, ownerAddress, (transaction) =>
    transaction.run(REFRESH_SESSION, { ownerId, id, now, expiresAt: expiryAfter(now) }),
  );
  const session = await readStatus(context, id);
  if (!session) throw sessionNotFound();
  return session;
}

const TOUCH_SESSION = query('touch-upload-session', (db: Tables, value: SessionKey & { now: Date; expiresAt: Date }) =>
  db
    .updateTable('uploadSession')
    .set({ expiresAt: value.expiresAt, version: sql`version + 1` })
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.id)
    .where('state', '=', sql.lit('receiving'))
    .where('expiresAt', '>', value.now)
    // A session that is still receiving has its blob.
    .returning(sql<string>`blob_id`.as('blobId')),
);

/** Records a stored chunk: updates the expiry and the version. @returns the blob of its chunks @throws NOT_FOUND, CONFLICT */
export async function touchSession(transaction: Transaction, session: SessionKey, now: Date): Promise<string> {
  const { ownerId, id } = session;
  const [touched] = await transaction.run(TOUCH_SESSION, { ownerId, id, now, expiresAt: expiryAfter(now) });
  if (touched) return touched.blobId;
  await lockSession(transaction, session, now);
  throw alreadyFinalized();
}

const LOCK_SESSION_TO_DELETE = query('lock-upload-session-to-delete', (db: Tables, value: { id: string }) =>
  db
    .selectFrom('uploadSession as s')
    .innerJoin('owner', 'owner.id', 's.ownerId')
    .select(['s.ownerId', 'owner.address as ownerAddress', 's.blobId'])
    .where('s.id', '=', value.id)
    .forUpdate('s'),
);

const DELETE_SESSION = query('delete-upload-session', (db: Tables, value: SessionKey) =>
  db.deleteFrom('uploadSession').where('ownerId', '=', value.ownerId).where('id', '=', value.id),
);

/** Deletes a session and its chunks; the file of a finalized session stays. @throws FORBIDDEN */
export async function deleteSession(context: SyncContext, id: string): Promise<void> {
  const viewer = requireSignedIn(context.viewer);
  const now = context.now();
  // The owner is only known from the row: limit by the caller.
  const callerAddress = viewer.kind === 'user' ? (viewer.substrateAddress ?? '') : '';
  await changeForOwner(context, callerAddress, async (transaction) => {
    const [session] = await transaction.run(LOCK_SESSION_TO_DELETE, { id });
    if (!session) return;
    requireSessionOwner(viewer, session);
    const { ownerId, blobId } = session;
    await transaction.run(DELETE_SESSION, { ownerId, id });
    // A finalized session gave its blob to the file; other blobs have no downloads, so they are due immediately.
    if (blobId !== null) {
      await discardBlobs(transaction, { ownerId, blobIds: [blobId] }, now);
      await context.jobs.enqueue(transaction, 'collect-discarded-objects', {}, { key: 'soon' });
    }
    transaction.publishAfterCommit(sessionTopic(id));
  });
}
