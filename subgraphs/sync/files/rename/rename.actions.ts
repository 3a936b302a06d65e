import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { lockLiveFolder } from '../../folders/folder/folder.actions.js';
import type { FolderKey, FolderName } from '../../inputs/owner.rules.js';
import { indexFiles } from '../index/index.actions.js';
import type { SyncContext } from '../../services.js';
import type { FileRow } from '../rows.js';
import type { PathRegistration, RefusedPath, RelativePathInput, RenameInput, RenameResult } from './rename.js';
import { isRelativePath } from '../../inputs/path.rules.js';
import { planRenames, type Renamed } from './rename.rules.js';

/** Files at these paths; none without a folder. */
const FILES_OF_PATHS = query(
  'files-of-paths',
  (db: Tables, value: Partial<FolderKey> & { pathHashes: readonly Buffer[] }) =>
    db
      .selectFrom('file')
      .select(['id', 'pathHash', 'revisionId', 'revisionSeq', 'fileName', 'relativePath'])
      .where('ownerId', '=', sql<string>`${value.ownerId}`)
      .where('folderId', '=', sql<string>`${value.folderId}`)
      .where('pathHash', '=', anyOf(value.pathHashes)),
);

/** Renames files independently of each other, in one transaction. The stored bytes do not change. */
export function renameFiles(
  database: Database,
  folder: FolderName,
  renames: readonly RenameInput[],
  now: Date,
): Promise<RenameResult> {
  return database.change(async (transaction) => {
    const key = await lockLiveFolder(transaction, folder);
    const pathHashes = renames.flatMap(({ oldPathHash, newPathHash }) => [oldPathHash, newPathHash]);
    const files = await transaction.run(FILES_OF_PATHS, { ...key, pathHashes });
    const { rows, successes, failures } = planRenames(files, renames);
    if (key && rows.length > 0) await writeRenames(transaction, key, rows, now);
    return { status: 'ok', renamedCount: successes.length, successes, failures };
  });
}

const MOVE_AWAY = query(
  'move-files-to-temporary-paths',
  (db: Tables, value: { ownerId: string; ids: readonly string[] }) =>
    db
      .updateTable('file')
      .set({ pathHash: sql`sha256(convert_to('renamed ' || id || encode(path_hash, 'hex'), 'UTF8'))` })
      .where('ownerId', '=', value.ownerId)
      .where('id', '=', anyOf(value.ids)),
);

interface RenamedColumns {
  readonly ownerId: string;
  readonly ids: readonly string[];
  readonly pathHashes: readonly Buffer[];
  readonly encryptedPaths: readonly Buffer[];
  readonly names: readonly (string | null)[];
  readonly paths: readonly (string | null)[];
  readonly revisionIds: readonly Buffer[];
  readonly revisionSeqs: readonly string[];
  readonly updatedAt: number;
}

const RENAME_FILES = query(
  'rename-files',
  (_: Tables, value: RenamedColumns) => sql`
  UPDATE sync.file f SET path_hash = n.path_hash, encrypted_path = n.encrypted_path, file_name = n.file_name,
         relative_path = n.relative_path, revision_id = n.revision_id, revision_seq = n.revision_seq, updated_at = ${value.updatedAt}
    FROM unnest(${value.ids}::bigint[], ${value.pathHashes}::bytea[], ${value.encryptedPaths}::bytea[], ${value.names}::text[],
           ${value.paths}::text[], ${value.revisionIds}::bytea[], ${value.revisionSeqs}::numeric[])
         AS n(id, path_hash, encrypted_path, file_name, relative_path, revision_id, revision_seq)
   WHERE f.owner_id = ${value.ownerId} AND f.id = n.id`,
);

const TOUCH_FOLDER = query('touch-folder', (db: Tables, value: FolderKey & { now: Date }) =>
  db
    .updateTable('folder')
    .set({ updatedAt: value.now })
    .where('ownerId', '=', value.ownerId)
    .where('id', '=', value.folderId),
);

