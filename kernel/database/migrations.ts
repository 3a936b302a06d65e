import { runner as runMigrations, type MigrationBuilder } from 'node-pg-migrate';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { ConfigError } from '../config/environment.js';
import { packageRoot } from '../package-root.js';
import type { Logger } from '../telemetry/log.js';

const CONNECTION_TIMEOUT_MS = 10_000;

/** The advisory lock for migrations, the same in every replica: one migrates, the others wait. */
const MIGRATION_LOCK = 726_604_120;

/** How long a migration waits for a lock at once. Every statement on the table queues behind it for that time. */
const LOCK_TIMEOUT_MS = 500;

/** The pause until it asks for the lock of a table again. It doubles: what uses the table now may use it for hours. */
const [LOCK_PAUSE_MS, MAX_LOCK_PAUSE_MS] = [1_000, 10_000];

/** The pause until it asks for MIGRATION_LOCK again. It doubles: another process may build an index for hours. */
const [MIGRATION_PAUSE_MS, MAX_MIGRATION_PAUSE_MS] = [100, 1_000];

/** Source: PostgreSQL, Error Codes */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The first line of a migration whose statements, separated by empty lines, run one by one and wait for locks as long as it
 * takes. After a crash they run again from the first.
 */
const WITHOUT_TRANSACTION = '-- without a transaction\n';

interface SchemaOptions {
  readonly url: string;
  readonly schema: string;
  readonly log: Logger;
  /** Whether the database is the one of an unfinished restore; else such a database is refused. */
  readonly isRestoring?: boolean;
}

/** The schema that marks a database while it is restored. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

/** The folder of a subgraph's migrations. */
export function migrationFolder(schema: string): string {
  return join(packageRoot(), 'subgraphs', schema, 'migrations');
}

/**
 * Migrates the schema of a subgraph. When a lock is not free, what waits for the table goes first, and the migration tries again.
 * @param count number of its first migrations that it needs; undefined: all
 * @throws ConfigError if a restore into this database was interrupted
 */
export async function migrateSchema(options: SchemaOptions, count?: number): Promise<void> {
  for (let pauseMs = LOCK_PAUSE_MS; !(await tryToMigrate(options, count)); pauseMs *= 2) {
    if (pauseMs === LOCK_PAUSE_MS)
      options.log.warn({ schema: options.schema }, 'a migration waits for a lock on a table in use');
    await pause(Math.min(pauseMs, MAX_LOCK_PAUSE_MS));
  }
}

/** Returns false when the lock of a table was not free in time. The migrations that were applied before stay applied. */
async function tryToMigrate(options: SchemaOptions, count?: number): Promise<boolean> {
  const client = new Client({ connectionString: options.url, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  client.on('error', () => undefined); // the next statement fails; without a listener the event would end the process
  await client.connect();
  try {
    if (await isMigrated(client, options, count)) return true;
    await takeMigrationLock(client);
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await applyMigrations(client, options, count);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    await client.end(); // and with it MIGRATION_LOCK
  }
}

/** Asks again and again: a statement that waits keeps a snapshot, for which another waits when it builds an index. */
async function takeMigrationLock(client: Client): Promise<void> {
  const isFree = async () => {
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [MIGRATION_LOCK]);
    return rows[0]?.free === true;
  };
  for (let pauseMs = MIGRATION_PAUSE_MS; !(await isFree()); pauseMs *= 2)
    await pause(Math.min(pauseMs, MAX_MIGRATION_PAUSE_MS));
}

interface SchemaState {
  readonly hasMigrations: boolean;
  readonly isUnfinished: boolean;
}

/** Whether the first migrations are applied. A process that has none to apply does not wait for one that migrates. @throws ConfigError */
async function isMigrated(
  client: Client,
  { schema, isRestoring = false }: SchemaOptions,
  count: number | undefined,
): Promise<boolean> {
  const table = `${client.escapeIdentifier(schema)}.migration`;
  const { rows: states } = await client.query<SchemaState>(
    'SELECT to_regclass($1) IS NOT NULL AS "hasMigrations", to_regnamespace($2) IS NOT NULL AS "isUnfinished"',
    [table, UNFINISHED_RESTORE],
  );
  if (states[0]?.isUnfinished === true && !isRestoring)
    throw new ConfigError('The database holds an unfinished restore: run npm run restore again, to its end.');
  if (states[0]?.hasMigrations !== true) return false;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table}`);
  const applied = new Set(rows.map(({ name }) => name));
  const files = (await readdir(migrationFolder(schema))).filter((file) => file.endsWith('.sql')).toSorted();
  return files.slice(0, count).every((file) => applied.has(basename(file, '.sql')));
}

async function applyMigrations(client: Client, { schema, log }: SchemaOptions, count?: number): Promise<void> {
  const failures: string[] = [];
  try {
    await runMigrations({
      dbClient: client,
      dir: migrationFolder(schema),
      direction: 'up',
      migrationLoaderStrategies: firstFiles(count),
      schema,
      createSchema: true,
      migrationsSchema: schema,
      migrationsTable: 'migration',
      noLock: true,
      logger: {
        debug: () => undefined,
        info: (text) => log.debug(text),
        warn: (text) => log.debug(text),
        error: (text) => void failures.push(text),
      },
    });
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE))
      for (const text of failures) log.error(text);
    throw error;
  }
}

type Loaders = Parameters<typeof runMigrations>[0]['migrationLoaderStrategies'] & {};

/** How the first files of a folder are loaded. */
function firstFiles(count: number | undefined): Loaders {
  const load = async (file: string) => {
    const text = await readFile(file, 'utf8');
    const up = (builder: MigrationBuilder) => addStatements(builder, text);
    return { id: file, filePaths: [file], actions: { up, down: false as const } };
  };
  return [{ extensions: ['.sql'], loader: (files) => Promise.all(files.slice(0, count).map(load)) }];
}

function addStatements(builder: MigrationBuilder, text: string): void {
  if (!text.startsWith(WITHOUT_TRANSACTION)) return builder.sql(text);
  builder.noTransaction();
  builder.sql('SET lock_timeout = 0');
  for (const statement of text
    .slice(WITHOUT_TRANSACTION.length)
    .trim()
    .split(/\n{2,}/))
    builder.sql(statement);
  builder.sql(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
}
