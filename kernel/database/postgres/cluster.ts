import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serverEnvironment } from '../../config/config.js';
import { locatePrograms } from './binaries.js';

const TEMPORARY_PREFIX = 'data.new-';

/** The name of the superuser and of the database. */
export const OWNER = 'archipelago';

/** A complete database cluster on disk. */
export interface Cluster {
  directory: string;
  data: string;
  logFile: string;
  password: string;
  /** Whether this call created it. */
  isNew: boolean;
}

/** Creates the directory for the cluster, its password, log and lock; returns its real path. */
export async function makeDataDirectory(dataDir: string): Promise<string> {
  const directory = path.resolve(dataDir, 'postgres');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return realpath(directory);
}

/** Opens the cluster in `directory` and creates it if it is missing. The caller holds the lock of `directory`. */
export async function openCluster(directory: string, signal?: AbortSignal): Promise<Cluster> {
  const data = path.join(directory, 'data');
  const isNew = !(await isDirectory(data));
  const password = await readPassword(path.join(directory, 'password'), isNew);
  const cluster = { directory, data, logFile: path.join(directory, 'log'), password, isNew };
  if (isNew) await createCluster(cluster, signal);
  return cluster;
}

async function isDirectory(dir: string): Promise<boolean> {
  return stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function readPassword(file: string, mayCreate: boolean): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim()) return known.trim();
  if (!mayCreate) throw new Error(`${file} is missing: restore the password of the cluster`);
  const password = randomBytes(32).toString('base64url');
  await writeFile(`${file}.new`, password, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return password;
}

// Created under a temporary name and renamed when complete, so that a killed start leaves no incomplete cluster.
async function createCluster(cluster: Cluster, signal: AbortSignal | undefined): Promise<void> {
  await removeUnfinished(cluster.directory);
  const dir = await mkdtemp(path.join(cluster.directory, TEMPORARY_PREFIX));
  await rm(dir, { recursive: true });
  const { initdb } = await locatePrograms(cluster.data);
  try {
    await runInitdb([...initdb, ...initdbArguments(cluster.directory, dir)], cluster.directory, signal);
  } catch (error) {
    await removeUnfinished(cluster.directory);
    throw error;
  }
  await rename(dir, cluster.data);
  await syncDirectory(cluster.directory);
}

// Runs in its own process group, so that server processes started by initdb end with it.
async function runInitdb([command = '', ...args]: string[], directory: string, signal?: AbortSignal): Promise<void> {
  const detached = process.platform !== 'win32';
  const child = spawn(command, args, {
    cwd: directory,
    env: serverEnvironment(),
    detached,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => killGroup(child, detached);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  try {
    // The output closes when the last process of the group has ended.
    const [[code], output] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(`initdb failed: ${output.trim().split('\n').slice(-5).join(' | ')}`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function killGroup({ pid }: ChildProcess, isGroup: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function initdbArguments(directory: string, dir: string): string[] {
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${OWNER}`, `--pwfile=${path.join(directory, 'password')}`, '--auth=scram-sha-256'];
  // Iterations protect guessable passwords and cost time on every connection; this password has 256 random bits.
  return ['-D', dir, '--data-checksums', ...locale, ...access, '--set=scram_iterations=1'];
}

async function removeUnfinished(directory: string): Promise<void> {
  const unfinished = (await readdir(directory)).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  // An initdb whose parent was killed may still write here; it fails soon after.
  for (const name of unfinished) {
    await rm(path.join(directory, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  await handle.sync();
  await handle.close();
}
