import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { query, type Db } from '../database/query.js';
import type { DataKeyRow } from './data-key.js';
import { dataKeyIds, KEY_FILE } from './secret-box.js';

type Tables = Db<{ dataKey: DataKeyRow }>;
type KeyConfig = Pick<Config, 'dataKeys' | 'dataDir'>;

interface KeyIds {
  readonly ids: readonly string[];
}

const INSERT_KEYS = query('insert-data-keys', (db: Tables, { ids }: KeyIds) =>
  db
    .insertInto('dataKey')
    .values({ ids })
    .onConflict((on) => on.doNothing()),
);

const LOCK_KEYS = query('lock-data-keys', (db: Tables) => db.selectFrom('dataKey').select('ids').forUpdate());

const SET_KEYS = query('set-data-keys', (db: Tables, { ids }: KeyIds) => db.updateTable('dataKey').set({ ids }));

/**
 * Records the key by which this process encrypts secrets of the subgraph. Returns a sentence for the operator if secrets may be
 * encrypted by a key that this process lacks.
 */
export async function recordDataKeys(database: Database, config: KeyConfig): Promise<string | undefined> {
  const own = await dataKeyIds(config, config.dataDir);
  const [first = ''] = own;
  const recorded = await database.change(async (transaction) => {
    await transaction.run(INSERT_KEYS, { ids: own });
    const [{ ids } = { ids: [] }] = await transaction.run(LOCK_KEYS, {});
    if (!ids.includes(first)) await transaction.run(SET_KEYS, { ids: [...ids, first] });
    return ids;
  });
  if (isSubset(recorded, own)) return undefined;
  return `Secrets in the database may be encrypted by a key that ${placeOf(config)} lacks: set DATA_KEY to the same value in every process. npm run secrets:reseal ends this warning if it can read all of them.`;
}

/** Records that the first key encrypts all secrets of the subgraph. */
export async function releaseDataKeys(database: Database, config: KeyConfig): Promise<void> {
  const [first = ''] = await dataKeyIds(config, config.dataDir);
  await database.change((transaction) => transaction.run(SET_KEYS, { ids: [first] }));
}

function isSubset(ids: readonly string[], of: readonly string[]): boolean {
  return ids.every((id) => of.includes(id));
}

function placeOf({ dataKeys, dataDir }: KeyConfig): string {
  return dataKeys.length > 0 ? 'DATA_KEY' : join(dataDir, KEY_FILE);
}
