import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { searchedName } from './searched-name.rules.js';

/** A file with a changed name, size or time. */
export interface ChangedFile {
  /** Id of its row. */
  readonly id: string;
  readonly fileName: string | null;
  readonly relativePath: string | null;
}

interface IndexedNames {
  readonly ownerId: string;
  readonly ids: readonly string[];
  readonly foldedNames: readonly (string | null)[];
  readonly extensions: readonly (string | null)[];
}

const INDEX_FILES = query(
  'index-files',
  (_: Tables, { ownerId, ids, foldedNames, extensions }: IndexedNames) => sql`
  INSERT INTO sync.file_search
    (file_id, owner_id, folder_id, size_bytes, created_at, updated_at, path_hash, file_name, folded_name, extension,
     directory_id)
  SELECT f.id, f.owner_id, f.folder_id, f.size_bytes, f.created_at, f.updated_at, f.path_hash,
         coalesce(f.file_name, ''), n.folded_name, n.extension, x.id
    FROM unnest(${ids}::bigint[], ${foldedNames}::text[], ${extensions}::text[]) AS n(id, folded_name, extension)
    JOIN sync.file f ON f.owner_id = ${ownerId} AND f.id = n.id
    LEFT JOIN sync.directory x ON x.owner_id = f.owner_id AND x.folder_id = f.folder_id
     AND x.path_hash = sync.hash_of_path(sync.directory_of(f.relative_path))
      ON CONFLICT (owner_id, file_id) DO UPDATE SET size_bytes = excluded.size_bytes, created_at = excluded.created_at,
         updated_at = excluded.updated_at, path_hash = excluded.path_hash, file_name = excluded.file_name,
         folded_name = excluded.folded_name, extension = excluded.extension,
         directory_id = excluded.directory_id`,
);

/** Updates the search index of these files of an owner, in the transaction that changed them. */
export async function indexFiles(
  transaction: Transaction,
  { ownerId }: { readonly ownerId: string },
  files: readonly ChangedFile[],
): Promise<void> {
  if (files.length === 0) return;
  const names = files.map(({ fileName, relativePath }) => searchedName(fileName, relativePath));
  await transaction.run(INDEX_FILES, {
    ownerId,
    ids: files.map(({ id }) => id),
    foldedNames: names.map(({ foldedName }) => foldedName),
    extensions: names.map(({ extension }) => extension),
  });
}
