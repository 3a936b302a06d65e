import type { Database, Snapshot } from '../../../kernel/database/database.js';
import { FILE_COLUMNS, FILE_TABLES, type File } from '../files/file/file.js';
import { writeCursor, type Cursor } from './cursor.rules.js';
import type { FileSearchPage } from './search.js';
import { hasTrigram, likePattern, typeValues, type Order, type SortColumn, type TypeFilter } from './search.rules.js';

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

/** Planned with their values, unset conditions cost nothing. */
const CONDITIONS = `s.owner_id = $1 AND ($2::bigint[] IS NULL OR s.folder_id <> ALL ($2))
    AND ($3::text IS NULL OR s.folded_name LIKE $3) AND ($4::text IS NULL OR strpos(s.folded_name, $4) > 0)
    AND ($5::text[] IS NULL OR s.extension = ANY ($5)) AND ($6::text IS NULL OR s.folded_name LIKE $6)
    AND ($7::bigint IS NULL OR s.size_bytes >= $7) AND ($8::bigint IS NULL OR s.size_bytes <= $8)
    AND ($9::bigint IS NULL OR s.created_at >= $9) AND ($10::bigint IS NULL OR s.created_at <= $10)`;

/** Maximum bytes of a name in the main index; a separate index covers longer names. */
const INDEXED_BYTES = 2000;

/**
 * Maximum matches that are sorted; with more, the index of the sort order is scanned until the page is full. At this number both
 * read about the same rows for a page of 25 in a million.
 */
const MAX_SORTED = 5_000;

/** The number of matches, and their row ids unless they are too many to sort; one statement for all filters. */
const FIND = `
  WITH found AS MATERIALIZED (
    SELECT s.file_id FROM sync.file_search s WHERE ${CONDITIONS} AND coalesce(octet_length(s.folded_name), 0) <= ${INDEXED_BYTES}
     UNION ALL
    SELECT s.file_id FROM sync.file_search s WHERE ${CONDITIONS} AND coalesce(octet_length(s.folded_name), 0) > ${INDEXED_BYTES})
  SELECT count::double precision, CASE WHEN count <= ${MAX_SORTED} THEN ARRAY(SELECT file_id::text FROM found) END AS "rowIds"
    FROM (SELECT count(*) FROM found) AS counted`;

/** Statements for a sort order: `sorted` for known row ids, `walked` scans the index of the order. */
interface PageTexts {
  readonly sorted: string;
  readonly walked: string;
}

const TYPE_OF: Readonly<Record<SortColumn, string>> = {
  file_name: 'text',
  size_bytes: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
};

/** The last five values are the page: limit, offset, and the position of the previous page. */
function pageTexts(COLUMN: SortColumn, DIRECTION: 'ASC' | 'DESC'): PageTexts {
  const TYPE = TYPE_OF[COLUMN];
  const BEYOND = DIRECTION === 'ASC' ? '>' : '<';
  const page = (WHICH: string, valuesBefore: number) => {
    const [LIMIT, OFFSET, VALUE, HASH, ROW] = [1, 2, 3, 4, 5].map((place) => `$${valuesBefore + place}`);
    return `
    SELECT k.file_id::text AS "rowId", k.sort_value::text AS "sortValue", ${FILE_COLUMNS}
      FROM (SELECT s.file_id, s.path_hash, s.${COLUMN} AS sort_value FROM sync.file_search s
             WHERE ${WHICH} AND (${VALUE}::${TYPE} IS NULL
                OR (s.${COLUMN}, s.path_hash, s.file_id) ${BEYOND} (${VALUE}, ${HASH}::bytea, ${ROW}::bigint))
             ORDER BY sort_value ${DIRECTION}, path_hash ${DIRECTION}, file_id ${DIRECTION} LIMIT ${LIMIT} OFFSET ${OFFSET}) k
      JOIN (${FILE_TABLES}) ON f.id = k.file_id
     ORDER BY k.sort_value ${DIRECTION}, k.path_hash ${DIRECTION}, k.file_id ${DIRECTION}`;
  };
  return { sorted: page('s.file_id = ANY ($1::bigint[])', 1), walked: page(CONDITIONS, 10) };
}

