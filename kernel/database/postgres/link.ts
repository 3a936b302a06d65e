import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, openCluster, OWNER } from './cluster.js';
import {
  clearRemains,
  endPostmaster,
  findPostmaster,
  isFree,
  pickPort,
  type Postmaster,
  readLogEnd,
  readPidFile,
  spawnPostmaster,
} from './postmaster.js';

// Replaying the log after a crash under load takes a while.
const READY_MS = 120_000;
const POLL_MS = 10;
const LAST_USER_TIMEOUT_MS = 300;
// "archipel" in ASCII, as no other advisory lock is likely to be called.
const IN_USE_LOCK = '7021784069120746860';
const WRONG_PASSWORD = '28P01';
const NO_SUCH_DATABASE = '3D000';

/** An idle connection kept while the server is in use: others see by its lock that they are not alone. */
export interface Link {
  client: Client;
  socket: Socket;
  port: number;
  password: string;
  how: 'created' | 'started' | 'attached';
}

export interface JoinOptions {
  settings: Record<string, string>;
  /** The only port that will do; without it any free one. */
  port: number | undefined;
  /** Ends the joining, and a server that it has just started. */
  signal: AbortSignal | undefined;
}

/** Joins the running server of `home` or starts it. The caller holds the lock of `home`. */
export async function joinCluster(home: string, options: JoinOptions): Promise<Link> {
  const cluster = await openCluster(home, options.signal);
  // A start can lose its port, or meet the late start of a parent killed a moment ago: once more, then.
  for (let attempt = 1; ; attempt++) {
    const link = (await attach(cluster, options.signal)) ?? (await start(cluster, options));
    if (link) {
      link.socket.unref(); // the link alone keeps no process alive
      return link;
    }
    if (attempt === 3) throw new Error(`PostgreSQL does not start: ${await readLogEnd(cluster.logFile)}`);
  }
}

/** Whether no other process holds a link; waits a moment for the connections of processes just killed to close. */
export async function isLastUser({ client }: Link): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${IN_USE_LOCK})`);
    await client.query(`SET lock_timeout = ${LAST_USER_TIMEOUT_MS}`);
    await client.query(`SELECT pg_advisory_lock(${IN_USE_LOCK})`);
    return true;
  } catch (error) {
    // With the link broken nobody can tell; users who remain start the server again.
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
  await clearRemains(cluster.data);
  const child = await spawnPostmaster(cluster, port, settings);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const findRunning = async () => (isRunning() ? { pid: child.pid ?? 0, port } : undefined);
  const link = await connectWhenReady(cluster, findRunning, signal).catch(async (error: unknown) => {
    // Nobody else can have joined it: the caller holds the lock.
    await endPostmaster(child);
    throw error;
  });
  if (link) return { ...link, how: cluster.isNew ? 'created' : 'started' };
  const mayTryAgain = Boolean(await findPostmaster(cluster.data)) || !(await isFree(port));
  if (!mayTryAgain) throw new Error(`PostgreSQL does not start: ${await readLogEnd(cluster.logFile)}`);
  return undefined;
}

// The port of a crashed server is taken again where it can be: pools of its other users still point there.
async function choosePort(cluster: Cluster, fixedPort: number | undefined): Promise<number> {
  if (!fixedPort) return pickPort((await readPidFile(cluster.data))?.port);
  if (await isFree(fixedPort)) return fixedPort;
  throw new Error(`its port ${fixedPort} is taken by another program`);
}

type Connection = Omit<Link, 'how'>;

async function connectWhenReady(
  cluster: Cluster,
  findRunning: () => Promise<Postmaster | undefined>,
  signal: AbortSignal | undefined,
): Promise<Connection | undefined> {
  const deadlineMs = Date.now() + READY_MS;
  let lastError: unknown;
  while (Date.now() < deadlineMs) {
    signal?.throwIfAborted();
    const running = await findRunning();
    if (!running) return undefined;
    try {
      if (running.port) return await connect(cluster.password, running.port, OWNER);
    } catch (error) {
      lastError = error;
      await remedy(error, cluster, running);
    }
    await delay(POLL_MS);
  }
  throw new Error(`PostgreSQL lives but does not accept connections; see ${cluster.logFile}`, { cause: lastError });
}

// Whatever is not named here is a server that is still starting or stopping: ask again.
async function remedy(error: unknown, cluster: Cluster, { port, pid }: Postmaster): Promise<void> {
  if (codeOf(error) === NO_SUCH_DATABASE) {
    const { client } = await connect(cluster.password, port, 'postgres');
    await client.query(`CREATE DATABASE ${OWNER}`);
    await client.end();
  }
  if (codeOf(error) === WRONG_PASSWORD) {
    throw new Error(`PostgreSQL (pid ${pid}) refuses the password in ${cluster.home}: put back the right one`);
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
  client.on('error', () => undefined); // its end is what counts
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
