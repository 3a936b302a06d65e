import type { Database } from '../../kernel/database/database.js';
import type { Search } from '../../subgraphs/sync/search/search.actions.js';
import { likePattern, typeValues } from '../../subgraphs/sync/search/search.rules.js';

/** The simplest query: one condition per parameter, on tables without a search index; it runs once for the count and once for the page. */
const MATCHES = `
  sync.file f JOIN sync.folder d ON d.owner_id = f.owner_id AND d.id = f.folder_id JOIN sync.owner o ON o.id = d.owner_id
  JOIN sync.blob b ON b.owner_id = f.owner_id AND b.id = f.blob_id
  WHERE o.address = $1 AND d.deleted_at IS NULL
    AND ($2::text IS NULL OR coalesce(f.file_name, f.relative_path) ILIKE $2)
    AND ($3::text[] IS NULL OR coalesce(f.file_name, f.relative_path) ILIKE ANY ($3))
    AND ($4::bigint IS NULL OR f.size_bytes >= $4) AND ($5::bigint IS NULL OR f.size_bytes <= $5)
    AND ($6::bigint IS NULL OR f.created_at >= $6) AND ($7::bigint IS NULL OR f.created_at <= $7)`;

const COUNT = `SELECT count(*)::float8 AS count FROM ${MATCHES}`;

/** Counts the matches. Also reads the page and discards it. */
export function searchNaively(database: Database, search: Search): Promise<{ readonly totalCount: number }> {
  const values = valuesOf(search);
  const direction = search.order.descending ? 'DESC' : 'ASC';
  const page = `
    SELECT f.*, d.folder_hash, d.label, b.hash FROM ${MATCHES}
     ORDER BY f.${search.order.column} ${direction}, f.path_hash ${direction} LIMIT $8 OFFSET $9`;
  return database.snapshot(async (snapshot) => {
    const [found] = await snapshot.execute<{ count: number }>(COUNT, values);
    await snapshot.execute(page, [...values, search.limit, search.offset]);
    return { totalCount: found?.count ?? 0 };
  });
}

interface Place {
  readonly ownerAddress: string;
  readonly folderHash: string;
  readonly path: string;
}

const BROWSED = `
  sync.file f JOIN sync.folder d ON d.owner_id = f.owner_id AND d.id = f.folder_id JOIN sync.owner o ON o.id = d.owner_id
  WHERE o.address = $1 AND d.folder_hash = $2 AND d.deleted_at IS NULL`;

const ENTRIES = `
  SELECT count(DISTINCT split_part(substr(relative_path, length($3) + 1), '/', 1)) FILTER (WHERE is_below)
       + count(*) FILTER (WHERE NOT is_below) AS count
    FROM (SELECT relative_path, position('/' IN substr(relative_path, length($3) + 1)) > 0 AS is_below
            FROM ${BROWSED} AND starts_with(coalesce(relative_path, ''), $3)) entry`;

const FIRST_FILES = `
  SELECT f.* FROM ${BROWSED} AND starts_with(coalesce(relative_path, ''), $3)
     AND position('/' IN substr(coalesce(relative_path, ''), length($3) + 1)) = 0 ORDER BY lower(f.file_name) LIMIT 50`;

/** Counts the entries of a directory from the paths of all files. Also reads the first files and discards them. */
export async function browseNaively(database: Database, { ownerAddress, folderHash, path }: Place): Promise<number> {
  const values = [ownerAddress, folderHash, path === '' ? '' : `${path}/`];
  return database.snapshot(async (snapshot) => {
    await snapshot.execute(FIRST_FILES, values);
    const [counted] = await snapshot.execute<{ count: string }>(ENTRIES, values);
    return Number(counted?.count);
  });
}

const KINDS = `
  SELECT substring(lower(f.file_name) FROM '\\.[^.]+$') AS kind, count(*)::float8 AS count
    FROM sync.file f JOIN sync.folder d ON d.owner_id = f.owner_id AND d.id = f.folder_id JOIN sync.owner o ON o.id = d.owner_id
   WHERE o.address = $1 AND d.deleted_at IS NULL GROUP BY 1`;

/** Counts the files of an owner by extension. */
export async function summarizeNaively(database: Database, ownerAddress: string): Promise<number> {
  const kinds = await database.snapshot((snapshot) => snapshot.execute<{ count: number }>(KINDS, [ownerAddress]));
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

function valuesOf({ ownerAddress, text, type, ...bounds }: Search): unknown[] {
  const [extensions, ending] = typeValues(type);
  const endings = extensions?.map((extension) => likePattern(extension, 'end')) ?? (ending === null ? null : [ending]);
  const pattern = text === undefined ? null : likePattern(text, 'anywhere');
  const { sizeMin = null, sizeMax = null, createdFrom = null, createdTo = null } = bounds;
  return [ownerAddress, pattern, endings, sizeMin, sizeMax, createdFrom, createdTo];
}
