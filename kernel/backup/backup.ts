import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import type { PlatformConfig } from '../config/config.js';
import { ConfigError } from '../config/environment.js';
import { QueryCompiler } from '../database/query.js';
import { packageVersion } from '../package-root.js';
import { dataKeyIds } from '../security/secret-box.js';
import { BACKUP_LOCK } from '../subgraph/external-objects.js';
import type { SubgraphManifest } from '../subgraph/subgraph.js';
import { KEY_FILES, readOptionalFile } from './key-files.js';
import { createFolder, writeManifest, writePart, type Manifest, type Part } from './folder.js';
import { forEachObject, objectFile } from './object-list.js';
import { copyOut, copyTablesOut } from './tables.js';

/** What is backed up, or restored. */
export interface BackupOptions {
  readonly folder: string;
  readonly config: PlatformConfig;
  readonly databaseUrl: string;
  readonly subgraphs: readonly SubgraphManifest[];
}

/** The schemas of the subgraphs and of their jobs. */
export function schemasOf(subgraphs: readonly SubgraphManifest[]): string[] {
  return subgraphs.flatMap(({ name }) => [name, `${name}_jobs`]);
}

/**
 * Backs up the database and its objects while the platform runs: all rows are of one snapshot, and no object is removed until all are copied.
 * @throws ConfigError with a sentence for the operator
 */
export async function backUp(options: BackupOptions & { readonly withKeys: boolean }): Promise<Manifest> {
  await createFolder(options.folder);
  const client = new Client({ connectionString: options.databaseUrl, keepAlive: true });
  await client.connect();
  let connectionError: Error | undefined;
  client.on('error', (error) => (connectionError ??= error));
  try {
    await client.query('SELECT pg_advisory_lock($1)', [BACKUP_LOCK]);
    const rows = await backUpRows(client, options);
    for (const list of rows.objects) await backUpObjects(options, list.subgraph, list.file);
    // Without the connection the lock is gone, and objects may have been removed.
    if (connectionError) throw connectionError;
    await client.query('SELECT 1');
    const manifest: Manifest = {
      format: 1,
      version: packageVersion(),
      createdAt: new Date().toISOString(),
      ...rows,
      keys: options.withKeys ? await backUpKeys(options) : [],
      dataKeyId: (await dataKeyIds(options.config, options.config.dataDir)).join(','),
    };
    await writeManifest(options.folder, manifest);
    return manifest;
  } finally {
    await client.end();
  }
}

type Rows = Pick<Manifest, 'migrations' | 'tables' | 'sequences' | 'objects'>;

/** Copies all rows, and the lists of objects that they name, in one snapshot. */
async function backUpRows(client: Client, { subgraphs, folder }: BackupOptions): Promise<Rows> {
  const timeouts = ['statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
  for (const name of timeouts) await client.query(`SET ${name} = 0`);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrations: Manifest['migrations'] = {};
  for (const { name } of subgraphs) migrations[name] = await migrationsOf(client, name);
  const copied = await copyTablesOut(client, schemasOf(subgraphs), folder);
  const objects: Manifest['objects'] = [];
  for (const { name, objects: external } of subgraphs) {
    if (!external) continue;
    const target = { folder, file: `lists/${name}` };
    const { text } = new QueryCompiler(name).prepare(external.select, {});
    const { rows, ...list } = await copyOut(client, `(${text})`, target);
    objects.push({ ...list, subgraph: name, count: rows });
  }
  await client.query('COMMIT');
  return { migrations, ...copied, objects };
}

async function migrationsOf(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client
    .query<{ name: string }>(`SELECT name FROM ${schema}.migration ORDER BY id`)
    .catch((error: unknown) => {
      if (!isUndefined(error)) throw error;
      throw new ConfigError(
        `The database has no subgraph ${schema}: set DATA_DIR or DATABASE_URL to those of the platform.`,
      );
    });
  return rows.map(({ name }) => name);
}

/** 42P01 undefined_table, 3F000 invalid_schema_name. */
function isUndefined(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['42P01', '3F000'].includes(String(error.code));
}

async function backUpObjects({ subgraphs, config, folder }: BackupOptions, name: string, list: string): Promise<void> {
  const subgraph = subgraphs.find((one) => one.name === name);
  const store = await subgraph?.objects?.open(config[subgraph.name], config);
  if (!store) throw new Error(`the subgraph ${name} has no store`);
  await forEachObject(join(folder, list), async (object) => {
    try {
      await writePart(folder, objectFile(name, object.key), Readable.from(store.read(object), { objectMode: false }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError(
        `The object ${object.key} of ${name} cannot be backed up: ${reason}. The storage check finds damaged objects, which backups leave out.`,
      );
    }
  });
}

async function backUpKeys({ config, folder }: BackupOptions): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of KEY_FILES) {
    const bytes = await readOptionalFile(join(config.dataDir, name));
    if (bytes) parts.push(await writePart(folder, `keys/${name}`, Readable.from(bytes)));
  }
  return parts;
}
