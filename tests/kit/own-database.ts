import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startInProcess, type RunningPlatform } from './arrangements.js';

/** What every database of the shared PostgreSQL is a copy of: the migrated schemas, empty. */
export const PRISTINE_DATABASE = 'pristine';

/** A platform in one process on a database of its own, which the test can read. */
export interface PlatformOnDatabase extends RunningPlatform {
  readonly databaseUrl: string;
}

/** Starts the whole platform in one process on a new database; only suites about the embedded PostgreSQL need one of their own. */
export async function startOnDatabase(env: Readonly<Record<string, string>> = {}): Promise<PlatformOnDatabase> {
  const databaseUrl = await newDatabase();
  return { ...(await startInProcess({ ...env, DATABASE_URL: databaseUrl })), databaseUrl };
}

/** Makes an empty, migrated database in the PostgreSQL that all suites of their own platforms share. */
export async function newDatabase(): Promise<string> {
  const url = new URL(process.env.SHARED_POSTGRES ?? '');
  const name = `own_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${PRISTINE_DATABASE}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
