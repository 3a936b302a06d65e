import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from 'pg';
import { packageRoot } from '../../kernel/package-root.js';

/** How the platform under test is deployed. */
export const ARRANGEMENTS = ['in process', 'behind HTTP'] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

export const ADMIN_TOKEN = 'the-admin-token-of-the-tests';
export const SUBGRAPH_SECRET = 'the-subgraph-secret-of-the-tests';
/** Keys and webhook secrets of the sandbox payment processor. */
export const PAYMENTS = {
  PAYPROC: 'sandbox',
  PAYPROC_SECRET_KEY: 'sk_test_the_secret_key_of_the_tests',
  PAYPROC_WEBHOOK_SECRET: 'whsec_the_new_secret_of_the_tests,whsec_the_old_secret_of_the_tests',
} as const;

/** A high limit, because whole suites sign in from one address. A separate platform tests the limit. */
const SETTINGS = { VERIFICATIONS_PER_MINUTE: '1000000', WEBHOOKS_TO_LOOPBACK: '1' };
export const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'] as const;

/** A running platform for tests. */
export interface RunningPlatform {
  readonly url: string;
  /** The URL of each subgraph with its own process. */
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly processes: readonly RunningProcess[];
  stop(): Promise<void>;
}

/** Starts the whole platform in one process, with a new embedded database or the one in the given folder. */
export async function startInProcess(env: Readonly<Record<string, string>> = {}): Promise<RunningPlatform> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'archipelago-')));
  const port = await freePort();
  const server = await startProcess(['bundle/platform.js'], {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    ADMIN_TOKEN,
    ...PAYMENTS,
    ...SETTINGS,
    ...env,
  });
  const stop = async () => {
    await server.stop();
    if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, subgraphUrls: {}, dataDir, processes: [server], stop };
}

/** Starts the four subgraphs, each with its own process and database, and a gateway that calls them over HTTP. */
export async function startBehindHttp(
  databaseUrls: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> = {},
): Promise<RunningPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const subgraphUrls: Record<string, string> = {};
  for (const name of SUBGRAPHS) subgraphUrls[name] = `http://127.0.0.1:${await freePort()}`;
  const shared = {
    ...extra,
    ...SETTINGS,
    SUBGRAPH_SECRET,
    ADMIN_TOKEN,
    ...PAYMENTS,
    SUBGRAPHS: SUBGRAPHS.map((name) => `${name}=${subgraphUrls[name]}`).join(','),
  };
  const processes: RunningProcess[] = [];
  const stop = async () => {
    for (const process of processes.toReversed()) await process.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const starting = await Promise.allSettled(
    SUBGRAPHS.map(async (name) => {
      const env = {
        ...shared,
        PORT: new URL(subgraphUrls[name] ?? '').port,
        DATA_DIR: join(dataDir, name),
        DATABASE_URL: databaseUrls[name] ?? '',
        PUBLIC_URL: url,
      };
      processes.push(await startProcess(['bundle/subgraph.js', name], env));
    }),
  );
  try {
    for (const outcome of starting) if (outcome.status === 'rejected') throw outcome.reason;
    const env = { ...shared, PORT: `${port}`, DATA_DIR: join(dataDir, 'gateway') };
    processes.push(await startProcess(['bundle/platform.js'], env));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, subgraphUrls, dataDir, processes, stop };
}

/** Creates an empty database on the server of this URL. */
export async function createDatabase(databaseUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns a free port below the ephemeral range, which outgoing connections use, and above 10080, which `fetch` refuses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 30_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!listening) return false;
  server.close();
  await once(server, 'close');
  return true;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly output: () => string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Environment of every process under test. Like `npm start` it uses the compile cache of Node in dist. */
export const PROCESS_ENV = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(packageRoot(), 'dist/.compiled'),
} as const;

/** Starts a built entry and waits for its ready line. @throws with its output when it exits instead */
export async function startProcess(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const [entry = '', ...words] = command;
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', entry), ...words], {
    env: { ...PROCESS_ENV, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return untilReady(child, command.join(' '));
}

/** Waits for the ready line of a process. @throws with its output when it exits instead */
export async function untilReady(
  child: ChildProcessByStdio<null, Readable, Readable>,
  name: string,
): Promise<RunningProcess> {
  let output = '';
  const exited = once(child, 'exit') as Promise<[number | null]>;
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (/\bready\b/.test(output)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void exited.then(() => reject(new Error(`${name} did not start:\n${output}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return (await exited)[0];
  };
  return { child, output: () => output, stop };
}
