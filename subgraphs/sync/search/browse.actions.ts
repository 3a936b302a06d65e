import { sql, type RawBuilder } from 'kysely';
import type { Database, Snapshot } from '../../../kernel/database/database.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
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

/** A directory in a folder. */
interface Place {
  readonly ownerAddress: string;
  readonly folderHash: string;
  /** With its slash at the end; empty for the root. */
  readonly prefix: string;
}

const START = sql`left(f.relative_path, ${sql.lit(INDEXED_CHARACTERS)}) COLLATE "C"`;

/** The live folder and the files below a directory. */
function below({ ownerAddress, folderHash, prefix }: Place) {
  const first = sql`left(${prefix}, ${sql.lit(INDEXED_CHARACTERS)})`;
  return sql`sync.owner o
  JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
  JOIN sync.file f ON f.folder_id = d.id AND f.relative_path IS NOT NULL
   AND ${START} >= ${first} AND (${prefix} = '' OR ${START} < ${first} || U&'\\+10FFFF')
   AND starts_with(f.relative_path, ${prefix})
 WHERE o.address = ${ownerAddress} AND d.folder_hash = ${folderHash}`;
}

const rest = ({ prefix }: Place) => sql`substr(f.relative_path, length(${prefix}) + 1)`;

const COUNTS = query(
  'browse-counts',
  (_: Tables, value: Place) => sql<Counts>`
  SELECT count(DISTINCT split_part(${rest(value)}, '/', 1)) FILTER (WHERE strpos(${rest(value)}, '/') > 0)::double precision AS directories,
         count(*) FILTER (WHERE strpos(${rest(value)}, '/') = 0)::double precision AS files
    FROM ${below(value)}`,
  { isPrepared: false },
);

interface Page {
  readonly limit: number;
  readonly offset: number;
}

const DIRECTORIES = query(
  'browse-directories',
  (_: Tables, value: Place & Page) => sql<Directory>`
  SELECT name, count(*)::double precision AS "fileCount", least(sum(size_bytes), ${sql.lit(MAX_REPORTED_BYTES)})::text AS "totalBytes"
    FROM (SELECT split_part(${rest(value)}, '/', 1) AS name, f.size_bytes FROM ${below(value)} AND strpos(${rest(value)}, '/') > 0) named
   GROUP BY name ORDER BY lower(name) COLLATE "C", name LIMIT ${value.limit} OFFSET ${value.offset}`,
  { isPrepared: false },
);

/** Null if unset. */
interface Filters {
  readonly extensions: readonly string[] | null;
  readonly ending: string | null;
  readonly uploadedBy: string | null;
}

/** Files directly in the directory that match the filters. */
const filesOf = (
  value: Place & Filters,
) => sql`(SELECT f.id, f.uploaded_by FROM ${below(value)} AND strpos(${rest(value)}, '/') = 0) i
  JOIN sync.file_search s ON s.file_id = i.id
 WHERE (${value.extensions}::text[] IS NULL OR s.extension = ANY (${value.extensions}))
   AND (${value.ending}::text IS NULL OR s.folded_name LIKE ${value.ending})
   AND (${value.uploadedBy}::text IS NULL OR i.uploaded_by = ${value.uploadedBy})`;

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
  size_bytes: sql`s.size_bytes`,
  created_at: sql`s.created_at`,
  updated_at: sql`s.updated_at`,
  extension: sql`coalesce(s.extension, '')`,
  uploaded_by: sql`coalesce(i.uploaded_by, '')`,
};

function pageQuery(column: BrowseColumn, direction: 'asc' | 'desc') {
  const order = sql`${EXPRESSIONS[column]} ${sql.raw(direction)}, ${NAME}, s.path_hash`;
  return query(
    `browse-files-by-${column.replace('_', '-')}-${direction}`,
    (_: Tables, value: Place & Filters & Page) => sql<File>`
    SELECT ${FILE_COLUMNS} FROM (
      SELECT s.file_id, row_number() OVER (ORDER BY ${order}) AS place FROM ${filesOf(value)}
       ORDER BY ${order} LIMIT ${value.limit} OFFSET ${value.offset}) k
      JOIN (${FILE_TABLES}) ON f.id = k.file_id ORDER BY k.place`,
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

/** The entries of a directory from one snapshot. One offset counts both: directories first, then files. */
export function browseDirectory(database: Database, browse: Browse): Promise<DirectoryListing> {
  const { ownerAddress, folderHash, path, offset, limit, order } = browse;
  const place = { ownerAddress, folderHash, prefix: path === '' ? '' : `${path}/` };
  const [extensions, ending] = typeValues(browse.type);
  const filters = { extensions, ending, uploadedBy: browse.uploadedBy ?? null };
  return database.snapshot(async (snapshot) => {
    const counts = await countEntries(snapshot, place, filters);
    const folders = offset < counts.directories ? await snapshot.run(DIRECTORIES, { ...place, limit, offset }) : [];
    const page = { offset: Math.max(0, offset - counts.directories), limit: limit - folders.length };
    const isAny = page.limit > 0 && page.offset < counts.files;
    const pageOfFiles = PAGES[order.column][order.descending ? 'descending' : 'ascending'];
    const files = isAny ? await snapshot.run(pageOfFiles, { ...place, ...filters, ...page }) : [];
    const totalCount = counts.directories + counts.files;
    const hasMore = offset + folders.length + files.length < totalCount;
    return { ownerAddress, folderHash, path, folders, files, totalCount, hasMore, offset, limit };
  });
}

interface Counts {
  readonly directories: number;
  readonly files: number;
}

/** A filter on files excludes directories. */
async function countEntries(snapshot: Snapshot, place: Place, filters: Filters): Promise<Counts> {
  const isFiltered = Object.values(filters).some((value) => value !== null);
  const [counts] = isFiltered
    ? await snapshot.run(FILTERED_COUNT, { ...place, ...filters })
    : await snapshot.run(COUNTS, place);
  return { directories: 0, files: 0, ...counts };
}
