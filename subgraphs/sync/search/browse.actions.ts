import type { Database, Snapshot } from '../../../kernel/database/database.js';
import { FILE_COLUMNS, FILE_TABLES, type File } from '../files/file/file.js';
import { MAX_REPORTED_BYTES } from '../folders/folder/folder.js';
import { INDEXED_CHARACTERS } from '../inputs/path.rules.js';
import type { BrowseColumn } from './browse.rules.js';
import type { Directory, DirectoryListing } from './search.js';
import { typeValues, type TypeFilter } from './search.rules.js';

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

/** The live folder and the files below a directory: `$1` owner, `$2` folder, `$3` the directory with its slash. */
const BELOW = `sync.owner o
  JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
  JOIN sync.file f ON f.folder_id = d.id AND f.relative_path IS NOT NULL
   AND left(f.relative_path, ${INDEXED_CHARACTERS}) COLLATE "C" >= left($3, ${INDEXED_CHARACTERS})
   AND ($3 = '' OR left(f.relative_path, ${INDEXED_CHARACTERS}) COLLATE "C" < left($3, ${INDEXED_CHARACTERS}) || U&'\\+10FFFF')
   AND starts_with(f.relative_path, $3)
 WHERE o.address = $1 AND d.folder_hash = $2`;

const REST = 'substr(f.relative_path, length($3) + 1)';

const COUNTS = `
  SELECT count(DISTINCT split_part(${REST}, '/', 1)) FILTER (WHERE strpos(${REST}, '/') > 0)::double precision AS directories,
         count(*) FILTER (WHERE strpos(${REST}, '/') = 0)::double precision AS files
    FROM ${BELOW}`;

const DIRECTORIES = `
  SELECT split_part(${REST}, '/', 1) AS name, count(*)::double precision AS "fileCount",
         least(sum(f.size_bytes), ${MAX_REPORTED_BYTES})::text AS "totalBytes"
    FROM ${BELOW} AND strpos(${REST}, '/') > 0
   GROUP BY 1 ORDER BY lower(split_part(${REST}, '/', 1)) COLLATE "C", 1 LIMIT $4 OFFSET $5`;

/** Files directly in the directory that match the filters `$4` to `$6`. */
const FILES = `(SELECT f.id, f.uploaded_by FROM ${BELOW} AND strpos(${REST}, '/') = 0) i
  JOIN sync.file_search s ON s.file_id = i.id
 WHERE ($4::text[] IS NULL OR s.extension = ANY ($4)) AND ($5::text IS NULL OR s.folded_name LIKE $5)
   AND ($6::text IS NULL OR i.uploaded_by = $6)`;

const FILTERED_COUNT = `SELECT count(*)::double precision AS files FROM ${FILES}`;

/** The file name, taken from the path if there is only a path. */
const NAME = `regexp_replace(coalesce(s.folded_name, ''), '^.*/', '')`;

const COLUMNS: Readonly<Record<BrowseColumn, string>> = {
  file_name: NAME,
  size_bytes: 's.size_bytes',
  created_at: 's.created_at',
  updated_at: 's.updated_at',
  extension: `coalesce(s.extension, '')`,
  uploaded_by: `coalesce(i.uploaded_by, '')`,
};

function pageText(EXPRESSION: string, DIRECTION: 'ASC' | 'DESC'): string {
  const ORDER = `${EXPRESSION} ${DIRECTION}, ${NAME}, s.path_hash`;
  return `
    SELECT ${FILE_COLUMNS} FROM (
      SELECT s.file_id, row_number() OVER (ORDER BY ${ORDER}) AS place FROM ${FILES} ORDER BY ${ORDER} LIMIT $7 OFFSET $8) k
      JOIN (${FILE_TABLES}) ON f.id = k.file_id ORDER BY k.place`;
}

const PAGES = new Map(
  (Object.keys(COLUMNS) as BrowseColumn[]).flatMap((column) =>
    ([true, false] as const).map((descending): [string, string] => [
      `${column} ${descending}`,
      pageText(COLUMNS[column], descending ? 'DESC' : 'ASC'),
    ]),
  ),
);

/** The entries of a directory from one snapshot. One offset counts both: directories first, then files. */
export function browseDirectory(database: Database, browse: Browse): Promise<DirectoryListing> {
  const { ownerAddress, folderHash, path, offset, limit } = browse;
  return database.snapshot(async (snapshot) => {
    const place = [ownerAddress, folderHash, path === '' ? '' : `${path}/`];
    const counts = await countEntries(snapshot, place, browse);
    const folders =
      offset < counts.directories ? await snapshot.execute<Directory>(DIRECTORIES, [...place, limit, offset]) : [];
    const page = { offset: Math.max(0, offset - counts.directories), limit: limit - folders.length };
    const isAny = page.limit > 0 && page.offset < counts.files;
    const files = isAny ? await readFiles(snapshot, place, { ...browse, ...page }) : [];
    const totalCount = counts.directories + counts.files;
    const hasMore = offset + folders.length + files.length < totalCount;
    return { ownerAddress, folderHash, path, folders, files, totalCount, hasMore, offset, limit };
  });
}

function readFiles(
  snapshot: Snapshot,
  place: readonly unknown[],
  { order, limit, offset, ...browse }: Browse,
): Promise<File[]> {
  const text = PAGES.get(`${order.column} ${order.descending}`) ?? '';
  return snapshot.execute<File>(text, [...place, ...filterValues(browse), limit, offset]);
}

type Filters = Pick<Browse, 'type' | 'uploadedBy'>;

function filterValues({ type, uploadedBy }: Filters): unknown[] {
  return [...typeValues(type), uploadedBy ?? null];
}

interface Counts {
  readonly directories: number;
  readonly files: number;
}

/** A filter on files excludes directories. Source: client facts, 4.5 */
async function countEntries(snapshot: Snapshot, place: readonly unknown[], filters: Filters): Promise<Counts> {
  const isFiltered = filters.type !== undefined || filters.uploadedBy !== undefined;
  const [counts] = isFiltered
    ? await snapshot.execute<{ files: number }>(FILTERED_COUNT, [...place, ...filterValues(filters)])
    : await snapshot.execute<Counts>(COUNTS, place);
  return { directories: 0, files: 0, ...counts };
}
