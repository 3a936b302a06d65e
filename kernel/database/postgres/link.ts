import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, openCluster, OWNER } from './cluster.js';
import {
  cleanUpDeadPostmaster,
  endPostmaster,
  findPostmaster,
  isFree,
  pickPort,
  type Postmaster,
  readLogEnd,
  readPidFile,
  spawnPostmaster,
} from './postmaster.js';

// Long enough to replay the write-ahead log after a crash under load.
const READY_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 10;
const LAST_USER_TIMEOUT_MS = 300;
// "archipel" in ASCII, so that no other advisory lock is likely to have the same key.
const IN_USE_LOCK = '7021784069120746860';
const WRONG_PASSWORD = '28P01';
const NO_SUCH_DATABASE = '3D000';

/** An idle connection with a shared advisory lock: other processes do not stop the server while one is held. */
export interface Link {
  client: Client;
  socket: Socket;
  port: number;
  password: string;
  how: 'created' | 'started' | 'attached';
}

export interface JoinOptions {
  settings: Record<string, string>;
  /** The required port; undefined: any free port. */
  port: number | undefined;
  /** Aborts the call and ends a server that it has just started. */
  signal: AbortSignal | undefined;
}

/** Connects to the running server of `directory`, or starts it. The caller holds the lock of `directory`. */
export async function joinCluster(directory: string, options: JoinOptions): Promise<Link> {
  const cluster = await openCluster(directory, options.signal);
  // Retry: another program may take the port, or a server may appear whose parent was killed a moment ago.
  for (let attempt = 1; ; attempt++) {
    const link = (await attach(cluster, options.signal)) ?? (await start(cluster, options));
    if (link) {
      link.socket.unref(); // the link alone must not keep the process alive
      return link;
    }
    if (attempt === 3) throw new Error(`PostgreSQL does not start: ${await readLogEnd(cluster.logFile)}`);
  }
}

/** Whether no other process holds a link. Waits a moment, until connections of killed processes close. */
export async function isLastUser({ client }: Link): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${IN_USE_LOCK})`);
    await client.query(`SET lock_timeout = ${LAST_USER_TIMEOUT_MS}`);
    await client.query(`SELECT pg_advisory_lock(${IN_USE_LOCK})`);
    return true;
  } catch (error) {
    // If the link is broken, the answer is unknown; remaining users restart the server.
    return codeOf(error) !== '55P03';
  }
}

async function attach(cluster: Cluster, signal: AbortSignal | undefined): Promise<Link | undefined> {
  if (!(await findPostmaster(cluster.data))) return undefined;
  const link = await connectWhenReady(cluster, () => findPostmaster(cluster.data), signal);
  return link && { ...link, how: 'attached' };
}

async function start(cluster: Cluster, { settings, port: fixedPort, signal }: JoinOptions): Promise<Link | undefined> {
  const port = await choosePort(cluster, fixedPort);
  await cleanUpDeadPostmaster(cluster.data);
  const child = await spawnPostmaster(cluster, port, settings);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const findRunning = async () => (isRunning() ? { pid: child.pid ?? 0, port } : undefined);
  const link = await connectWhenReady(cluster, findRunning, signal).catch(async (error: unknown) => {
    // No other process uses it: the caller holds the lock.
    await endPostmaster(child);
    throw error;
  });
  if (link) return { ...link, how: cluster.isNew ? 'created' : 'started' };
  const mayTryAgain = Boolean(await findPostmaster(cluster.data)) || !(await isFree(port));
  if (!mayTryAgain) throw new Error(`PostgreSQL does not start: ${await readLogEnd(cluster.logFile)}`);
  return undefined;
}

// Reuses the port of a crashed server if possible, because pools of other processes still connect to it.
async function choosePort(cluster: Cluster, fixedPort: number | undefined): Promise<number> {
  if (!fixedPort) return pickPort((await readPidFile(cluster.data))?.port);
  if (await isFree(fixedPort)) return fixedPort;
  throw new Error(`another program uses its port ${fixedPort}`);
}

type Connection = Omit<Link, 'how'>;

async function connectWhenReady(
  cluster: Cluster,
  findRunning: () => Promise<Postmaster | undefined>,
  signal: AbortSignal | undefined,
): Promise<Connection | undefined> {
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  let lastError: unknown;
  while (Date.now() < deadlineMs) {
    signal?.throwIfAborted();
    const running = await findRunning();
    if (!running) return undefined;
    try {
      if (running.port) return await connect(cluster.password, running.port, OWNER);
    } catch (error) {
      lastError = error;
      await handleConnectError(error, cluster, running);
    }
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(`PostgreSQL is running but does not accept connections; see ${cluster.logFile}`, {
    cause: lastError,
  });
}

// All other errors mean that the server is starting or stopping: the caller tries again.
async function handleConnectError(error: unknown, cluster: Cluster, { port, pid }: Postmaster): Promise<void> {
  if (codeOf(error) === NO_SUCH_DATABASE) {
    const { client } = await connect(cluster.password, port, 'postgres');
    await client.query(`CREATE DATABASE ${OWNER}`);
    await client.end();
  }
  if (codeOf(error) === WRONG_PASSWORD) {
    throw new Error(`PostgreSQL (pid ${pid}) refuses the password in ${cluster.directory}: restore the right one`);
  }
}

async function connect(password: string, port: number, database: string): Promise<Connection> {
  const socket = new Socket();
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: OWNER,
    password,
    database,
    application_name: `${OWNER}:${process.pid}:link`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    stream: () => socket,
  });
  client.on('error', () => undefined); // handled by 'end'
  try {
    await client.connect();
    await client.query(`SELECT pg_advisory_lock_shared(${IN_USE_LOCK})`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket, port, password };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
