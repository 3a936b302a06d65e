import { once } from 'node:events';
import { mkdtemp, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { PlatformConfig } from '../../kernel/config/config.js';
import { ConfigError } from '../../kernel/config/environment.js';
import { exclusively } from '../../kernel/database/postgres/exclusively.js';
import { findReplicaProblem } from '../../kernel/database/replica-check.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { StartError } from './data-directory.js';

/** Connection timeout for PostgreSQL and NATS; on a busy machine PostgreSQL takes more than 5 s to accept a user. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Default port of a NATS server. */
const NATS_PORT = 4222;

/** Disk space of a new PostgreSQL database and its first hours of data. */
const MIN_FREE_MIB = 128;

/** Checks the requirements of a process with these subgraphs before it creates anything. @throws StartError with one line per problem */
export async function checkStart(
  config: PlatformConfig,
  port: number,
  subgraphs: readonly SubgraphManifest[],
): Promise<void> {
  const { host, dataDir, databaseUrl } = config;
  const needsDatabase = subgraphs.length > 0;
  const problems = await Promise.all([
    findListenProblem(host, port),
    findFolderProblem(dataDir, needsDatabase && databaseUrl === undefined),
    ...(needsDatabase ? findServerProblems(config) : []),
    ...subgraphs.map((subgraph) => findSubgraphProblem(subgraph, config)),
  ]);
  const messages = problems.filter((problem) => problem !== undefined);
  if (messages.length > 0) throw new StartError(messages.join('\n'));
}

function findServerProblems(config: PlatformConfig): (Promise<string | undefined> | undefined)[] {
  const { databaseUrl, databasePoolUrl, databaseReplicaUrl, eventsUrl } = config;
  return [
    databaseUrl === undefined ? undefined : findDatabaseProblem('DATABASE_URL', databaseUrl),
    databasePoolUrl === undefined ? undefined : findDatabaseProblem('DATABASE_POOL_URL', databasePoolUrl),
    databaseUrl === undefined || databaseReplicaUrl === undefined
      ? undefined
      : findReplicaProblem(databaseUrl, databaseReplicaUrl),
    eventsUrl === undefined ? undefined : findEventsProblem(eventsUrl),
  ];
}

async function findSubgraphProblem(subgraph: SubgraphManifest, config: PlatformConfig): Promise<string | undefined> {
  try {
    return await subgraph.findFault?.(config[subgraph.name], config);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

async function findListenProblem(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', (error) => resolve(listenProblem(error, host, port)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Connections that wait to be accepted while the process is busy; Linux bounds it by `net.core.somaxconn`, often 4,096. */
export const BACKLOG = 4_096;

/** Starts to listen. This can fail although `checkStart` passed. @throws StartError */
export async function listen(startListening: () => Promise<unknown>, host: string, port: number): Promise<void> {
  await startListening().catch((error: unknown) => {
    throw new StartError(listenProblem(error, host, port));
  });
}

function listenProblem(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `PORT ${port} is taken by another program on ${host}: stop it, or set PORT to another one.`;
  if (code === 'EACCES') return `PORT ${port} may not be opened by this user: set PORT to 1024 or higher.`;
  return `HOST is "${host}", which is no address of this machine (${code}): set it to one of its addresses, or to 0.0.0.0 for all of them.`;
}

async function findFolderProblem(dataDir: string, isEmbedded: boolean): Promise<string | undefined> {
  try {
    const folder = await nearestPath(dataDir);
    if (!(await stat(folder)).isDirectory()) return `DATA_DIR is ${dataDir}, and ${folder} is no folder.`;
    return (await findWriteProblem(folder)) ?? (isEmbedded ? await findSpaceProblem(dataDir, folder) : undefined);
  } catch (error) {
    return `DATA_DIR is ${dataDir}, where nothing can be kept (${codeOf(error)}): set it to a folder that this user can write.`;
  }
}

/** The path itself, or the nearest one above it that exists. */
async function nearestPath(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    (error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return false;
      throw error;
    },
  );
  return exists ? path : nearestPath(dirname(path));
}

/** Tries the file operations of the platform in a temporary folder: permissions, fsync, rename, locks. */
async function findWriteProblem(folder: string): Promise<string | undefined> {
  const probe = await mkdtemp(join(folder, '.start-'));
  try {
    const file = join(probe, 'file');
    await writeFile(file, 'x', { mode: 0o600, flush: true });
    await rename(file, `${file}.renamed`);
    await exclusively(join(probe, 'lock'), () => Promise.resolve());
    if (process.platform === 'win32' || ((await stat(probe)).mode & 0o777) === 0o700) return undefined;
    return `DATA_DIR is on a file system that does not store permissions (${folder}), which PostgreSQL needs: set it to a folder on another file system.`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

async function findSpaceProblem(dataDir: string, folder: string): Promise<string | undefined> {
  const hasDatabase = await stat(join(dataDir, 'postgres', 'data')).then(
    () => true,
    () => false,
  );
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeMib = Math.floor((bavail * bsize) / 1024 ** 2);
  // Some file systems report a size of 0.
  if (hasDatabase || blocks === 0 || freeMib >= MIN_FREE_MIB) return undefined;
  return `DATA_DIR is ${dataDir}, where ${freeMib} MiB are free: a new database needs ${MIN_FREE_MIB} MiB.`;
}

/** Opens a TCP connection to the NATS server. The client library checks the protocol later. */
async function findEventsProblem(eventsUrl: string): Promise<string | undefined> {
  const { hostname, port, host } = new URL(eventsUrl);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || NATS_PORT) });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    const reason =
      codeOf(error) === 'ECONNREFUSED' ? 'refuses connections: is NATS running there?' : 'does not answer.';
    return `EVENTS_URL: ${host} ${reason}`;
  } finally {
    socket.destroy();
  }
}

const DATABASE_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: is PostgreSQL running there?',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address',
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user',
  '3D000': 'has no database of that name',
};

async function findDatabaseProblem(variable: string, databaseUrl: string): Promise<string | undefined> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the calls below report the error
  try {
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n')[0] : '';
    const timeout = /timeout/i.test(message ?? '')
      ? `does not answer within ${CONNECT_TIMEOUT_MS / 1_000} s`
      : undefined;
    const reason = DATABASE_PROBLEMS[codeOf(error)] ?? timeout ?? `refuses the connection: ${message || codeOf(error)}`;
    // The URL may contain a password, so the message names only the host.
    return `${variable}: ${new URL(databaseUrl).host || 'its host'} ${reason}.`.replace(
      /[?.]\.$/,
      (end) => end[0] ?? '',
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
