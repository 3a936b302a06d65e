import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { discardBlobs, discardDueAt } from '../../blob-store/blob/discard.actions.js';
import { ownerIdOf } from '../../folders/owner/owner.actions.js';
import { indexFiles } from '../index/index.actions.js';
import { checkLockedQuota, lockQuota } from '../../usage/quota.actions.js';
import type { Budget } from '../../usage/quota.rules.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { checkRevision, nextSequence, type Revision, type RevisionChange } from './revision.rules.js';

/** A file to write: manifest and blob. */
export interface NewFile {
  readonly manifest: Omit<Manifest, 'ciphertextHash' | keyof RevisionChange> & RevisionChange;
  /** Id of its row. */
  readonly blobId: string;
  /** Size of the ciphertext in bytes. */
  readonly storedBytes: number;
  /** The budget of the owner; undefined if storage is free. */
  readonly budget: Budget | undefined;
  /** The `reason` of a conflict with the current revision. Source: decisions, Folder sync */
  readonly conflictReason: 'conflict' | 'upload_conflict';
}

/** A written file. Times in Unix seconds. */
export interface WrittenFile {
  readonly revisionId: Buffer;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface CurrentFile extends Revision {
  readonly id: string;
  readonly sizeBytes: string;
  readonly storedBytes: string;
  readonly blobId: string;
  readonly createdAt: number;
}

/**
 * Writes a file, new or as the next revision, in the transaction of the caller. All uploads end here. Concurrent writers of the
 * folder wait. @throws CONFLICT with the current revision, BAD_REQUEST stale_sequence, PAYMENT_REQUIRED
 */
export async function writeFile(
  transaction: Transaction,
  { manifest, ...file }: NewFile,
  now: Date,
): Promise<WrittenFile> {
  const folderId = await lockFolder(transaction, { ...manifest, isPaid: file.budget !== undefined }, now);
  const present = await lockFile(transaction, folderId, manifest.pathHash);
  checkRevision(manifest, present, file.conflictReason);
  const growth = growthOf(present, { sizeBytes: manifest.sizeBytes, storedBytes: file.storedBytes });
  // Only sessions use `upload_conflict`.
  const addition = { folderId, addedBytes: growth.storedBytes, isReserved: file.conflictReason === 'upload_conflict' };
  if (file.budget) await checkLockedQuota(transaction, file.budget, addition, now);
  const updatedAt = Math.floor(now.getTime() / 1000);
  const createdAt = present?.createdAt ?? updatedAt;
  const revisionId = randomBytes(32);
  const values = [
    folderId,
    manifest.pathHash,
    manifest.saltedHash,
    manifest.sizeBytes,
    manifest.revisionSeq ?? nextSequence(present),
    revisionId,
    manifest.encryptedPath,
    manifest.fileName,
    manifest.relativePath,
    manifest.source,
    manifest.ownerAddress,
    file.blobId,
    createdAt,
    updatedAt,
  ];
  const [written] = await transaction.execute<{ id: string }>(
    `INSERT INTO sync.file (folder_id, path_hash, salted_hash, size_bytes, revision_seq, revision_id, encrypted_path, file_name,
       relative_path, source, uploaded_by, blob_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT ON CONSTRAINT file_once DO UPDATE SET salted_hash = excluded.salted_hash, size_bytes = excluded.size_bytes,
       revision_seq = excluded.revision_seq, revision_id = excluded.revision_id, encrypted_path = excluded.encrypted_path,
       file_name = excluded.file_name, relative_path = excluded.relative_path, source = excluded.source,
       uploaded_by = excluded.uploaded_by, blob_id = excluded.blob_id, updated_at = excluded.updated_at
     RETURNING id::text`,
    values,
  );
  if (!written) throw new Error('an upsert returns its row');
  await indexFiles(transaction, [{ id: written.id, ...manifest }]);
  await grow(transaction, folderId, growth, now);
  if (present) await discardBlobs(transaction, [present.blobId], discardDueAt(now));
  return { revisionId, createdAt, updatedAt };
}

const CURRENT_REVISION = {
  name: 'sync-present-revision',
  text: `
    SELECT f.revision_id AS "revisionId", f.revision_seq::text AS "revisionSeq"
      FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL JOIN sync.file f ON f.folder_id = d.id
     WHERE o.address = $1 AND d.folder_hash = $2 AND f.path_hash = $3`,
};

/** The current revision of the file, for a check before its bytes are read; `writeFile` decides. */
export async function currentRevision(
  database: Database,
  { ownerAddress, folderHash, pathHash }: Pick<Manifest, 'ownerAddress' | 'folderHash' | 'pathHash'>,
): Promise<Revision | undefined> {
  const [present] = await database.rows<Revision>(CURRENT_REVISION, [ownerAddress, folderHash, pathHash]);
  return present;
}

async function lockFile(
  transaction: Transaction,
  folderId: string,
  pathHash: Buffer,
): Promise<CurrentFile | undefined> {
  const [present] = await transaction.execute<CurrentFile>(
    `SELECT f.id::text, f.revision_id AS "revisionId", f.revision_seq::text AS "revisionSeq", f.size_bytes::text AS "sizeBytes",
            b.size_bytes::text AS "storedBytes", f.blob_id::text AS "blobId", f.created_at::double precision AS "createdAt"
       FROM sync.file f JOIN sync.blob b ON b.id = f.blob_id WHERE f.folder_id = $1 AND f.path_hash = $2 FOR UPDATE OF f`,
    [folderId, pathHash],
  );
  return present;
}

/** Locks the live folder until the end of the transaction and creates it if needed; if storage is paid, locks the quota of the owner. */
async function lockFolder(
  transaction: Transaction,
  { ownerAddress, folderHash, isPaid }: Pick<Manifest, 'ownerAddress' | 'folderHash'> & { readonly isPaid: boolean },
  now: Date,
): Promise<string> {
  const ownerId = await ownerIdOf(transaction, ownerAddress, now);
  if (isPaid) await lockQuota(transaction, ownerId);
  const [folder] = await transaction.execute<{ id: string }>(
    `INSERT INTO sync.folder AS f (owner_id, folder_hash, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (owner_id, folder_hash) WHERE deleted_at IS NULL DO UPDATE SET updated_at = excluded.updated_at
     RETURNING f.id::text`,
    [ownerId, folderHash, now],
  );
  if (!folder) throw new Error('an upsert returns its row');
  return folder.id;
}

/** Change of the totals of a folder. */
interface Growth {
  readonly files: number;
  readonly bytes: bigint;
  readonly storedBytes: bigint;
}

function growthOf(
  present: CurrentFile | undefined,
  { sizeBytes, storedBytes }: { readonly sizeBytes: string; readonly storedBytes: number },
): Growth {
  if (!present) return { files: 1, bytes: BigInt(sizeBytes), storedBytes: BigInt(storedBytes) };
  const bytes = BigInt(sizeBytes) - BigInt(present.sizeBytes);
  return { files: 0, bytes, storedBytes: BigInt(storedBytes) - BigInt(present.storedBytes) };
}

async function grow(transaction: Transaction, folderId: string, growth: Growth, now: Date): Promise<void> {
  await transaction.execute(
    `UPDATE sync.folder SET file_count = file_count + $2, total_bytes = total_bytes + $3::numeric,
            stored_bytes = stored_bytes + $4::numeric, updated_at = $5 WHERE id = $1`,
    [folderId, growth.files, `${growth.bytes}`, `${growth.storedBytes}`, now],
  );
}
