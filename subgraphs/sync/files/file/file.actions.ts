import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { discardBlobs, discardDueAt } from '../../blob-store/blob/discard.actions.js';
import type { Tables } from '../../entities.js';
import { indexFiles } from '../index/index.actions.js';
import type { FileRow } from '../rows.js';
import { checkLockedQuota, lockQuota } from '../../usage/quota.actions.js';
import type { Budget } from '../../usage/quota.rules.js';
import type { FolderKey } from '../../inputs/owner.rules.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import { checkRevision, nextSequence, type Revision, type RevisionChange } from './revision.rules.js';

/** A file to write: manifest and blob. */
export interface NewFile {
  /** Row id of the owner in the manifest. */
  readonly ownerId: string;
  readonly manifest: Omit<Manifest, 'ciphertextHash' | keyof RevisionChange> & RevisionChange;
  /** Id of its row. */
  readonly blobId: string;
  /** Size of the ciphertext in bytes. */
  readonly storedBytes: number;
  /** The budget of the owner; undefined if storage is free. */
  readonly budget: Budget | undefined;
  /** The `reason` of a conflict with the current revision. */
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

type FileValues = Omit<FileRow, 'id'>;

/** The columns of a file that a new revision replaces. */
const REPLACED = [
  'saltedHash',
  'sizeBytes',
  'revisionSeq',
  'revisionId',
  'encryptedPath',
  'fileName',
  'relativePath',
  'source',
  'uploadedBy',
  'blobId',
  'updatedAt',
] as const;

const UPSERT_FILE = query('upsert-file', (db: Tables, value: FileValues) =>
  db
    .insertInto('file')
    .values({
      ownerId: value.ownerId,
      folderId: value.folderId,
      pathHash: value.pathHash,
      saltedHash: value.saltedHash,
      sizeBytes: value.sizeBytes,
      revisionSeq: value.revisionSeq,
      revisionId: value.revisionId,
      encryptedPath: value.encryptedPath,
      fileName: value.fileName,
      relativePath: value.relativePath,
      source: value.source,
      uploadedBy: value.uploadedBy,
      blobId: value.blobId,
      createdAt: value.createdAt,
      updatedAt: value.updatedAt,
    })
    .onConflict((on) =>
      on
        .constraint('file_once')
        .doUpdateSet((eb) => Object.fromEntries(REPLACED.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .returning('id'),
);

/**
 * Writes a file, new or as the next revision, in the transaction of the caller. All uploads end here. Concurrent writers of the
 * folder wait. @throws CONFLICT with the current revision, BAD_REQUEST stale_sequence, PAYMENT_REQUIRED
 */
export async function writeFile(
  transaction: Transaction,
  { ownerId, manifest, ...file }: NewFile,
  now: Date,
): Promise<WrittenFile> {
  const folder = await lockFolder(transaction, { ownerId, ...manifest, isPaid: file.budget !== undefined }, now);
  const present = await lockFile(transaction, folder, manifest.pathHash);
  checkRevision(manifest, present, file.conflictReason);
  const growth = growthOf(present, { sizeBytes: manifest.sizeBytes, storedBytes: file.storedBytes });
  // Only sessions use `upload_conflict`.
  const addition = { ownerId, addedBytes: growth.storedBytes, isReserved: file.conflictReason === 'upload_conflict' };
  if (file.budget) await checkLockedQuota(transaction, file.budget, addition, now);
  const updatedAt = Math.floor(now.getTime() / 1000);
  const createdAt = present?.createdAt ?? updatedAt;
  const revisionId = randomBytes(32);
  const { ownerAddress, revisionSeq = nextSequence(present) } = manifest;
  const values = { ...folder, revisionSeq, revisionId, blobId: file.blobId, uploadedBy: ownerAddress };
  const times = { createdAt: `${createdAt}`, updatedAt: `${updatedAt}` };
  const [written] = await transaction.run(UPSERT_FILE, { ...manifest, ...values, ...times });
  if (!written) throw new Error('an upsert returns its row');
  await indexFiles(transaction, folder, [{ id: written.id, ...manifest }]);
  await growFolder(transaction, folder, growth, now);
  if (present) await discardBlobs(transaction, { ownerId, blobIds: [present.blobId] }, discardDueAt(now));
  return { revisionId, createdAt, updatedAt };
}

const CURRENT_REVISION = query(
  'sync-present-revision',
  (db: Tables, value: Pick<Manifest, 'ownerAddress' | 'folderHash' | 'pathHash'>) =>
    db
      .selectFrom('owner')
      .innerJoin('folder', (join) => join.onRef('folder.ownerId', '=', 'owner.id').on('folder.deletedAt', 'is', null))
      .innerJoin('file', (join) =>
        join.onRef('file.ownerId', '=', 'folder.ownerId').onRef('file.folderId', '=', 'folder.id'),
      )
      .select(['file.revisionId', 'file.revisionSeq'])
      .where('owner.address', '=', value.ownerAddress)
      .where('folder.folderHash', '=', value.folderHash)
      .where('file.pathHash', '=', value.pathHash),
);

/** The current revision of the file, for a check before its bytes are read; `writeFile` decides. */
export async function currentRevision(
  database: Database,
  { ownerAddress, folderHash, pathHash }: Pick<Manifest, 'ownerAddress' | 'folderHash' | 'pathHash'>,
): Promise<Revision | undefined> {
  const [present] = await database.run(CURRENT_REVISION, { ownerAddress, folderHash, pathHash });
  return present;
}

const LOCK_FILE = query('lock-file', (db: Tables, value: FolderKey & { pathHash: Buffer }) =>
  db
    .selectFrom('file')
    .innerJoin('blob', (join) => join.onRef('blob.ownerId', '=', 'file.ownerId').onRef('blob.id', '=', 'file.blobId'))
    .select([
      'file.id',
      'file.revisionId',
      'file.revisionSeq',
      'file.sizeBytes',
      'blob.sizeBytes as storedBytes',
      'file.blobId',
      sql<number>`file.created_at::double precision`.as('createdAt'),
    ])
    .where('file.ownerId', '=', value.ownerId)
    .where('file.folderId', '=', value.folderId)
    .where('file.pathHash', '=', value.pathHash)
    .forUpdate('file'),
);

async function lockFile(
  transaction: Transaction,
  folder: FolderKey,
  pathHash: Buffer,
): Promise<CurrentFile | undefined> {
  const [present] = await transaction.run(LOCK_FILE, { ...folder, pathHash });
  return present;
}

const UPSERT_FOLDER = query(
  'upsert-live-folder',
  (db: Tables, value: { ownerId: string; folderHash: string; now: Date }) =>
    db
      .insertInto('folder')
      .values({ ownerId: value.ownerId, folderHash: value.folderHash, createdAt: value.now, updatedAt: value.now })
      .onConflict((on) =>
        on
          .columns(['ownerId', 'folderHash'])
          .where('deletedAt', 'is', null)
          .doUpdateSet((eb) => ({ updatedAt: eb.ref('excluded.updatedAt') })),
      )
      .returning(['folder.ownerId', 'folder.id as folderId']),
);

/** Locks the live folder until the end of the transaction and creates it if needed; if storage is paid, locks the quota of the owner. */
async function lockFolder(
  transaction: Transaction,
  { ownerId, folderHash, isPaid }: { readonly ownerId: string; readonly folderHash: string; readonly isPaid: boolean },
  now: Date,
): Promise<FolderKey> {
  if (isPaid) await lockQuota(transaction, ownerId);
  const [folder] = await transaction.run(UPSERT_FOLDER, { ownerId, folderHash, now });
  if (!folder) throw new Error('an upsert returns its row');
  return folder;
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

const GROW_FOLDER = query(
  'grow-folder',
  (db: Tables, value: Readonly<Record<keyof Growth, string>> & FolderKey & { now: Date }) =>
    db
      .updateTable('folder')
      .set({
        fileCount: sql`file_count + ${value.files}`,
        totalBytes: sql`total_bytes + ${value.bytes}::numeric`,
        storedBytes: sql`stored_bytes + ${value.storedBytes}::numeric`,
        updatedAt: value.now,
      })
      .where('ownerId', '=', value.ownerId)
      .where('id', '=', value.folderId),
);

/** Adds to the totals of a folder; negative numbers subtract. */
export async function growFolder(
  transaction: Transaction,
  folder: FolderKey,
  { files, bytes, storedBytes }: Growth,
  now: Date,
): Promise<void> {
  const growth = { files: `${files}`, bytes: `${bytes}`, storedBytes: `${storedBytes}` };
  await transaction.run(GROW_FOLDER, { ...growth, ...folder, now });
}