const TEXTS = new Map(
  (Object.keys(TYPE_OF) as SortColumn[]).flatMap((column) =>
    ([true, false] as const).map((descending): [string, PageTexts] => [
      `${column} ${descending}`,
      pageTexts(column, descending ? 'DESC' : 'ASC'),
    ]),
  ),
);

type FoundFile = File & { readonly rowId: string; readonly sortValue: string };

/** A page of matching files of an owner with the exact total count, from one snapshot. */
export function searchFiles(database: Database, search: Search): Promise<FileSearchPage> {
  return database.snapshot(async (snapshot) => {
    const { ownerAddress, offset, limit } = search;
    const owner = await findOwner(snapshot, ownerAddress);
    const values = owner ? matchValues(owner, search) : [];
    const matches = owner ? await findMatches(snapshot, search, { owner, values }) : NO_MATCHES;
    const { count: totalCount } = matches;
    const isAny = totalCount > 0 && limit > 0;
    const page = isAny ? await readMatches(snapshot, search, { ...matches, values }) : NOTHING;
    return { ownerAddress, hasMore: offset + page.files.length < totalCount, ...page, totalCount, offset, limit };
  });
}

const NOTHING = { files: [], endCursor: null };

interface Matches {
  readonly count: number;
  /** Null if they are too many to sort, or if all files match. */
  readonly rowIds: readonly string[] | null;
}

const NO_MATCHES: Matches = { count: 0, rowIds: null };

async function readMatches(
  snapshot: Snapshot,
  { order, offset, limit, after }: Search,
  { values, rowIds }: Matches & { readonly values: readonly unknown[] },
): Promise<Pick<FileSearchPage, 'files' | 'hasMore' | 'endCursor'>> {
  const texts = TEXTS.get(`${order.column} ${order.descending}`);
  const text = rowIds ? texts?.sorted : texts?.walked;
  const position = after ? [after.sortValue, Buffer.from(after.pathHash, 'hex'), after.rowId] : [null, null, null];
  // One extra row shows whether there is a next page.
  const page = [limit + 1, offset, ...position];
  const found = await snapshot.execute<FoundFile>(text ?? '', rowIds ? [rowIds, ...page] : [...values, ...page]);
  const files = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = files.at(-1);
  return { files, hasMore, endCursor: last && hasMore ? writeCursor(order, last) : null };
}

interface OwnerRow {
  readonly id: string;
  readonly fileCount: number;
  /** Deleted folders that are not purged yet; null: none. */
  readonly deletedFolders: readonly string[] | null;
}

async function findOwner(snapshot: Snapshot, address: string): Promise<OwnerRow | undefined> {
  const [owner] = await snapshot.execute<OwnerRow>(
    `SELECT o.id::text, coalesce(sum(d.file_count) FILTER (WHERE d.deleted_at IS NULL), 0)::double precision AS "fileCount",
            array_agg(d.id::text) FILTER (WHERE d.deleted_at IS NOT NULL AND d.file_count > 0) AS "deletedFolders"
       FROM sync.owner o LEFT JOIN sync.folder d ON d.owner_id = o.id WHERE o.address = $1 GROUP BY o.id`,
    [address],
  );
  return owner;
}

function matchValues(owner: OwnerRow, { text, type, ...rest }: Search): unknown[] {
  return [
    owner.id,
    owner.deletedFolders,
    ...textValues(text),
    ...typeValues(type),
    rest.sizeMin ?? null,
    rest.sizeMax ?? null,
    rest.createdFrom ?? null,
    rest.createdTo ?? null,
  ];
}

/** As a LIKE pattern if the trigram index can be used, else as plain text. */
function textValues(text: string | undefined): [pattern: string | null, text: string | null] {
  if (text === undefined) return [null, null];
  return hasTrigram(text) ? [likePattern(text, 'anywhere'), null] : [null, text];
}

/** Without filters the count comes from the counters of the folders. */
async function findMatches(
  snapshot: Snapshot,
  { text, type, sizeMin, sizeMax, createdFrom, createdTo }: Search,
  { owner, values }: { readonly owner: OwnerRow; readonly values: readonly unknown[] },
): Promise<Matches> {
  const filters = [text, type, sizeMin, sizeMax, createdFrom, createdTo];
  if (filters.every((filter) => filter === undefined)) return { count: owner.fileCount, rowIds: null };
  const [matches] = await snapshot.execute<Matches>(FIND, values);
  return matches ?? NO_MATCHES;
}
