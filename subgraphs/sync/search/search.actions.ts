import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../kernel/database/database.js';
import type { Snapshot } from '../../../kernel/database/in-transaction.js';
import { query, type Query } from '../../../kernel/database/query.js';
import { cursorPage } from '../../../kernel/paging/paging.js';
import type { Tables } from '../entities.js';
import { FILE_COLUMNS, FILE_TABLES, type File } from '../files/file/file.js';
import { writeCursor, type Cursor } from './cursor.rules.js';
import type { FileSearchPage } from './search.js';
import { countWithoutRows, isUnfiltered, SEARCHED_OWNER, type SearchedOwner } from './count.actions.js';
import { hasTrigram, likePattern, typeValues } from './search.rules.js';
import type { Order, SortColumn, TypeFilter } from './search.rules.js';

/** Search filters, combined with AND. */
export interface Search {
  readonly ownerAddress: string;
  /** Case-folded. */
  readonly text: string | undefined;
  readonly type: TypeFilter | undefined;
  /** Integers as digits, inclusive; times in Unix seconds. */
  readonly sizeMin: string | undefined;
  readonly sizeMax: string | undefined;
  readonly createdFrom: string | undefined;
  readonly createdTo: string | undefined;
  readonly order: Order;
  readonly offset: number;
  readonly limit: number;
  /** Position of the last file of the previous page. */
  readonly after: Cursor | undefined;
}

/** The filters as SQL values. */
interface Filters extends Pick<Search, 'text' | 'sizeMin' | 'sizeMax' | 'createdFrom' | 'createdTo'> {
  readonly ownerId: string;
  readonly deletedFolders: readonly string[] | null;
  /** LIKE patterns. */
  readonly pattern: string | undefined;
  readonly ending: string | null;
  readonly extensions: readonly string[] | null;
}

/** Planned with their values, unset conditions cost nothing. */
const conditions = (value: Filters) => sql`s.owner_id = ${value.ownerId}
    AND (${value.deletedFolders}::bigint[] IS NULL OR s.folder_id <> ALL (${value.deletedFolders}))
    AND (${value.pattern}::text IS NULL OR s.folded_name LIKE ${value.pattern})
    AND (${value.text}::text IS NULL OR strpos(s.folded_name, ${value.text}) > 0)
    AND (${value.extensions}::text[] IS NULL OR s.extension = ANY (${value.extensions}))
    AND (${value.ending}::text IS NULL OR s.folded_name LIKE ${value.ending})
    AND (${value.sizeMin}::bigint IS NULL OR s.size_bytes >= ${value.sizeMin})
    AND (${value.sizeMax}::bigint IS NULL OR s.size_bytes <= ${value.sizeMax})
    AND (${value.createdFrom}::bigint IS NULL OR s.created_at >= ${value.createdFrom})
    AND (${value.createdTo}::bigint IS NULL OR s.created_at <= ${value.createdTo})`;

/** Maximum bytes of a name in the main index; a separate index covers longer names. */
const INDEXED_BYTES = 2000;

/**
 * Maximum matches that are sorted; with more, the index of the sort order is scanned until the page is full. At this number both
 * read about the same rows for a page of 25 in a million.
 */
const MAX_SORTED = 5_000;

interface Matches {
  readonly count: number;
  /** Null if they are too many to sort, or if all files match. */
  readonly rowIds: readonly string[] | null;
}

const NAME_BYTES = sql`coalesce(octet_length(s.folded_name), 0)`;

/** The number of matches, and their row ids unless they are too many to sort; one statement for all filters. */
const FIND = query(
  'search-find',
  (_: Tables, value: Filters) => sql<Matches>`
  WITH found AS MATERIALIZED (
    SELECT s.file_id FROM sync.file_search s WHERE ${conditions(value)} AND ${NAME_BYTES} <= ${sql.lit(INDEXED_BYTES)}
     UNION ALL
    SELECT s.file_id FROM sync.file_search s WHERE ${conditions(value)} AND ${NAME_BYTES} > ${sql.lit(INDEXED_BYTES)})
  SELECT count::double precision, CASE WHEN count <= ${sql.lit(MAX_SORTED)} THEN ARRAY(SELECT file_id::text FROM found) END AS "rowIds"
    FROM (SELECT count(*) FROM found) AS counted`,
  { isPrepared: false },
);

/** A page after a number of files or after a position. */
interface Page {
  readonly ownerId: string;
  readonly offset: number;
  readonly limit: number;
  readonly sortValue: string | null;
  readonly pathHash: Buffer | null;
  readonly rowId: string | null;
}

/** Statements for a sort order: `sorted` for known row ids, `walked` scans the index of the order. */
interface PageQueries {
  readonly sorted: Query<Page & { readonly rowIds: readonly string[] }, FoundFile>;
  readonly walked: Query<Page & Filters, FoundFile>;
}

const TYPE_OF: Readonly<Record<SortColumn, string>> = {
  file_name: 'text',
  size_bytes: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
};

/** The fence keeps PostgreSQL from scanning the index of the order for these rows. */
const foundRows = ({ ownerId, rowIds }: Page & { readonly rowIds: readonly string[] }) => sql`
  (SELECT * FROM sync.file_search WHERE owner_id = ${ownerId} AND file_id = ANY (${rowIds}::bigint[]) OFFSET 0) s WHERE true`;

