import type { Database } from '../../../../kernel/database/database.js';
import { notFound } from '../../../../kernel/errors.js';
import { FILE_COLUMNS, FILE_TABLES, type File, type FileList } from './file.js';
import type { FolderName } from '../../inputs/owner.rules.js';

const OF_FOLDER =
  'd.owner_id = (SELECT id FROM sync.owner WHERE address = $1) AND d.folder_hash = $2 AND d.deleted_at IS NULL';

/** A page with the total count, from one snapshot; a row without a file if the page is empty. */
const STATE = {
  name: 'sync-state',
  text: `
    SELECT o.file_count::double precision AS "totalCount", page.*
      FROM (SELECT d.id, d.file_count FROM sync.folder d WHERE ${OF_FOLDER}) o
      LEFT JOIN LATERAL (
        SELECT ${FILE_COLUMNS}
          FROM (SELECT id FROM sync.file WHERE folder_id = o.id ORDER BY path_hash LIMIT $3 OFFSET $4) k
          JOIN (${FILE_TABLES}) ON f.id = k.id) page ON true
     ORDER BY page."pathHash"`,
};

/** The files of a folder, ordered by path hash; none if the folder does not exist. */
export async function listFiles(
  database: Database,
  { ownerAddress, folderHash }: FolderName,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<FileList> {
  type Row = File & { readonly totalCount: number };
  const rows = await database.rows<Row | { fileId: null; totalCount: number }>(STATE, [
    ownerAddress,
    folderHash,
    limit,
    offset,
  ]);
  const files = rows.filter((row): row is Row => row.fileId !== null);
  const totalCount = rows[0]?.totalCount ?? 0;
  return { ownerAddress, folderHash, files, totalCount, hasMore: offset + files.length < totalCount, offset, limit };
}

const ONE = {
  name: 'sync-file',
  text: `SELECT ${FILE_COLUMNS} FROM ${FILE_TABLES} WHERE ${OF_FOLDER} AND f.path_hash = $3`,
};

/** A file of a folder. @throws NOT_FOUND */
export async function findFile(database: Database, folder: FolderName, pathHash: Buffer): Promise<File> {
  const [file] = await database.rows<File>(ONE, [folder.ownerAddress, folder.folderHash, pathHash]);
  if (!file) throw notFound('File not found.');
  return file;
}
