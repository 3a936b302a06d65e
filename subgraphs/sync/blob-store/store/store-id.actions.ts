import { randomBytes } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import type { BlobStore } from './blob-store.js';

interface KnownStore {
  readonly id: string;
  readonly location: string;
  readonly hasStoreId: boolean;
  /** Whether the store must contain objects. */
  readonly isUsed: boolean;
}

const KNOWN_STORE = {
  name: 'known-store',
  text: `SELECT id, location, is_marked AS "hasStoreId", EXISTS (SELECT 1 FROM sync.chunk) AS "isUsed" FROM sync.store`,
};

/**
 * Ties the database to its store: each stores the id of the other at the first start. The cleanup would delete the objects of
 * another database; an empty store would lose the files of this one. @throws ConfigError with one line for the operator
 */
export async function claimStore(database: Database, store: BlobStore): Promise<void> {
  const known = await knownStore(database, store);
  const storeId = (await store.readStoreId()) ?? (await claimNewStore(store, known));
  if (storeId !== known.id)
    throw new ConfigError(
      storeId === undefined
        ? `${store.title} does not hold the files of this database, which are elsewhere: processes on one database share one store.`
        : `${store.title} holds the files of another database: choose another place by DATA_DIR or BLOB_URL.`,
    );
  await database.change((transaction) =>
    transaction.execute('UPDATE sync.store SET is_marked = true, location = $1', [store.location]),
  );
}

/** Whether the store still belongs to this database: checked before unreferenced objects are removed. */
export async function isOwnStore(database: Database, store: BlobStore): Promise<boolean> {
  const [[known], marker] = await Promise.all([database.rows<KnownStore>(KNOWN_STORE), store.readStoreId()]);
  return known !== undefined && known.id === marker;
}

/** If processes start at the same time, all use the id of the first. */
async function knownStore(database: Database, { location }: BlobStore): Promise<KnownStore> {
  await database.change((transaction) =>
    transaction.execute('INSERT INTO sync.store (id, location) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      randomBytes(16).toString('hex'),
      location,
    ]),
  );
  const [known] = await database.rows<KnownStore>(KNOWN_STORE);
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
