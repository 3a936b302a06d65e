import { runner as runMigrations } from 'node-pg-migrate';
import { join } from 'node:path';
import { Client } from 'pg';
import { ConfigError } from '../config/environment.js';
import { packageRoot } from '../package-root.js';
import type { Logger } from '../telemetry/log.js';

const CONNECTION_TIMEOUT_MS = 10_000;

/** The advisory lock for migrations, the same in every replica: one migrates, the others wait. */
const MIGRATION_LOCK = 726_604_120;

interface SchemaOptions {
  readonly url: string;
  readonly schema: string;
  readonly log: Logger;
}

/** The schema that marks a database while it is restored. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

/** @throws ConfigError if a restore into this database was interrupted */
export async function refuseUnfinishedRestore(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  client.on('error', () => undefined); // the calls below report the error
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [UNFINISHED_RESTORE]);
    if (rows.length > 0)
      throw new ConfigError('The database holds an unfinished restore: run npm run restore again, to its end.');
  } finally {
    await client.end();
  }
}

/** The folder of a subgraph's migrations. */
export function migrationFolder(schema: string): string {
  return join(packageRoot(), 'subgraphs', schema, 'migrations');
}

/** Migrates the schema of a subgraph. @param count number of migrations to apply; undefined: all */
export async function migrateSchema({ url, schema, log }: SchemaOptions, count?: number): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  client.on('error', () => undefined); // the next statement fails; without a listener the event would end the process
  await client.connect();
  try {
    await runMigrations({
      dbClient: client,
      dir: migrationFolder(schema),
      direction: 'up',
      ...(count !== undefined && { count }),
      schema,
      createSchema: true,
      migrationsSchema: schema,
      migrationsTable: 'migration',
      lockValue: MIGRATION_LOCK,
      advisoryLockMode: 'wait',
      logger: {
        debug: () => undefined,
        info: (text) => log.debug(text),
        warn: (text) => log.warn(text),
        error: (text) => log.error(text),
      },
    });
  } finally {
    await client.end();
  }
}