function pageQueries(sortColumn: SortColumn, descending: boolean): PageQueries {
  const [type, column] = [sql.raw(TYPE_OF[sortColumn]), sql.ref(sortColumn)];
  const [direction, beyond] = descending ? [sql`DESC`, sql`<`] : [sql`ASC`, sql`>`];
  const page = (found: RawBuilder<unknown>, value: Page) => sql<FoundFile>`
    SELECT k.file_id::text AS "rowId", k.sort_value::text AS "sortValue", ${FILE_COLUMNS}
      FROM (SELECT s.file_id, s.path_hash, s.${column} AS sort_value
              FROM ${found} AND (${value.sortValue}::${type} IS NULL
                OR (s.${column}, s.path_hash, s.file_id) ${beyond} (${value.sortValue}, ${value.pathHash}::bytea, ${value.rowId}::bigint))
             ORDER BY sort_value ${direction}, path_hash ${direction}, file_id ${direction}
             LIMIT ${value.limit} OFFSET ${value.offset}) k
      JOIN (${FILE_TABLES}) ON f.owner_id = ${value.ownerId} AND f.id = k.file_id
     ORDER BY k.sort_value ${direction}, k.path_hash ${direction}, k.file_id ${direction}`;
  const order = `${sortColumn.replace('_', '-')}-${descending ? 'desc' : 'asc'}`;
  return {
    sorted: query(`search-sorted-by-${order}`, (_: Tables, value) => page(foundRows(value), value), {
      isPrepared: false,
    }),
    walked: query(
      `search-walked-by-${order}`,
      (_: Tables, value) => page(sql`sync.file_search s WHERE ${conditions(value)}`, value),
      {
        isPrepared: false,
      },
    ),
  };
}

const pagesBy = (column: SortColumn) => ({
  ascending: pageQueries(column, false),
  descending: pageQueries(column, true),
});

const PAGES = {
  file_name: pagesBy('file_name'),
  size_bytes: pagesBy('size_bytes'),
  created_at: pagesBy('created_at'),
  updated_at: pagesBy('updated_at'),
} satisfies Record<SortColumn, unknown>;

type FoundFile = File & { readonly rowId: string; readonly sortValue: string };

/** A page of matching files of an owner with the exact total count, from one snapshot. */
export function searchFiles(database: Database, search: Search): Promise<FileSearchPage> {
  return database.snapshot(async (snapshot) => {
    const { ownerAddress, offset, limit } = search;
    const [owner] = await snapshot.run(SEARCHED_OWNER, { ownerAddress });
    if (!owner) return { ...NOTHING, ownerAddress, totalCount: 0, hasMore: false, offset, limit };
    const filters = filtersOf(owner, search);
    const matches = await findMatches(snapshot, search, { owner, filters });
    const { count: totalCount } = matches;
    const isAny = totalCount > 0 && limit > 0;
    const page = isAny ? await readMatches(snapshot, search, { ...matches, filters }) : NOTHING;
    return { ownerAddress, hasMore: offset + page.files.length < totalCount, ...page, totalCount, offset, limit };
  });
}

const NOTHING = { files: [], endCursor: null };

const NO_MATCHES: Matches = { count: 0, rowIds: null };

async function readMatches(
  snapshot: Snapshot,
  { order, offset, limit, after }: Search,
  { filters, rowIds }: Matches & { readonly filters: Filters },
): Promise<Pick<FileSearchPage, 'files' | 'hasMore' | 'endCursor'>> {
  const { sorted, walked } = PAGES[order.column][order.descending ? 'descending' : 'ascending'];
  // One extra row shows whether there is a next page.
  const page = {
    ownerId: filters.ownerId,
    offset,
    limit: limit + 1,
    sortValue: after?.sortValue ?? null,
    pathHash: after ? Buffer.from(after.pathHash, 'hex') : null,
    rowId: after?.rowId ?? null,
  };
  const found = await (rowIds
    ? snapshot.run(sorted, { ...page, rowIds })
    : snapshot.run(walked, { ...page, ...filters }));
  const { results, nextCursor } = cursorPage(found, limit, (last) => writeCursor(order, last));
  return { files: results, hasMore: nextCursor !== null, endCursor: nextCursor };
}

function filtersOf({ id, deletedFolders }: SearchedOwner, { text, type, ...search }: Search): Filters {
  const [extensions, ending] = typeValues(type);
  // As a LIKE pattern if the trigram index can be used.
  const isPattern = text !== undefined && hasTrigram(text);
  return {
    ownerId: id,
    deletedFolders,
    pattern: isPattern ? likePattern(text, 'anywhere') : undefined,
    text: isPattern ? undefined : text,
    extensions,
    ending,
    sizeMin: search.sizeMin,
    sizeMax: search.sizeMax,
    createdFrom: search.createdFrom,
    createdTo: search.createdTo,
  };
}

/** The count comes from counters or one index where they have it. */
async function findMatches(
  snapshot: Snapshot,
  search: Search,
  { owner, filters }: { readonly owner: SearchedOwner; readonly filters: Filters },
): Promise<Matches> {
  if (isUnfiltered(search)) return { count: owner.fileCount, rowIds: null };
  const count = await countWithoutRows(snapshot, owner, search);
  // Few matches are found and sorted: the index of the order might be read to its end.
  if (count !== undefined && (count === 0 || count > MAX_SORTED)) return { count, rowIds: null };
  const [matches] = await snapshot.run(FIND, filters);
  return matches ?? NO_MATCHES;
}
