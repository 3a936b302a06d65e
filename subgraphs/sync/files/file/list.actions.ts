import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { FILE_COLUMNS, FILE_TABLES, type File, type FileList } from './file.js';
import type { FolderName } from '../../inputs/owner.rules.js';

/** Whether `d` is this live folder. */
export const isLiveFolder = ({ ownerAddress, folderHash }: FolderName) =>
  sql`d.owner_id = (SELECT id FROM sync.owner WHERE address = ${ownerAddress}) AND d.folder_hash = ${folderHash} AND d.deleted_at IS NULL`;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

type Row = File & { readonly totalCount: number };

/** A page with the total count, from one snapshot; a row without a file if the page is empty. */
const STATE = query(
  'sync-state',
  (_: Tables, value: FolderName & Page) => sql<Row | { readonly fileId: null; readonly totalCount: number }>`
  SELECT o.file_count::double precision AS "totalCount", page.*
    FROM (SELECT d.owner_id, d.id, d.file_count FROM sync.folder d WHERE ${isLiveFolder(value)}) o
    LEFT JOIN LATERAL (
      SELECT ${FILE_COLUMNS}
        FROM (SELECT id FROM sync.file WHERE owner_id = o.owner_id AND folder_id = o.id
               ORDER BY path_hash LIMIT ${value.limit} OFFSET ${value.offset}) k
        JOIN (${FILE_TABLES}) ON f.owner_id = o.owner_id AND f.id = k.id) page ON true
   ORDER BY page."pathHash"`,
);

/** The files of a folder, ordered by path hash; none if the folder does not exist. */
export async function listFiles(
  database: Database,
  { ownerAddress, folderHash }: FolderName,
  { offset, limit }: Page,
): Promise<FileList> {
  const rows = await database.run(STATE, { ownerAddress, folderHash, offset, limit });
  const files = rows.filter((row): row is Row => row.fileId !== null);
  const totalCount = rows[0]?.totalCount ?? 0;
  return { ownerAddress, folderHash, files, totalCount, hasMore: offset + files.length < totalCount, offset, limit };
}

const ONE = query(
  'sync-file',
  (_: Tables, value: FolderName & { pathHash: Buffer }) => sql<File>`
  SELECT ${FILE_COLUMNS} FROM ${FILE_TABLES} WHERE ${isLiveFolder(value)} AND f.path_hash = ${value.pathHash}`,
);

/** A file of a folder. @throws NOT_FOUND */
export async function findFile(database: Database, folder: FolderName, pathHash: Buffer): Promise<File> {
  const [file] = await database.run(ONE, { ...folder, pathHash });
  if (!file) throw notFound('File not found.');
  return file;
}
