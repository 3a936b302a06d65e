import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { SyncContext } from '../../services.js';
import { checkLockedQuota, lockQuota, readBudget } from '../../usage/quota.actions.js';
import { RESTORE_PERIOD_MS, restorableSince } from '../../usage/restorable.rules.js';
import { closeDaysOf } from '../../usage/close-days.actions.js';
import type { DeletedFolder, PurgedFolder } from './deleted-folder.js';
import type { FolderKey } from '../../inputs/owner.rules.js';
import { findOwnerId } from '../owner/owner.actions.js';
import { changeForOwner } from '../owner/owner-semaphore.js';
import { checkFolderCount, otherFolders } from '../folder/folder.actions.js';
import { FOLDER_COLUMNS, type Folder } from '../folder/folder.js';

interface DeletedPage {
  readonly ownerAddress: string;
  readonly offset: number;
  readonly limit: number;
}

const DELETED_FOLDERS = query('sync-deleted-folders', (db: Tables, value: DeletedPage & { since: Date }) =>
  db
    .selectFrom('folder')
    .innerJoin('owner', 'owner.id', 'folder.ownerId')
    .select([...FOLDER_COLUMNS, 'folder.id as folderId', sql<Date>`folder.deleted_at`.as('deletedAt')])
    .where('owner.address', '=', value.ownerAddress)
    .where('folder.deletedAt', '>', value.since)
    .orderBy('folder.deletedAt', 'desc')
    .orderBy('folder.id', 'desc')
    .offset(value.offset)
    .limit(value.limit),
);

/** A page of the restorable folders of the owner, latest first. */
export async function listDeletedFolders(database: Database, page: DeletedPage, now: Date): Promise<DeletedFolder[]> {
  const folders = await database.run(DELETED_FOLDERS, { ...page, since: restorableSince(now) });
  return folders.map((folder) => ({
    ...folder,
    restorableUntil: new Date(folder.deletedAt.getTime() + RESTORE_PERIOD_MS),
  }));
}

const RESTORE_FOLDER = query('restore-folder', (db: Tables, value: FolderKey) =>
  db
    .updateTable('folder')
    .set({ deletedAt: null })
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.folderId)
    .returning(otherFolders(value.ownerId)),
);

/**
 * Restores a folder with its files; has no effect if it is already restored. The unique key of live folders decides. @throws
 * NOT_FOUND also after the restore period, PAYMENT_REQUIRED when the quota does not allow it, CONFLICT while a live folder has
 * the same hash, BAD_REQUEST above the maximum number of folders
 */
export async function restoreFolder(
  context: SyncContext,
  { ownerAddress, folderId }: { readonly ownerAddress: string; readonly folderId: string },
): Promise<Folder> {
  if (!/^\d{1,18}$/.test(folderId)) throw folderNotFound();
  const budget = await readBudget(context);
  const now = context.now();
  const ownerId = await findOwnerId(context.database, ownerAddress);
  if (ownerId === undefined) throw folderNotFound();
  // Else the ended days on which the folder was deleted are charged for when they are closed.
  await closeDaysOf(unaudited(context.database), ownerId, now);
  return changeForOwner(context, ownerAddress, async (transaction) => {
    await lockQuota(transaction, ownerId);
    const { storedBytes, deletedAt, ...folder } = await lockFolder(transaction, { ownerId, folderId });
    if (deletedAt === null) return folder;
    if (deletedAt <= restorableSince(now)) throw folderNotFound();
    const addedBytes = BigInt(storedBytes);
    if (budget) await checkLockedQuota(transaction, budget, { ownerId, addedBytes, isRestored: true }, now);
    await transaction.run(REMOVE_EMPTY, { ownerId, folderId });
    const [restored] = await transaction.run(RESTORE_FOLDER, { ownerId, folderId }).catch(refuseDuplicate);
    if (!restored) throw folderNotFound();
    checkFolderCount(restored.others);
    return folder;
  });
}

