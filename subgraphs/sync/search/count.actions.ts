import { sql } from 'kysely';
import type { Snapshot } from '../../../kernel/database/in-transaction.js';
import { query } from '../../../kernel/database/query.js';
import type { Tables } from '../entities.js';
import { categoryOf, isShort, type TypeFilter } from './search.rules.js';

/** An owner with the counters of the folders. */
export interface SearchedOwner {
  readonly id: string;
  readonly fileCount: number;
  /** Deleted folders that are not purged yet; null: none. */
  readonly deletedFolders: readonly string[] | null;
}

/** Nothing if no file was ever uploaded. */
export const SEARCHED_OWNER = query(
  'search-owner',
  (_: Tables, value: { ownerAddress: string }) => sql<SearchedOwner>`
  SELECT o.id::text, coalesce(sum(d.file_count) FILTER (WHERE d.deleted_at IS NULL), 0)::double precision AS "fileCount",
         array_agg(d.id::text) FILTER (WHERE d.deleted_at IS NOT NULL AND d.file_count > 0) AS "deletedFolders"
    FROM sync.owner o LEFT JOIN sync.folder d ON d.owner_id = o.id WHERE o.address = ${value.ownerAddress} GROUP BY o.id`,
);

/** Undefined if unset. */
type Filters = { readonly text: string | undefined; readonly type: TypeFilter | undefined } & Readonly<
  Record<'sizeMin' | 'sizeMax' | 'createdFrom' | 'createdTo', string | undefined>
>;

const COUNT_OF_TYPE = query(
  'search-count-of-type',
  (_: Tables, value: { ownerId: string; type: string }) => sql<{ count: number }>`
  SELECT coalesce(sum(k.file_count), 0)::double precision AS count
    FROM sync.folder d JOIN sync.folder_kind k ON k.owner_id = d.owner_id AND k.folder_id = d.id AND k.grouped_by = 'type' AND k.kind = ${value.type}
   WHERE d.owner_id = ${value.ownerId} AND d.deleted_at IS NULL`,
);

const COUNT_OF_LETTERS = query(
  'search-count-of-letters',
  (_: Tables, value: { ownerId: string; text: string }) => sql<{ count: number }>`
  SELECT coalesce(sum(l.file_count), 0)::double precision AS count
    FROM sync.folder d JOIN sync.folder_letters l ON l.owner_id = d.owner_id AND l.folder_id = d.id AND l.letters = ${value.text}
   WHERE d.owner_id = ${value.ownerId} AND d.deleted_at IS NULL`,
);

interface Bounds {
  readonly ownerId: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** The index of the column has all that it reads. Planned with its values, an unset bound costs nothing. */
function countOfRange(name: string, column: 'size_bytes' | 'created_at') {
  return query(
    name,
    (_: Tables, { ownerId, min, max }: Bounds) => sql<{ count: number }>`
    SELECT count(*)::double precision AS count FROM sync.file_search WHERE owner_id = ${ownerId}
       AND (${min}::bigint IS NULL OR ${sql.ref(column)} >= ${min}) AND (${max}::bigint IS NULL OR ${sql.ref(column)} <= ${max})`,
    { isPrepared: false },
  );
}

const COUNT_OF_SIZES = countOfRange('search-count-of-sizes', 'size_bytes');
const COUNT_OF_TIMES = countOfRange('search-count-of-times', 'created_at');

/** The number of files in a range of sizes or of times; undefined for both, and while the index has files of deleted folders. */
async function countInRange(
  snapshot: Snapshot,
  { id: ownerId, deletedFolders }: SearchedOwner,
  { sizeMin, sizeMax, createdFrom, createdTo }: Omit<Filters, 'text' | 'type'>,
): Promise<number | undefined> {
  const [hasSizes, hasTimes] = [sizeMin ?? sizeMax, createdFrom ?? createdTo].map((bound) => bound !== undefined);
  if (deletedFolders !== null || hasSizes === hasTimes) return undefined;
  return hasSizes
    ? countedBy(await snapshot.run(COUNT_OF_SIZES, { ownerId, min: sizeMin, max: sizeMax }))
    : countedBy(await snapshot.run(COUNT_OF_TIMES, { ownerId, min: createdFrom, max: createdTo }));
}

/** Returns the number of files with one or two characters, of one category, or in one range; undefined for other filters. */
export async function countWithoutRows(
  snapshot: Snapshot,
  owner: SearchedOwner,
  { text, type, ...bounds }: Filters,
): Promise<number | undefined> {
  const isRange = !isUnfiltered({ ...bounds, text: undefined, type: undefined });
  if (isRange) return text === undefined && type === undefined ? countInRange(snapshot, owner, bounds) : undefined;
  const { id: ownerId } = owner;
  if (text === undefined) {
    const category = type && categoryOf(type);
    return category === undefined
      ? undefined
      : countedBy(await snapshot.run(COUNT_OF_TYPE, { ownerId, type: category }));
  }
  if (type !== undefined || !isShort(text)) return undefined;
  return countedBy(await snapshot.run(COUNT_OF_LETTERS, { ownerId, text }));
}

/** Whether all files of the owner match. */
export function isUnfiltered({ text, type, sizeMin, sizeMax, createdFrom, createdTo }: Filters): boolean {
  return [text, type, sizeMin, sizeMax, createdFrom, createdTo].every((filter) => filter === undefined);
}

function countedBy([row]: readonly { readonly count: number }[]): number {
  return row?.count ?? 0;
}
