import { once } from 'node:events';
import { mkdtemp, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { PlatformConfig } from '../../kernel/config/config.js';
import { ConfigError } from '../../kernel/config/environment.js';
import { exclusively } from '../../kernel/database/postgres/exclusively.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { StartError } from './data-directory.js';

/** Milliseconds that PostgreSQL or NATS may take to answer. */
const DATABASE_LIMIT_MS = 5_000;

/** Where a NATS server listens unless its URL says otherwise. */
const NATS_PORT = 4222;

/** What a new PostgreSQL takes, and some room for its first hours. */
const NEW_DATABASE_MIB = 128;

/** Checks what a process with these subgraphs needs before it makes anything. @throws StartError with one line for each fault */
export async function checkStart(
  config: PlatformConfig,
  port: number,
  subgraphs: readonly SubgraphManifest[],
): Promise<void> {
  const { host, dataDir, databaseUrl, eventsUrl } = config;
  const needsDatabase = subgraphs.length > 0;
  const faults = await Promise.all([
    findListenFault(host, port),
    findFolderFault(dataDir, needsDatabase && databaseUrl === undefined),
    needsDatabase && databaseUrl !== undefined ? findDatabaseFault(databaseUrl) : undefined,
    needsDatabase && eventsUrl !== undefined ? findEventsFault(eventsUrl) : undefined,
    ...subgraphs.map((subgraph) => findSubgraphFault(subgraph, config)),
  ]);
  const lines = faults.filter((fault) => fault !== undefined);
  if (lines.length > 0) throw new StartError(lines.join('\n'));
}

async function findSubgraphFault(subgraph: SubgraphManifest, config: PlatformConfig): Promise<string | undefined> {
  try {
    return await subgraph.findFault?.(config[subgraph.name], config);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

async function findListenFault(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', (error) => resolve(listenFault(error, host, port)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Begins to listen, as no check beforehand can promise. @throws StartError */
export async function listen(begin: () => Promise<unknown>, host: string, port: number): Promise<void> {
  await begin().catch((error: unknown) => {
    throw new StartError(listenFault(error, host, port));
  });
}

function listenFault(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `PORT ${port} is taken by another program on ${host}: stop it, or set PORT to another one.`;
  if (code === 'EACCES') return `PORT ${port} may not be opened by this user: set PORT to one from 1024 on.`;
  return `HOST is "${host}", which is no address of this machine (${code}): set it to one, or to 0.0.0.0 for all of them.`;
}

async function findFolderFault(dataDir: string, isEmbedded: boolean): Promise<string | undefined> {
  try {
    const folder = await nearestPath(dataDir);
    if (!(await stat(folder)).isDirectory()) return `DATA_DIR is ${dataDir}, and ${folder} is no folder.`;
    return (await findWriteFault(folder)) ?? (isEmbedded ? await findSpaceFault(dataDir, folder) : undefined);
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

/** Does, in a folder that is removed again, what the platform will do: private folders, durable files, renames, locks. */
async function findWriteFault(folder: string): Promise<string | undefined> {
  const probe = await mkdtemp(join(folder, '.start-'));
  try {
    const file = join(probe, 'file');
    await writeFile(file, 'x', { mode: 0o600, flush: true });
    await rename(file, `${file}.renamed`);
    await exclusively(join(probe, 'lock'), () => Promise.resolve());
    if (process.platform === 'win32' || ((await stat(probe)).mode & 0o777) === 0o700) return undefined;
    return `DATA_DIR is on a file system that keeps no permissions (${folder}), as PostgreSQL needs them: set it to a folder elsewhere.`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

async function findSpaceFault(dataDir: string, folder: string): Promise<string | undefined> {
  const hasDatabase = await stat(join(dataDir, 'postgres', 'data')).then(
    () => true,
    () => false,
  );
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeMib = Math.floor((bavail * bsize) / 1024 ** 2);
  // Some file systems do not say how large they are.
  if (hasDatabase || blocks === 0 || freeMib >= NEW_DATABASE_MIB) return undefined;
  return `DATA_DIR is ${dataDir}, where ${freeMib} MiB are free: a new database needs ${NEW_DATABASE_MIB} MiB.`;
}

/** Connects to the NATS server, no more: what it says is for the client library. */
async function findEventsFault(eventsUrl: string): Promise<string | undefined> {
  const { hostname, port, host } = new URL(eventsUrl);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || NATS_PORT) });
  socket.setTimeout(DATABASE_LIMIT_MS, () => socket.destroy(new Error('timeout')));
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

const DATABASE_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: is PostgreSQL running there?',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'has no address',
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user',
  '3D000': 'has no database of that name',
};

async function findDatabaseFault(databaseUrl: string): Promise<string | undefined> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: DATABASE_LIMIT_MS,
    query_timeout: DATABASE_LIMIT_MS,
  });
  client.on('error', () => undefined); // what counts is what the calls say
  try {
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n')[0] : '';
    const silence = /timeout/i.test(message ?? '')
      ? `does not answer within ${DATABASE_LIMIT_MS / 1_000} s`
      : undefined;
    const reason = DATABASE_FAULTS[codeOf(error)] ?? silence ?? `does not let us in: ${message || codeOf(error)}`;
    // The URL may hold a password: only its host is named.
    return `DATABASE_URL: ${new URL(databaseUrl).host || 'its host'} ${reason}.`.replace(
      /[?.]\.$/,
      (end) => end[0] ?? '',
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
