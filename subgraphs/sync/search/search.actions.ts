import type { Database, Snapshot } from '../../../kernel/database.js';
import { FILE_COLUMNS, FILE_TABLES, type File } from '../file/file.js';
import { writeCursor, type Cursor } from './cursor.rules.js';
import type { FileSearchPage } from './search.js';
import { hasTrigram, likePattern, typeValues, type Order, type SortColumn, type TypeFilter } from './search.rules.js';

/** What to look for; all that is set must hold. */
export interface Search {
  readonly ownerAddress: string;
  /** Folded. */
  readonly text: string | undefined;
  readonly type: TypeFilter | undefined;
  /** Whole numbers as digits, both ends included; times in Unix seconds. */
  readonly sizeMin: string | undefined;
  readonly sizeMax: string | undefined;
  readonly createdFrom: string | undefined;
  readonly createdTo: string | undefined;
  readonly order: Order;
  readonly offset: number;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after: Cursor | undefined;
}

/** With their values known when it is planned, conditions that are not set cost nothing. */
const MATCHES = `sync.file_search s
  WHERE s.owner_id = $1 AND s.folder_id <> ALL ($2::bigint[])
    AND ($3::text IS NULL OR s.folded_name LIKE $3) AND ($4::text IS NULL OR strpos(s.folded_name, $4) > 0)
    AND ($5::text[] IS NULL OR s.extension = ANY ($5)) AND ($6::text IS NULL OR s.folded_name LIKE $6)
    AND ($7::bigint IS NULL OR s.size_bytes >= $7) AND ($8::bigint IS NULL OR s.size_bytes <= $8)
    AND ($9::bigint IS NULL OR s.created_at >= $9) AND ($10::bigint IS NULL OR s.created_at <= $10)`;

const COUNT = `SELECT count(*)::double precision AS count FROM ${MATCHES}`;

/** Matches up to which they are sorted after they are found; of more, the order's own index is walked until the page is full. */
const MOST_SORTED = 20_000;

/** Statements for an order: `sorted` finds first, `walked` lets the planner follow the order. */
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

function pageTexts(COLUMN: SortColumn, DIRECTION: 'ASC' | 'DESC'): PageTexts {
  const TYPE = TYPE_OF[COLUMN];
  const BEYOND = DIRECTION === 'ASC' ? '>' : '<';
  const AFTER = `($13::${TYPE} IS NULL OR (s.${COLUMN}, s.path_hash, s.file_id) ${BEYOND} ($13, $14::bytea, $15::bigint))`;
  const FOUND = `SELECT s.file_id, s.path_hash, s.${COLUMN} AS sort_value FROM ${MATCHES} AND ${AFTER}`;
  const page = (FROM: string) => `
    SELECT k.file_id::text AS "rowId", k.sort_value::text AS "sortValue", ${FILE_COLUMNS}
      FROM (${FROM} ORDER BY sort_value ${DIRECTION}, path_hash ${DIRECTION}, file_id ${DIRECTION} LIMIT $11 OFFSET $12) k
      JOIN (${FILE_TABLES}) ON f.id = k.file_id
     ORDER BY k.sort_value ${DIRECTION}, k.path_hash ${DIRECTION}, k.file_id ${DIRECTION}`;
  const SORTED = page('SELECT * FROM found');
  return { sorted: `WITH found AS MATERIALIZED (${FOUND}) ${SORTED}`, walked: page(FOUND) };
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

/** The files of an owner that match, a page of them with the exact count of all; of one moment. */
export function searchFiles(database: Database, search: Search): Promise<FileSearchPage> {
  return database.snapshot(async (snapshot) => {
    const { ownerAddress, offset, limit } = search;
    const owner = await findOwner(snapshot, ownerAddress);
    const values = owner ? matchValues(owner, search) : [];
    const totalCount = owner ? await countMatches(snapshot, search, { owner, values }) : 0;
    const isAny = totalCount > 0 && limit > 0;
    const page = isAny ? await readMatches(snapshot, search, { values, totalCount }) : NOTHING;
    return { ownerAddress, hasMore: offset + page.files.length < totalCount, ...page, totalCount, offset, limit };
  });
}

const NOTHING = { files: [], endCursor: null };

interface Matches {
  readonly values: readonly unknown[];
  readonly totalCount: number;
}

async function readMatches(
  snapshot: Snapshot,
  { order, offset, limit, after }: Search,
  { values, totalCount }: Matches,
): Promise<Pick<FileSearchPage, 'files' | 'hasMore' | 'endCursor'>> {
  const texts = TEXTS.get(`${order.column} ${order.descending}`);
  const text = totalCount <= MOST_SORTED ? texts?.sorted : texts?.walked;
  const position = after ? [after.sortValue, Buffer.from(after.pathHash, 'hex'), after.rowId] : [null, null, null];
  // One more than asked for tells whether there is a page behind this one.
  const found = await snapshot.execute<FoundFile>(text ?? '', [...values, limit + 1, offset, ...position]);
  const files = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = files.at(-1);
  return { files, hasMore, endCursor: last && hasMore ? writeCursor(order, last) : null };
}

interface OwnerRow {
  readonly id: string;
  readonly fileCount: number;
  /** Folders that were deleted and not yet purged. */
  readonly deletedFolders: readonly string[];
}

async function findOwner(snapshot: Snapshot, address: string): Promise<OwnerRow | undefined> {
  const [owner] = await snapshot.execute<OwnerRow>(
    `SELECT o.id::text, coalesce(sum(d.file_count) FILTER (WHERE d.deleted_at IS NULL), 0)::double precision AS "fileCount",
            coalesce(array_agg(d.id::text) FILTER (WHERE d.deleted_at IS NOT NULL), '{}') AS "deletedFolders"
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

/** As a pattern where an index can find it, else as it is. */
function textValues(text: string | undefined): [pattern: string | null, text: string | null] {
  if (text === undefined) return [null, null];
  return hasTrigram(text) ? [likePattern(text, 'anywhere'), null] : [null, text];
}

/** Of all files of the owner their folders keep count. */
async function countMatches(
  snapshot: Snapshot,
  { text, type, sizeMin, sizeMax, createdFrom, createdTo }: Search,
  { owner, values }: { readonly owner: OwnerRow; readonly values: readonly unknown[] },
): Promise<number> {
  const filters = [text, type, sizeMin, sizeMax, createdFrom, createdTo];
  if (filters.every((filter) => filter === undefined)) return owner.fileCount;
  const [matches] = await snapshot.execute<{ count: number }>(COUNT, values);
  return matches?.count ?? 0;
}
