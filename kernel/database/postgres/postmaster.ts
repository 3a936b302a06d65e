import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { locatePrograms } from './binaries.js';
import { serverEnvironment } from '../../config/config.js';
import { type Cluster } from './cluster.js';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const POLL_INTERVAL_MS = 10;
const STOP_SIGNALS = [
  { signal: 'SIGINT', timeoutMs: 10_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  autovacuum: 'on',
  timezone: 'UTC',
  tcp_keepalives_idle: '60',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  client_connection_check_interval: '5s',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Errors of statements, which clients can cause without end, are less: they are answered to the platform.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  // Keeps statements and row values out of the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export interface Postmaster {
  pid: number;
  /** 0 until the postmaster has written its port. */
  port: number;
}

/** Returns the running postmaster of this data directory. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | undefined> {
  const named = await readPidFile(dataDir);
  return named && (await isPostmaster(named.pid, dataDir)) ? named : undefined;
}

/** Reads postmaster.pid, which a dead postmaster may have left. */
export async function readPidFile(dataDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]) || 0 };
}

// After a crash another process may have the same pid.
async function isPostmaster(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [command = '', ...args] = commandLine.split('\0');
  return path.basename(command) === 'postgres' && args.includes(dataDir);
}

/** Reads the process state, because an exiting process has no command line any more. */
async function hasEnded(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return !isAlive(pid);
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return /\) [ZX]/.test(state);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends the remaining children of a dead postmaster, which hold its shared memory, and removes its pid file. */
export async function cleanUpDeadPostmaster(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  if (!(await stat(pidFile).catch(() => undefined))) return;
  const startMs = Date.now();
  for (let pids = await listChildren(dataDir); pids.length > 0; pids = await listChildren(dataDir)) {
    const elapsedMs = Date.now() - startMs;
    if (elapsedMs > 10_000) throw new Error(`processes ${pids.join(', ')} of a dead PostgreSQL do not end`);
    for (const pid of pids) signal(pid, elapsedMs > 1_000 ? 'SIGKILL' : 'SIGQUIT');
    await delay(POLL_INTERVAL_MS);
  }
  await rm(pidFile, { force: true });
}

// Children change their command line, but their working directory stays the cluster's.
async function listChildren(dataDir: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      if (cwd !== dataDir) return 0;
      const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
      return path.basename(program).replace(' (deleted)', '') === 'postgres' ? pid : 0;
    }),
  );
  return found.filter((pid) => pid > 0);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Starts a postmaster in its own session, so that Ctrl-C in a terminal does not reach it. No other may be running. */
export async function spawnPostmaster(
  cluster: Cluster,
  port: number,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const { postgres } = await locatePrograms(cluster.data);
  await rotateLog(cluster.logFile);
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [command = '', ...args] = [...postgres, '-D', cluster.data, '-p', String(port), ...options];
    const child = spawn(command, args, {
      cwd: cluster.directory,
      detached: true,
      env: serverEnvironment(),
      stdio: ['ignore', log.fd, log.fd],
    });
    child.on('error', () => undefined); // callers see it as an exit
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Ends a postmaster that this process started and no other process uses, and waits for its end. @throws when it does not end */
export async function endPostmaster(child: ChildProcess): Promise<void> {
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  for (const { signal: name, timeoutMs } of STOP_SIGNALS) {
    if (hasExited()) return;
    const exit = once(child, 'exit');
    child.kill(name);
    await Promise.race([exit, delay(timeoutMs, undefined, { ref: false })]);
  }
  if (!hasExited()) throw new Error(`PostgreSQL with the process id ${child.pid} does not stop`);
}

async function rotateLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
}

/** Returns the last lines of the PostgreSQL log as one line. */
export async function readLogEnd(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-6).join(' | ');
}

/** Shuts the postmaster and its sessions down, and waits for their end. */
export async function stopPostmaster(dataDir: string): Promise<void> {
  for (const { signal: name, timeoutMs } of STOP_SIGNALS) {
    const running = await findPostmaster(dataDir);
    if (!running) return;
    signal(running.pid, name);
    const deadlineMs = Date.now() + timeoutMs;
    while (Date.now() < deadlineMs) {
      if (await hasEnded(running.pid)) return;
      await delay(POLL_INTERVAL_MS);
    }
  }
  throw new Error(`PostgreSQL in ${dataDir} does not stop`);
}

/** Returns a free port of 127.0.0.1: `preferred`, or one below the range of outgoing connections. */
export async function pickPort(preferred = 0): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 20000 and 32767 on 127.0.0.1');
}

/** Whether the port of 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
