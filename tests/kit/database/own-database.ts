import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startBehindHttp, startInProcess, SUBGRAPHS, type RunningPlatform } from '../arrangements.js';

/** The template database with the migrated, empty schemas of all subgraphs. */
export const PRISTINE_DATABASE = 'pristine';

/** A platform in one process with its own database, which the test can read. */
export interface PlatformOnDatabase extends RunningPlatform {
  readonly databaseUrl: string;
}

/** A platform of several processes; tests can read the database of each subgraph. */
export interface PlatformOnDatabases extends RunningPlatform {
  readonly databaseUrls: Readonly<Record<string, string>>;
}

/** Starts the whole platform in one process with a new database on the shared PostgreSQL. */
export async function startOnDatabase(env: Readonly<Record<string, string>> = {}): Promise<PlatformOnDatabase> {
  const databaseUrl = await newDatabase();
  return { ...(await startInProcess({ ...env, DATABASE_URL: databaseUrl })), databaseUrl };
}

/** Starts every subgraph with its own process and new database, and a gateway. */
export async function startOnDatabases(env: Readonly<Record<string, string>> = {}): Promise<PlatformOnDatabases> {
  const made = SUBGRAPHS.map(async (name) => [name, await newDatabase(pristineDatabaseOf(name))] as const);
  const databaseUrls = Object.fromEntries(await Promise.all(made));
  return { ...(await startBehindHttp(databaseUrls, env)), databaseUrls };
}

/** Returns the template database with the migrated schema of one subgraph. */
export function pristineDatabaseOf(subgraph: string): string {
  return `${PRISTINE_DATABASE}_${subgraph}`;
}

/** Creates an empty, migrated database on the shared PostgreSQL. */
export async function newDatabase(template = PRISTINE_DATABASE): Promise<string> {
  const url = new URL(process.env.SHARED_POSTGRES ?? '');
  const name = `own_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
