import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { FolderName } from '../../inputs/owner.rules.js';
import { indexFiles } from '../index/index.actions.js';
import type { SyncContext } from '../../services.js';
import type { PathRegistration, RefusedPath, RelativePathInput, RenameInput, Renaming } from './rename.js';
import { isRelativePath } from '../../inputs/path.rules.js';
import { planRenames, type RenamableFile, type Renamed } from './rename.rules.js';

/** Renames files independently of each other, in one transaction. The stored bytes do not change. */
export function renameFiles(
  database: Database,
  folder: FolderName,
  renames: readonly RenameInput[],
  now: Date,
): Promise<Renaming> {
  return database.change(async (transaction) => {
    const folderId = await lockFolder(transaction, folder);
    const hashes = renames.flatMap(({ oldPathHash, newPathHash }) => [oldPathHash, newPathHash]);
    const files = await transaction.execute<RenamableFile>(
      `SELECT id::text, path_hash AS "pathHash", revision_id AS "revisionId", revision_seq::text AS "revisionSeq"
         FROM sync.file WHERE folder_id = $1 AND path_hash = ANY ($2::bytea[])`,
      [folderId ?? null, hashes],
    );
    const { rows, successes, failures } = planRenames(files, renames);
    if (folderId !== undefined && rows.length > 0) await writeRenames(transaction, { folderId, rows }, now);
    return { status: 'ok', renamedCount: successes.length, successes, failures };
  });
}

/** Locks the folder: concurrent writers wait; undefined if it does not exist. */
async function lockFolder(
  transaction: Transaction,
  { ownerAddress, folderHash }: FolderName,
): Promise<string | undefined> {
  const [folder] = await transaction.execute<{ id: string }>(
    `SELECT d.id::text FROM sync.folder d JOIN sync.owner o ON o.id = d.owner_id
      WHERE o.address = $1 AND d.folder_hash = $2 AND d.deleted_at IS NULL FOR UPDATE OF d`,
    [ownerAddress, folderHash],
  );
  return folder?.id;
}

async function writeRenames(
  transaction: Transaction,
  { folderId, rows }: { readonly folderId: string; readonly rows: readonly Renamed[] },
  now: Date,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  // First move all rows to temporary hashes: one file may take the path of another.
  await transaction.execute(
    `UPDATE sync.file SET path_hash = sha256(convert_to('renamed ' || id || encode(path_hash, 'hex'), 'UTF8'))
      WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
  await transaction.execute(
    `UPDATE sync.file f SET path_hash = n.path_hash, encrypted_path = n.encrypted_path, file_name = n.file_name,
       relative_path = n.relative_path, revision_id = n.revision_id, revision_seq = n.revision_seq, updated_at = $8
       FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::bytea[], $7::numeric[])
         AS n(id, path_hash, encrypted_path, file_name, relative_path, revision_id, revision_seq)
      WHERE f.id = n.id`,
    [
      ids,
      rows.map(({ rename }) => rename.newPathHash),
      rows.map(({ rename }) => rename.newEncryptedPath ?? Buffer.alloc(0)),
      rows.map(({ rename }) => rename.newFileName || null),
      rows.map(({ rename }) => rename.newRelativePath || null),
      rows.map(({ revisionId }) => revisionId),
      rows.map(({ revisionSeq }) => revisionSeq),
      Math.floor(now.getTime() / 1000),
    ],
  );
  const changed = rows.map(({ id, rename }) => ({
    id,
    fileName: rename.newFileName || null,
    relativePath: rename.newRelativePath || null,
  }));
  await indexFiles(transaction, changed);
  await transaction.execute('UPDATE sync.folder SET updated_at = $2 WHERE id = $1', [folderId, now]);
}

interface PathRow {
  readonly id: string;
  readonly fileId: string;
  readonly fileName: string | null;
  readonly relativePath: string | null;
}

/** Sets the path of files without a path; overwrites none. */
export function registerRelativePaths(
  { database, services }: Pick<SyncContext, 'database' | 'services'>,
  folder: FolderName,
  entries: readonly RelativePathInput[],
): Promise<PathRegistration> {
  return database.change(async (transaction) => {
    const folderId = await lockFolder(transaction, folder);
    const ids = entries.map(({ pathHash }) => pathHash.toLowerCase()).filter((id) => /^[0-9a-f]{64}$/.test(id));
    const rows = await transaction.execute<PathRow>(
      `SELECT id::text, encode(path_hash, 'hex') AS "fileId", file_name AS "fileName", relative_path AS "relativePath"
         FROM sync.file WHERE folder_id = $1 AND path_hash = ANY ($2::bytea[])`,
      [folderId ?? null, ids.map((id) => Buffer.from(id, 'hex'))],
    );
    const byFileId = new Map(rows.map((row) => [row.fileId, row]));
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
    await writePaths(transaction, [...taken.values()]);
    return { updated: taken.size, skipped, errors };
  });
}

/** "path_hash: BLAKE3(UTF-8 of the NFC relative path)". Source: client facts, 4.2 */
function hashOf({ hashing }: SyncContext['services'], relativePath: string): string {
  return hashing
    .stream()
    .update(Buffer.from(relativePath.normalize('NFC')))
    .digest()
    .toString('hex');
}

async function writePaths(transaction: Transaction, rows: readonly PathRow[]): Promise<void> {
  await transaction.execute(
    `UPDATE sync.file f SET relative_path = n.relative_path
       FROM unnest($1::bigint[], $2::text[]) AS n(id, relative_path) WHERE f.id = n.id`,
    [rows.map(({ id }) => id), rows.map(({ relativePath }) => relativePath)],
  );
  await indexFiles(transaction, rows);
}
