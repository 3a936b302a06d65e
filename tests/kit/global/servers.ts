import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../kernel/database/database.js';
import { createJobSchema } from '../../../kernel/jobs/boss.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { createDatabase, SUBGRAPHS, type Arrangement, type RunningPlatform } from '../arrangements.js';
import { startIssuers } from '../accounts/issuer.js';
import { PRISTINE_DATABASE, pristineDatabaseOf } from '../database/own-database.js';
import { REGISTRY_TOKEN, startRegistry } from '../models/registry.js';

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * `max_connections` is enough for all concurrent platforms. No suite stops this server, so fsync is off. By default a worker
 * of autovacuum starts for each of hundreds of databases in each minute. A clone of the files of a database takes a third of the
 * CPU time of a copy.
 */
const SETTINGS = {
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '10min',
  file_copy_method: 'clone',
};

const running: Stoppable[] = [];
let postgres: Promise<void> | undefined;
let peers: Promise<Readonly<Record<string, string>>> | undefined;

/** Starts the shared PostgreSQL once, with migrated template databases, which also have the tables of the job queues. */
export async function ensurePostgres(): Promise<void> {
  postgres ??= startPostgres();
  await postgres.catch(stopAndThrow);
}

/** Starts a platform for all suites of an arrangement. Each test creates its own users. */
export async function startFor(
  arrangement: Arrangement,
  start: (env: Readonly<Record<string, string>>) => Promise<RunningPlatform>,
): Promise<void> {
  await ensurePostgres();
  peers ??= startPeers();
  const platform = await peers.then(start).catch(stopAndThrow);
  running.push(platform);
  const { url, subgraphUrls } = platform;
  const others = JSON.parse(process.env.PLATFORMS_UNDER_TEST ?? '{}') as object;
  process.env.PLATFORMS_UNDER_TEST = JSON.stringify({ ...others, [arrangement]: { url, subgraphUrls } });
}

/** Stops all servers in reverse order. */
export async function stopAll(): Promise<void> {
  for (const one of running.splice(0).toReversed()) await one.stop();
}

/** Stops all servers after a failed setup, because jest does not run the teardown then. */
async function stopAndThrow(error: unknown): Promise<never> {
  await stopAll();
  throw error;
}

/** Stops all servers on a signal, because jest does not run the teardown then. */
function stopAtSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(1)));
}

async function startPostgres(): Promise<void> {
  stopAtSignals();
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-shared-'));
  const server = await openEmbeddedPostgres({ dataDir, log: () => undefined, settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  running.push({ stop });
  await Promise.all([
    migrate(server.url, PRISTINE_DATABASE, SUBGRAPHS),
    ...SUBGRAPHS.map((name) => migrate(server.url, pristineDatabaseOf(name), [name])),
  ]);
  process.env.SHARED_POSTGRES = server.url;
}

async function migrate(
  serverUrl: string,
  database: string,
  subgraphs: readonly (typeof SUBGRAPHS)[number][],
): Promise<void> {
  const url = await createDatabase(serverUrl, database);
  const log = openLog('silent', 'tests');
  for (const schema of subgraphs) {
    await (await openDatabase({ url, schema, log })).close();
    await createJobSchema(url, `${schema}_jobs`);
  }
}

/** Starts the other servers that platforms call. Returns the environment variables with their URLs. */
async function startPeers(): Promise<Readonly<Record<string, string>>> {
  const issuers = await startIssuers();
  running.push(issuers);
  const registry = await startRegistry();
  running.push(registry);
  process.env.REGISTRY_UNDER_TEST = registry.url;
  return { ...issuers.env, REGISTRY_URL: registry.url, REGISTRY_TOKEN };
}
