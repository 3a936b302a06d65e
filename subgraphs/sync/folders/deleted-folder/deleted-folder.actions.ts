import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { SyncContext } from '../../services.js';
import { checkLockedQuota, lockQuota, readBudget } from '../../usage/quota.actions.js';
import type { DeletedFolder, PurgedFolder } from './deleted-folder.js';
import { RESTORABLE_FOR_MS, restorableSince } from './deleted-folder.rules.js';
import { ownerIdOf } from '../owner/owner.actions.js';
import { FOLDER_COLUMNS, type Folder } from '../folder/folder.js';

const DELETED = {
  name: 'sync-deleted-folders',
  text: `
    SELECT f.id::text AS "folderId", ${FOLDER_COLUMNS}, f.deleted_at AS "deletedAt"
      FROM sync.folder f JOIN sync.owner o ON o.id = f.owner_id
     WHERE o.address = $1 AND f.deleted_at > $2 ORDER BY f.deleted_at DESC, f.id DESC OFFSET $3 LIMIT $4`,
};

/** A page of the restorable folders of the owner, latest first. */
export async function listDeletedFolders(
  database: Database,
  { ownerAddress, offset, limit }: { readonly ownerAddress: string; readonly offset: number; readonly limit: number },
  now: Date,
): Promise<DeletedFolder[]> {
  const folders = await database.rows<Omit<DeletedFolder, 'restorableUntil'>>(DELETED, [
    ownerAddress,
    restorableSince(now),
    offset,
    limit,
  ]);
  return folders.map((folder) => ({
    ...folder,
    restorableUntil: new Date(folder.deletedAt.getTime() + RESTORABLE_FOR_MS),
  }));
}

/**
 * Restores a folder with its files; has no effect if it is already restored. The unique key of live folders decides. @throws
 * NOT_FOUND also after the restore period, PAYMENT_REQUIRED when the quota does not allow it, CONFLICT while a live folder has
 * the same hash
 */
export async function restoreFolder(
  context: SyncContext,
  { ownerAddress, folderId }: { readonly ownerAddress: string; readonly folderId: string },
): Promise<Folder> {
  if (!/^\d{1,18}$/.test(folderId)) throw folderNotFound();
  const budget = await readBudget(context);
  const now = context.now();
  return context.database.change(async (transaction) => {
    if (budget) await lockQuota(transaction, await ownerIdOf(transaction, ownerAddress, now));
    const folder = await lockFolder(transaction, { ownerAddress, folderId });
    if (folder.deletedAt === null) return folder;
    if (folder.deletedAt <= restorableSince(now)) throw folderNotFound();
    const addedBytes = BigInt(folder.storedBytes);
    if (budget) await checkLockedQuota(transaction, budget, { folderId, addedBytes }, now);
    await removeEmpty(transaction, folderId);
    const restored = await transaction
      .execute('UPDATE sync.folder SET deleted_at = NULL WHERE id = $1 RETURNING id', [folderId])
      .catch(refuseDuplicate);
    if (restored.length === 0) throw folderNotFound();
    return folder;
  });
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
  await database.change(async (transaction) => {
    const [folder] = await transaction.execute<{ isLive: boolean }>(
      `SELECT f.deleted_at IS NULL AS "isLive" FROM sync.folder f JOIN sync.owner o ON o.id = f.owner_id
        WHERE o.address = $1 AND f.id = $2 FOR UPDATE OF f`,
      [ownerAddress, folderId],
    );
    if (!folder) return;
    if (folder.isLive) throw conflict('This folder is still registered: unregister it first.');
    await transaction.execute('UPDATE sync.folder SET deleted_at = least(deleted_at, $2) WHERE id = $1', [
      folderId,
      restorableSince(now()),
    ]);
    await jobs.enqueue(transaction, 'purge-folders', {}, { key: 'soon' });
  });
  return { folderId, purged: true };
}

interface LockedFolder extends Folder {
  /** Whole number as digits. */
  readonly storedBytes: string;
  readonly deletedAt: Date | null;
}

/** Locks the folder against a purge. */
async function lockFolder(
  transaction: Transaction,
  { ownerAddress, folderId }: { readonly ownerAddress: string; readonly folderId: string },
): Promise<LockedFolder> {
  const [folder] = await transaction.execute<LockedFolder>(
    `SELECT o.address AS "ownerAddress", ${FOLDER_COLUMNS}, f.deleted_at AS "deletedAt", f.stored_bytes::text AS "storedBytes"
       FROM sync.folder f JOIN sync.owner o ON o.id = f.owner_id
      WHERE o.address = $1 AND f.id = $2 AND f.label IS NOT NULL FOR UPDATE OF f`,
    [ownerAddress, folderId],
  );
  if (!folder) throw folderNotFound();
  return folder;
}

/** Removes a live folder with the same hash if it is unregistered and empty. */
async function removeEmpty(transaction: Transaction, folderId: string): Promise<void> {
  await transaction.execute(
    `DELETE FROM sync.folder f USING sync.folder restored
      WHERE restored.id = $1 AND f.owner_id = restored.owner_id AND f.folder_hash = restored.folder_hash
        AND f.deleted_at IS NULL AND f.label IS NULL AND f.file_count = 0
        AND NOT EXISTS (SELECT 1 FROM sync.folder_entry e WHERE e.folder_id = f.id)`,
    [folderId],
  );
}

function refuseDuplicate(error: unknown): never {
  if (violatedConstraint(error) === 'folder_once')
    throw conflict('Another folder with the same hash is registered: unregister it first.');
  throw error;
}

function folderNotFound(): Error {
  return notFound('Folder not found, or it can no longer be restored.');
}
