import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import type { Tables } from '../../entities.js';
import type { BlobStore } from './blob-store.js';

interface KnownStore {
  readonly id: string;
  readonly location: string;
  readonly hasStoreId: boolean;
  /** Whether the store must contain objects. */
  readonly isUsed: boolean;
}

const KNOWN_STORE = query('store-of-directory', (db: Tables) =>
  db
    .selectFrom('store')
    .select(['id', 'location', 'isMarked as hasStoreId', sql<boolean>`EXISTS (SELECT 1 FROM sync.chunk)`.as('isUsed')]),
);

const LOCK_STORE = query('lock-store', (db: Tables) => db.selectFrom('store').select('id').forUpdate());

const MARK_STORE = query('mark-store', (db: Tables, value: { location: string }) =>
  db.updateTable('store').set({ isMarked: true, location: value.location }),
);

const INSERT_STORE = query('insert-store', (db: Tables, value: { id: string; location: string }) =>
  db
    .insertInto('store')
    .values({ id: value.id, location: value.location })
    .onConflict((on) => on.doNothing()),
);

/**
 * Ties the database to its store: each stores the id of the other at the first start. The cleanup would delete the objects of
 * another database; an empty store would lose the files of this one. @throws ConfigError with one line for the operator
 */
export async function claimStore(database: Database, store: BlobStore): Promise<void> {
  await database.change(async (transaction) => {
    const known = await knownStore(transaction, store);
    const storeId = (await store.readStoreId()) ?? (await claimNewStore(store, known));
    if (storeId !== known.id)
      throw new ConfigError(
        storeId === undefined
          ? `${store.title} does not hold the files of this database, which are elsewhere: processes on one database share one store.`
          : `${store.title} holds the files of another database: choose another place by DATA_DIR or BLOB_URL.`,
      );
    await transaction.run(MARK_STORE, { location: store.location });
  });
}

/** Whether the store still belongs to this database: checked before unreferenced objects are removed. */
export async function isOwnStore(database: Database, store: BlobStore): Promise<boolean> {
  const [[known], storeId] = await Promise.all([database.run(KNOWN_STORE, {}), store.readStoreId()]);
  return known !== undefined && known.id === storeId;
}

/** If processes start at the same time, all use the id of the first, and read and write it in the store one after the other. */
async function knownStore(transaction: Transaction, { location }: BlobStore): Promise<KnownStore> {
  const id = randomBytes(16).toString('hex');
  await transaction.run(INSERT_STORE, { id, location });
  await transaction.run(LOCK_STORE, {});
  const [known] = await transaction.run(KNOWN_STORE, {});
  if (!known) throw new Error('the row of the store was just added');
  return known;
}

/** Claims a store without an owner, unless the database has another one; a database without files may change to a store of another kind. */
async function claimNewStore(
  store: BlobStore,
  { id, location, hasStoreId, isUsed }: KnownStore,
): Promise<string | undefined> {
  if (hasStoreId && (isUsed || location === store.location)) return undefined;
  await store.writeStoreId(id);
  return store.readStoreId();
}
