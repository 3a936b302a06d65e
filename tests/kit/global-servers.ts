import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { createDatabase, SUBGRAPHS, type Arrangement, type RunningPlatform } from './arrangements.js';
import { startIssuers } from './issuer.js';
import { PRISTINE_DATABASE, pristineDatabaseOf } from './own-database.js';
import { REGISTRY_TOKEN, startRegistry } from './registry.js';

interface Stoppable {
  stop(): Promise<unknown>;
}

/** Connections of as many platforms as run at once. No suite ends this server early, so nothing has to reach the disk. */
const SETTINGS = { max_connections: '400', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const running: Stoppable[] = [];
let postgres: Promise<void> | undefined;
let peers: Promise<Readonly<Record<string, string>>> | undefined;

/** Starts the PostgreSQL that suites share, once, with migrated databases to copy. */
export async function ensurePostgres(): Promise<void> {
  postgres ??= startPostgres();
  await postgres.catch(stopAndThrow);
}

/** Starts a platform for all suites of an arrangement; each test brings users of its own. */
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

/** Stops all that was started, what is used by others last. */
export async function stopAll(): Promise<void> {
  for (const one of running.splice(0).toReversed()) await one.stop();
}

/** Jest does not tear down what a failed setup has started. */
async function stopAndThrow(error: unknown): Promise<never> {
  await stopAll();
  throw error;
}

/** Ended by a signal, jest does not tear down either. */
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
  for (const schema of subgraphs) await (await openDatabase({ url, schema, log })).close();
}

/** Starts the other servers that platforms speak to; what platforms are told of them. */
async function startPeers(): Promise<Readonly<Record<string, string>>> {
  const issuers = await startIssuers();
  running.push(issuers);
  const registry = await startRegistry();
  running.push(registry);
  process.env.REGISTRY_UNDER_TEST = registry.url;
  return { ...issuers.env, REGISTRY_URL: registry.url, REGISTRY_TOKEN };
}
