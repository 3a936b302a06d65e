import { sql } from 'kysely';
import type { Snapshot } from '../../../kernel/database/database.js';
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
    FROM sync.folder d JOIN sync.folder_kind k ON k.folder_id = d.id AND k.grouped_by = 'type' AND k.kind = ${value.type}
   WHERE d.owner_id = ${value.ownerId} AND d.deleted_at IS NULL`,
);

const COUNT_OF_LETTERS = query(
  'search-count-of-letters',
  (_: Tables, value: { ownerId: string; text: string }) => sql<{ count: number }>`
  SELECT coalesce(sum(l.file_count), 0)::double precision AS count
    FROM sync.folder d JOIN sync.folder_letters l ON l.folder_id = d.id AND l.letters = ${value.text}
   WHERE d.owner_id = ${value.ownerId} AND d.deleted_at IS NULL`,
);

/** Returns the number of files with one or two characters or of one category; undefined for all other filters. */
export async function countByCounters(
  snapshot: Snapshot,
  { id: ownerId }: SearchedOwner,
  { text, type, ...bounds }: Filters,
): Promise<number | undefined> {
  if (!isUnfiltered({ ...bounds, text: undefined, type: undefined })) return undefined;
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