async function writeRenames(
  transaction: Transaction,
  folder: FolderKey,
  rows: readonly Renamed[],
  now: Date,
): Promise<void> {
  const { ownerId } = folder;
  const ids = rows.map(({ id }) => id);
  // First move all rows to temporary hashes: one file may take the path of another.
  await transaction.run(MOVE_AWAY, { ownerId, ids });
  await transaction.run(RENAME_FILES, {
    ownerId,
    ids,
    pathHashes: rows.map(({ rename }) => rename.newPathHash),
    encryptedPaths: rows.map(({ rename }) => rename.newEncryptedPath ?? Buffer.alloc(0)),
    names: rows.map(({ rename }) => rename.newFileName || null),
    paths: rows.map(({ rename }) => rename.newRelativePath || null),
    revisionIds: rows.map(({ revisionId }) => revisionId),
    revisionSeqs: rows.map(({ revisionSeq }) => revisionSeq),
    updatedAt: Math.floor(now.getTime() / 1000),
  });
  const changed = rows.map(({ id, rename }) => ({
    id,
    fileName: rename.newFileName || null,
    relativePath: rename.newRelativePath || null,
  }));
  await indexFiles(transaction, folder, changed);
  await transaction.run(TOUCH_FOLDER, { ...folder, now });
}

type PathRow = Pick<FileRow, 'id' | 'fileName' | 'relativePath'>;

/** Sets the path of files without a path; overwrites none. */
export function registerRelativePaths(
  { database, services }: Pick<SyncContext, 'database' | 'services'>,
  folder: FolderName,
  entries: readonly RelativePathInput[],
): Promise<PathRegistration> {
  return database.change(async (transaction) => {
    const key = await lockLiveFolder(transaction, folder);
    const ids = entries.map(({ pathHash }) => pathHash.toLowerCase()).filter((id) => /^[0-9a-f]{64}$/.test(id));
    const pathHashes = ids.map((id) => Buffer.from(id, 'hex'));
    const rows = await transaction.run(FILES_OF_PATHS, { ...key, pathHashes });
    const byFileId = new Map(rows.map((row) => [row.pathHash.toString('hex'), row]));
    const taken = new Map<string, PathRow>();
    const errors: RefusedPath[] = [];
    let skipped = 0;
    for (const { pathHash, relativePath } of entries) {
      const fileId = pathHash.toLowerCase();
      const row = taken.get(fileId) ?? byFileId.get(fileId);
      const isOfHash = () => hashOf(services, relativePath) === fileId;
      if (!isRelativePath(relativePath)) errors.push({ pathHash, reason: 'invalid_path' });
      else if (!row) errors.push({ pathHash, reason: 'not_found' });
      else if (row.relativePath === relativePath) skipped++;
      else if (row.relativePath !== null || !isOfHash()) errors.push({ pathHash, reason: 'path_mismatch' });
      else taken.set(fileId, { ...row, relativePath });
    }
    if (key && taken.size > 0) await writePaths(transaction, key, [...taken.values()]);
    return { updated: taken.size, skipped, errors };
  });
}

/** BLAKE3 of the relative path in UTF-8, normalized to NFC. */
function hashOf({ hashing }: SyncContext['services'], relativePath: string): string {
  return hashing
    .stream()
    .update(Buffer.from(relativePath.normalize('NFC')))
    .digest()
    .toString('hex');
}

const SET_PATHS = query(
  'set-paths-of-files',
  (
    _: Tables,
    { ownerId, ids, paths }: { ownerId: string; ids: readonly string[]; paths: readonly (string | null)[] },
  ) => sql`
  UPDATE sync.file f SET relative_path = n.relative_path
    FROM unnest(${ids}::bigint[], ${paths}::text[]) AS n(id, relative_path) WHERE f.owner_id = ${ownerId} AND f.id = n.id`,
);

async function writePaths(transaction: Transaction, folder: FolderKey, rows: readonly PathRow[]): Promise<void> {
  const paths = rows.map(({ relativePath }) => relativePath);
  await transaction.run(SET_PATHS, { ownerId: folder.ownerId, ids: rows.map(({ id }) => id), paths });
  await indexFiles(transaction, folder, rows);
}