const LOCK_FOLDER_TO_PURGE = query('lock-folder-to-purge', (db: Tables, value: FolderKey) =>
  db
    .selectFrom('folder')
    .select(['id', 'folderHash', 'deletedAt'])
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.folderId)
    .forUpdate(),
);

const END_RESTORE_PERIOD = query('end-restore-period-of-folder', (db: Tables, value: FolderKey) =>
  db
    .updateTable('folder')
    .set({ deletedAt: sql`to_timestamp(0)` })
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.folderId),
);

/** Ends the restore period of a deleted folder by every clock: those of the processes differ. */
export async function endRestorePeriod(transaction: Transaction, folder: FolderKey): Promise<void> {
  await transaction.run(END_RESTORE_PERIOD, folder);
}

/**
 * Purges a deleted folder immediately. Safe to repeat; has no effect if the folder does not exist or belongs to another owner.
 * @throws CONFLICT for a registered folder
 */
export async function purgeFolder(
  { database, jobs, now }: Pick<SyncContext, 'database' | 'jobs' | 'now'>,
  { ownerAddress, folderId }: { readonly ownerAddress: string; readonly folderId: string },
): Promise<PurgedFolder> {
  if (!/^\d{1,18}$/.test(folderId)) return { folderId, purged: true };
  const ownerId = await findOwnerId(database, ownerAddress);
  if (ownerId === undefined) return { folderId, purged: true };
  // A day that has ended is charged for with the files of the folder.
  await closeDaysOf(unaudited(database), ownerId, now());
  await database.change(async (transaction) => {
    const [folder] = await transaction.run(LOCK_FOLDER_TO_PURGE, { ownerId, folderId });
    if (!folder) return undefined;
    if (folder.deletedAt === null) throw conflict('This folder is still registered: unregister it first.');
    await endRestorePeriod(transaction, { ownerId, folderId });
    await jobs.enqueue(transaction, 'purge-folders', {}, { key: 'soon' });
    return folder;
  });
  return { folderId, purged: true };
}

const LOCK_FOLDER_TO_RESTORE = query('lock-folder-to-restore', (db: Tables, value: FolderKey) =>
  db
    .selectFrom('folder')
    .select([...FOLDER_COLUMNS, 'folder.deletedAt', 'folder.storedBytes'])
    .where('folder.ownerId', '=', value.ownerId)
    .where('folder.id', '=', value.folderId)
    .where('folder.label', 'is not', null)
    .forUpdate(),
);

interface LockedFolder extends Folder {
  /** Whole number as digits. */
  readonly storedBytes: string;
  readonly deletedAt: Date | null;
}

/** Locks the folder against a purge. */
async function lockFolder(transaction: Transaction, key: FolderKey): Promise<LockedFolder> {
  const [folder] = await transaction.run(LOCK_FOLDER_TO_RESTORE, key);
  if (!folder) throw folderNotFound();
  return folder;
}

/** Removes a live folder with the same hash if it is unregistered and empty. */
const REMOVE_EMPTY = query(
  'remove-empty-folder-of-same-hash',
  (_: Tables, value: FolderKey) => sql`
  DELETE FROM sync.folder f USING sync.folder restored
   WHERE restored.owner_id = ${value.ownerId} AND restored.id = ${value.folderId} AND f.owner_id = restored.owner_id AND f.folder_hash = restored.folder_hash
     AND f.deleted_at IS NULL AND f.label IS NULL AND f.file_count = 0
     AND NOT EXISTS (SELECT 1 FROM sync.folder_entry e WHERE e.owner_id = f.owner_id AND e.folder_id = f.id)`,
);

function refuseDuplicate(error: unknown): never {
  if (violatedConstraint(error) === 'folder_once')
    throw conflict(
      'Another folder with this hash exists: unregister it first. If it holds files and is not registered, register it before that.',
    );
  throw error;
}

function folderNotFound(): Error {
  return notFound('Folder not found, or it can no longer be restored.');
}
