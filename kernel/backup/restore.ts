import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { ConfigError } from '../config/environment.js';
import { connectDatabase, type Database } from '../database/database.js';
import { migrateSchema, migrationFolder, UNFINISHED_RESTORE } from '../database/migrations.js';
import { createJobSchema } from '../jobs/boss.js';
import { dataKeyIds } from '../security/secret-box.js';
import type { ExternalStore } from '../subgraph/external-objects.js';
import type { Logger } from '../telemetry/log.js';
import { schemasOf, type BackupOptions } from './backup.js';
import { readOptionalFile } from './key-files.js';
import { checkPart, codeOf, readManifest, type Manifest } from './folder.js';
import { forEachObject, objectFile } from './object-list.js';
import { copyTablesIn } from './tables.js';

/** Objects per subgraph that are read again after the restore. */
const SAMPLE = 100;

/** Reads and checks a backup, before anything is opened. @throws ConfigError if it is incomplete, damaged, of a newer release, or needs another key */
export async function openBackup({ folder, config, subgraphs }: Omit<BackupOptions, 'databaseUrl'>): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { name } of subgraphs) {
    const files = await readdir(migrationFolder(name));
    const known = files.map((file) => file.replace(/\.sql$/, '')).toSorted();
    const stored = manifest.migrations[name];
    if (!stored)
      throw new ConfigError(
        `The backup has no data of ${name}: restore it with the release that made it (${manifest.version}).`,
      );
    if (stored.some((migration, index) => migration !== known[index]))
      throw new ConfigError(`The backup is of a newer release (${manifest.version}): restore it with that release.`);
  }
  const parts = [...manifest.tables, ...manifest.objects, ...manifest.keys];
  for (const part of parts) await checkPart(folder, part);
  const keys = manifest.keys.length > 0 ? join(folder, 'keys') : config.dataDir;
  const present = await dataKeyIds(config, keys);
  if (manifest.dataKeyId?.split(',').some((id) => id !== '' && !present.includes(id)))
    throw new ConfigError('Set DATA_KEY to the key of the platform that was backed up: the backup has no such key.');
  return manifest;
}

type RestoreOptions = BackupOptions & { readonly log: Logger };

/**
 * Restores a backup into an empty database and store. Until it is proved complete, the database is marked, and no platform starts on it;
 * a second restore begins again. @throws ConfigError with a sentence for the operator
 */
export async function restore(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const client = new Client({ connectionString: options.databaseUrl, keepAlive: true });
  await client.connect();
  client.on('error', () => undefined); // the next statement fails
  try {
    const stores = await beginRestore(client, manifest, options);
    const ofSchema = { ...options, url: options.databaseUrl, isRestoring: true } as const;
    for (const { name } of options.subgraphs) {
      await migrateSchema({ ...ofSchema, schema: name }, manifest.migrations[name]?.length);
      await createJobSchema(options.databaseUrl, `${name}_jobs`);
    }
    await restoreRows(client, manifest, options);
    // Upgrades an older backup before its rows are proved, as the next start would.
    for (const { name } of options.subgraphs) await migrateSchema({ ...ofSchema, schema: name });
    for (const [name, store] of stores) {
      await restoreObjects(manifest, { ...options, name, store });
      await withDatabase(options, name, (database) => store.claim(database));
    }
    await restoreKeys(manifest, options);
    await prove(options);
    await client.query(`ANALYZE; DROP SCHEMA ${UNFINISHED_RESTORE}`);
  } finally {
    await client.end();
  }
}

type Stores = ReadonlyMap<string, ExternalStore>;

async function openStores({ objects }: Manifest, { subgraphs, config }: BackupOptions): Promise<Stores> {
  const stores = new Map<string, ExternalStore>();
  for (const { subgraph: name } of objects) {
    const subgraph = subgraphs.find((one) => one.name === name);
    const store = await subgraph?.objects?.open(config[subgraph.name], config);
    if (!store) throw new ConfigError(`The backup has objects of ${name}, which has none in this release.`);
    stores.set(name, store);
  }
  return stores;
}

