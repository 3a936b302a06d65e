import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import type { Snapshot } from '../../../kernel/database/in-transaction.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
import { FILE_COLUMNS, FILE_TABLES, type File } from '../files/file/file.js';
import { MAX_REPORTED_BYTES } from '../folders/folder/folder.js';
import { INDEXED_CHARACTERS } from '../inputs/path.rules.js';
import type { BrowseColumn } from './browse.rules.js';
import type { Directory, DirectoryListing } from './search.js';
import { typeValues, type TypeFilter } from './search.rules.js';

/** Number of leading characters of a name that its index contains. */
const INDEXED = sql.lit(INDEXED_CHARACTERS);

/** A directory and the requested page. */
export interface Browse {
  readonly ownerAddress: string;
  readonly folderHash: string;
  /** Without leading or trailing slash; empty for the root. */
  readonly path: string;
  readonly type: TypeFilter | undefined;
  readonly uploadedBy: string | undefined;
  readonly order: { readonly column: BrowseColumn; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
}

/** A directory that holds files in it or below. */
interface Place {
  readonly ownerId: string;
  readonly directoryId: string;
  readonly folderId: string;
  readonly pathHash: Buffer;
}

const PLACE = query(
  'browse-place',
  (_: Tables, value: Pick<Browse, 'ownerAddress' | 'folderHash'> & { pathHash: Buffer }) => sql<Place & Counts>`
  SELECT x.owner_id AS "ownerId", x.id AS "directoryId", x.folder_id AS "folderId", x.path_hash AS "pathHash",
         x.own_directories::double precision AS directories, x.own_files::double precision AS files
    FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
    JOIN sync.directory x ON x.owner_id = d.owner_id AND x.folder_id = d.id AND x.path_hash = ${value.pathHash}
   WHERE o.address = ${value.ownerAddress} AND d.folder_hash = ${value.folderHash}`,
);

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const DIRECTORY_NAME = sql`lower(name) COLLATE "C"`;

/** The index has only the beginning of names, as a name can be longer than an index can hold. */
const DIRECTORIES = query(
  'browse-directories',
  (_: Tables, value: Place & Page) => sql<Directory>`
  SELECT name, file_count::double precision AS "fileCount", least(total_bytes, ${sql.lit(MAX_REPORTED_BYTES)})::text AS "totalBytes"
    FROM sync.directory WHERE owner_id = ${value.ownerId} AND folder_id = ${value.folderId} AND parent_hash = ${value.pathHash}
   ORDER BY left(lower(name), ${INDEXED}) COLLATE "C", ${DIRECTORY_NAME}, name LIMIT ${value.limit} OFFSET ${value.offset}`,
);

/** Null if unset. */
interface Filters {
  readonly extensions: readonly string[] | null;
  readonly ending: string | null;
  readonly uploadedBy: string | null;
}

const UPLOADER = sql`(SELECT f.uploaded_by FROM sync.file f WHERE f.owner_id = s.owner_id AND f.id = s.file_id)`;

/** Files directly in the directory that match the filters. Planned with their values, unset filters cost nothing. */
const filesOf = (value: Place & Filters) => sql`sync.file_search s
 WHERE s.owner_id = ${value.ownerId} AND s.directory_id = ${value.directoryId}
   AND (${value.extensions}::text[] IS NULL OR s.extension = ANY (${value.extensions}))
   AND (${value.ending}::text IS NULL OR s.folded_name LIKE ${value.ending})
   AND (${value.uploadedBy}::text IS NULL OR ${UPLOADER} = ${value.uploadedBy})`;

const FILTERED_COUNT = query(
  'browse-filtered-count',
  (_: Tables, value: Place & Filters) =>
    sql<{ files: number }>`SELECT count(*)::double precision AS files FROM ${filesOf(value)}`,
  { isPrepared: false },
);

/** The file name, taken from the path if there is only a path. */
const NAME = sql`regexp_replace(coalesce(s.folded_name, ''), '^.*/', '')`;

const EXPRESSIONS: Readonly<Record<BrowseColumn, RawBuilder<unknown>>> = {
  file_name: NAME,
  // An expression, so that the index over all files of the owner is not read in this order.
  size_bytes: sql`(s.size_bytes + 0)`,
  created_at: sql`(s.created_at + 0)`,
  updated_at: sql`(s.updated_at + 0)`,
  extension: sql`coalesce(s.extension, '')`,
  uploaded_by: sql`coalesce(${UPLOADER}, '')`,
};

function pageQuery(column: BrowseColumn, direction: 'asc' | 'desc') {
  const expression = EXPRESSIONS[column];
  // The index has only the beginning of names.
  const start = column === 'file_name' ? sql`left(${NAME}, ${INDEXED}) ${sql.raw(direction)}, ` : sql``;
  const order = sql`${start}${expression} ${sql.raw(direction)}, ${NAME}, s.path_hash`;
  return query(
    `browse-files-by-${column.replace('_', '-')}-${direction}`,
    (_: Tables, value: Place & Filters & Page) => sql<File>`
    SELECT ${FILE_COLUMNS} FROM (
      SELECT s.file_id, row_number() OVER (ORDER BY ${order}) AS place FROM ${filesOf(value)}
       ORDER BY ${order} LIMIT ${value.limit} OFFSET ${value.offset}) k
      JOIN (${FILE_TABLES}) ON f.owner_id = ${value.ownerId} AND f.id = k.file_id ORDER BY k.place`,
    { isPrepared: false },
  );
}

const pagesBy = (column: BrowseColumn) => ({
  ascending: pageQuery(column, 'asc'),
  descending: pageQuery(column, 'desc'),
});

const PAGES = {
  file_name: pagesBy('file_name'),
  size_bytes: pagesBy('size_bytes'),
  created_at: pagesBy('created_at'),
  updated_at: pagesBy('updated_at'),
  extension: pagesBy('extension'),
  uploaded_by: pagesBy('uploaded_by'),
} satisfies Record<BrowseColumn, unknown>;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The entries of a directory from one snapshot. One offset counts both: directories first, then files. */
export function browseDirectory(database: Database, browse: Browse): Promise<DirectoryListing> {
  const { ownerAddress, folderHash, path, offset, limit, order } = browse;
  const answer = { ownerAddress, folderHash, path, offset, limit };
  const [extensions, ending] = typeValues(browse.type);
  const filters = { extensions, ending, uploadedBy: browse.uploadedBy ?? null };
  return database.snapshot(async (snapshot) => {
    const [place] = await snapshot.run(PLACE, { ownerAddress, folderHash, pathHash: sha256(path) });
    if (!place) return { ...answer, folders: [], files: [], totalCount: 0, hasMore: false };
    const counts = await countEntries(snapshot, place, filters);
    const folders = offset < counts.directories ? await snapshot.run(DIRECTORIES, { ...place, limit, offset }) : [];
    const page = { offset: Math.max(0, offset - counts.directories), limit: limit - folders.length };
    const isAny = page.limit > 0 && page.offset < counts.files;
    const pageOfFiles = PAGES[order.column][order.descending ? 'descending' : 'ascending'];
    const files = isAny ? await snapshot.run(pageOfFiles, { ...place, ...filters, ...page }) : [];
    const totalCount = counts.directories + counts.files;
    const hasMore = offset + folders.length + files.length < totalCount;
    return { ...answer, folders, files, totalCount, hasMore };
  });
}

interface Counts {
  readonly directories: number;
  readonly files: number;
}

/** A filter on files excludes directories. */
async function countEntries(snapshot: Snapshot, place: Place & Counts, filters: Filters): Promise<Counts> {
  const isFiltered = Object.values(filters).some((value) => value !== null);
  if (!isFiltered) return place;
  const [counted] = await snapshot.run(FILTERED_COUNT, { ...place, ...filters });
  return { directories: 0, files: counted?.files ?? 0 };
}
