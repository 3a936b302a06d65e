import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { cursorPage } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { UserSearch } from './user-list.rules.js';
import { USER_COLUMNS, type UserPage } from './user.js';

/** Planned for its values: a rare text is read from the trigram index, a common one from the newest users. */
export const USER_LIST = query(
  'user-list',
  (db: Tables, value: UserSearch) =>
    db
      .selectFrom('user')
      .select(USER_COLUMNS)
      .where('id', '<', value.before)
      .where(
        sql<boolean>`(${value.pattern}::text IS NULL OR lower(username) LIKE ${value.pattern} OR lower(email) LIKE ${value.pattern}
          OR lower(substrate_address) LIKE ${value.pattern})`,
      )
      .where(sql<boolean>`(${value.role}::text IS NULL OR roles @> ARRAY[${value.role}::text])`)
      .orderBy('id', 'desc')
      .limit(value.limit),
  { isPrepared: false },
);

/** A page of all users, newest first. */
export async function listUsers(database: Database, { limit, ...search }: UserSearch): Promise<UserPage> {
  const values = { ...search, limit: limit + 1 };
  // A rare text or role may be looked for in all rows, so such a list uses the connections for snapshots.
  const isFiltered = search.pattern !== null || search.role !== null;
  const found = await (isFiltered
    ? database.snapshot((snapshot) => snapshot.run(USER_LIST, values))
    : database.run(USER_LIST, values));
  return cursorPage(found, limit, ({ id }) => String(id));
}