/** Opens the stores and marks the database; removes what an interrupted restore left. @throws ConfigError if something else is there */
async function beginRestore(client: Client, manifest: Manifest, options: BackupOptions): Promise<Stores> {
  const schemas = schemasOf(options.subgraphs);
  const { rows } = await client.query<{ name: string }>('SELECT nspname AS name FROM pg_namespace');
  const present = new Set(rows.map(({ name }) => name));
  if (present.has(UNFINISHED_RESTORE)) {
    for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    return openStores(manifest, options);
  }
  if (schemas.some((schema) => present.has(schema)))
    throw new ConfigError('The database is not empty: restore into an empty one, by DATA_DIR or DATABASE_URL.');
  const { dataDir } = options.config;
  for (const { file } of manifest.keys)
    if (await readOptionalFile(join(dataDir, basename(file))))
      throw new ConfigError(`${dataDir} is not empty: restore into a new directory, by DATA_DIR.`);
  // Opening one may create its folders, so it comes after the other refusals.
  const stores = await openStores(manifest, options);
  for (const [name, store] of stores)
    if (!(await store.isEmpty()))
      throw new ConfigError(`The store of ${name} is not empty: restore into an empty one, by DATA_DIR or BLOB_URL.`);
  await client.query(`CREATE SCHEMA ${UNFINISHED_RESTORE}`);
  return stores;
}

/** Copies all rows in one transaction, without triggers and foreign keys: the rows are of one snapshot. */
async function restoreRows(client: Client, manifest: Manifest, { subgraphs, folder }: BackupOptions): Promise<void> {
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN');
  await client.query('SET LOCAL session_replication_role = replica').catch((error: unknown) => {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ConfigError(
      'The user of DATABASE_URL may not set session_replication_role: restore as a superuser, or GRANT SET ON PARAMETER session_replication_role to it.',
    );
  });
  await copyTablesIn(client, manifest, { schemas: schemasOf(subgraphs), folder });
  await client.query('COMMIT');
}

const INSUFFICIENT_PRIVILEGE = '42501';

type Restoring = BackupOptions & { readonly name: string; readonly store: ExternalStore };

/** Copies the objects of a subgraph, and reads some of them again. */
async function restoreObjects(manifest: Manifest, { folder, name, store }: Restoring): Promise<void> {
  for (const { subgraph, file, count } of manifest.objects) {
    if (subgraph !== name) continue;
    let [restored, hasEmptyPart] = [0, false];
    await forEachObject(join(folder, file), async (object) => {
      const copy = objectFile(name, object.key);
      await store.write(object, createReadStream(join(folder, copy))).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new ConfigError(`${copy} of the backup cannot be restored: ${reason}`);
      });
      restored += 1;
      if (restored % Math.ceil(count / SAMPLE) === 0)
        for await (const bytes of store.read(object)) hasEmptyPart ||= bytes.length === 0;
    });
    if (restored !== count || hasEmptyPart)
      throw new ConfigError(`The backup has ${count} objects of ${name}, but ${restored} were restored.`);
  }
}

async function restoreKeys({ keys }: Manifest, { folder, config }: BackupOptions): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  for (const { file } of keys) {
    const bytes = await readFile(join(folder, file));
    await writeFile(join(config.dataDir, basename(file)), bytes, { mode: 0o600, flush: true });
  }
}

async function prove(options: RestoreOptions): Promise<void> {
  for (const { name, prove: proveRows } of options.subgraphs) {
    const fault = proveRows && (await withDatabase(options, name, proveRows));
    if (fault !== undefined) throw new ConfigError(fault);
  }
}

async function withDatabase<Result>(
  { databaseUrl: url, log }: RestoreOptions,
  schema: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = connectDatabase({ url, schema, log });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
