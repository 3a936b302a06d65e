import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { FolderKey, FolderName } from '../../inputs/owner.rules.js';
import type { SyncContext } from '../../services.js';
import { MAX_FOLDERS } from './folder.rules.js';
import { FOLDER_COLUMNS, REGISTERED_AT, type Folder, type Registration, type Unregistration } from './folder.js';
import { lockQuota } from '../../usage/quota.actions.js';
import { ownerIdOf } from '../owner/owner.actions.js';
import { changeForOwner } from '../owner/owner-semaphore.js';

const registeredFolders = (db: Tables, ownerAddress: string) =>
  db
    .selectFrom('folder')
    .innerJoin('owner', 'owner.id', 'folder.ownerId')
    .select(FOLDER_COLUMNS)
    .where('owner.address', '=', ownerAddress)
    .where('folder.label', 'is not', null)
    .where('folder.deletedAt', 'is', null);

const FOLDERS_OF_OWNER = query('folders-of-owner', (db: Tables, value: { ownerAddress: string }) =>
  registeredFolders(db, value.ownerAddress).orderBy(REGISTERED_AT).orderBy('folder.folderHash'),
);

const FOLDERS_BY_ID = query('folders-by-id', (db: Tables, value: { ownerAddress: string; ids: readonly string[] }) =>
  registeredFolders(db, value.ownerAddress).where('folder.id', '=', anyOf(value.ids)),
);

/** The folders with these ids that are registered for this SS58 address, in any order. */
export function foldersById(database: Database, ownerAddress: string, ids: readonly string[]): Promise<Folder[]> {
  return database.run(FOLDERS_BY_ID, { ownerAddress, ids });
}

/** The folders registered for this SS58 address, oldest first. */
export function listFolders(database: Database, ownerAddress: string): Promise<Folder[]> {
  return database.run(FOLDERS_OF_OWNER, { ownerAddress });
}

const LOCK_FOLDER = query('lock-live-folder', (db: Tables, value: FolderName) =>
  db
    .selectFrom('folder')
    .innerJoin('owner', 'owner.id', 'folder.ownerId')
    .select(['folder.ownerId', 'folder.id as folderId'])
    .where('owner.address', '=', value.ownerAddress)
    .where('folder.folderHash', '=', value.folderHash)
    .where('folder.deletedAt', 'is', null)
    .forUpdate('folder'),
);

/** Locks the live folder: concurrent writers wait. @returns undefined if it does not exist */
export async function lockLiveFolder(
  transaction: Transaction,
  { ownerAddress, folderHash }: FolderName,
): Promise<FolderKey | undefined> {
  const [folder] = await transaction.run(LOCK_FOLDER, { ownerAddress, folderHash });
  return folder;
}

/** The registered folders of the owner as they were before the statement that adds one. */
export function otherFolders(ownerId: string) {
  return sql<number>`(SELECT count(*)::integer FROM sync.folder other
    WHERE other.owner_id = ${ownerId} AND other.label IS NOT NULL AND other.deleted_at IS NULL)`.as('others');
}

/** A folder to register; the hash in lower case. */
interface NewFolder {
  readonly ownerAddress: string;
  readonly folderHash: string;
  readonly label: string;
  readonly deviceName: string;
}

const REGISTER_FOLDER = query(
  'register-folder',
  (db: Tables, value: Omit<NewFolder, 'ownerAddress'> & { ownerId: string; now: Date }) =>
    db
      .insertInto('folder')
      .values({
        ownerId: value.ownerId,
        folderHash: value.folderHash,
        label: value.label,
        deviceName: value.deviceName,
        createdAt: value.now,
        updatedAt: value.now,
        registeredAt: value.now,
      })
      .onConflict((on) =>
        on
          .columns(['ownerId', 'folderHash'])
          .where('deletedAt', 'is', null)
          .doUpdateSet((eb) => ({
            label: eb.ref('excluded.label'),
            deviceName: eb.ref('excluded.deviceName'),
            registeredAt: eb.ref('excluded.registeredAt'),
          }))
          .where('folder.label', 'is', null),
      )
      .returning(otherFolders(value.ownerId)),
);

/** Refuses more folders than an owner can have. @param others `otherFolders`, after `lockQuota` @throws BAD_REQUEST too_many_folders */
export function checkFolderCount(others: number): void {
  if (others >= MAX_FOLDERS)
    throw badRequest(`An owner can have at most ${MAX_FOLDERS} registered folders.`, { reason: 'too_many_folders' });
}

/**
 * Registers a folder; concurrent requests of an owner wait for each other, so that the maximum holds.
 * @throws CONFLICT when it is already registered, BAD_REQUEST above the maximum
 */
export function registerFolder(
  context: Pick<SyncContext, 'database' | 'services'>,
  { ownerAddress, ...folder }: NewFolder,
  now: Date,
): Promise<Registration> {
  return changeForOwner(context, ownerAddress, async (transaction) => {
    const ownerId = await ownerIdOf(transaction, ownerAddress, now);
    await lockQuota(transaction, ownerId);
    const [registered] = await transaction.run(REGISTER_FOLDER, { ...folder, ownerId, now });
    if (!registered) throw conflict('This folder is already registered.');
    checkFolderCount(registered.others);
    return { status: 'registered' };
  });
}

const UNREGISTER_FOLDER = query('unregister-folder', (db: Tables, value: FolderName & { now: Date }) =>
  db
    .updateTable('folder')
    .from('owner')
    .set({ deletedAt: value.now })
    .whereRef('owner.id', '=', 'folder.ownerId')
    .where('owner.address', '=', value.ownerAddress)
    .where('folder.folderHash', '=', value.folderHash)
    .where('folder.label', 'is not', null)
    .where('folder.deletedAt', 'is', null)
    .returning([
      'folder.ownerId',
      'folder.id as folderId',
      sql<number>`folder.file_count::double precision`.as('filesDeleted'),
    ]),
);

const DELETE_EMPTY_FOLDER = query('delete-empty-folder', (db: Tables, value: FolderKey) =>
  db
    .deleteFrom('folder')
    .where('folder.ownerId', '=', value.ownerId)
    .where('folder.id', '=', value.folderId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('folderEntry')
            .select(sql`1`.as('one'))
            .whereRef('folderEntry.ownerId', '=', 'folder.ownerId')
            .whereRef('folderId', '=', 'folder.id'),
        ),
      ),
    ),
);

/**
 * Deletes a folder with all its files; its objects are removed later. An empty folder cannot be restored: its row is deleted
 * immediately. @throws NOT_FOUND when it is not registered
 */
export function unregisterFolder(
  database: Database,
  { ownerAddress, folderHash }: FolderName,
  now: Date,
): Promise<Unregistration> {
  return database.change(async (transaction) => {
    const [unregistered] = await transaction.run(UNREGISTER_FOLDER, { ownerAddress, folderHash, now });
    if (!unregistered) throw notFound('This folder is not registered.');
    const { filesDeleted, ...folder } = unregistered;
    if (filesDeleted === 0) await transaction.run(DELETE_EMPTY_FOLDER, folder);
    return { status: 'unregistered', filesDeleted };
  });
}
