import { randomBytes } from 'node:crypto';
import type { Database } from '../../../../kernel/database/database.js';
import { ConfigError } from '../../../../kernel/config/environment.js';
import type { BlobStore } from './blob-store.js';

interface KnownStore {
  readonly id: string;
  readonly location: string;
  readonly isMarked: boolean;
  /** Whether any object must be in it. */
  readonly isUsed: boolean;
}

const KNOWN_STORE = {
  name: 'known-store',
  text: `SELECT id, location, is_marked AS "isMarked", EXISTS (SELECT 1 FROM sync.chunk) AS "isUsed" FROM sync.store`,
};

/**
 * Ties the database to its store: each holds the other's id from the first start on. A store that is another database's would lose
 * its objects to our collection; one that is empty while the database has files would lose ours.
 * @throws ConfigError with one line for the operator
 */
export async function claimStore(database: Database, store: BlobStore): Promise<void> {
  const known = await knownStore(database, store);
  const marker = (await store.readMarker()) ?? (await markNew(store, known));
  if (marker !== known.id)
    throw new ConfigError(
      marker === undefined
        ? `${store.title} does not hold the files of this database, which are elsewhere: processes on one database share one store.`
        : `${store.title} holds the files of another database: choose another place by DATA_DIR or BLOB_URL.`,
    );
  await database.change((transaction) =>
    transaction.execute('UPDATE sync.store SET is_marked = true, location = $1', [store.location]),
  );
}

/** Whether the store is still the database's own: asked before anything is taken away that no row names. */
export async function isOwnStore(database: Database, store: BlobStore): Promise<boolean> {
  const [[known], marker] = await Promise.all([database.rows<KnownStore>(KNOWN_STORE), store.readMarker()]);
  return known !== undefined && known.id === marker;
}

/** Of processes that start at once, the first one's id is everyone's. */
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

/** Marks a store that nobody has, unless ours is known to be another: without files it may still be left for one of another kind. */
async function markNew(store: BlobStore, { id, location, isMarked, isUsed }: KnownStore): Promise<string | undefined> {
  if (isMarked && (isUsed || location === store.location)) return undefined;
  await store.writeMarker(id);
  return store.readMarker();
}
