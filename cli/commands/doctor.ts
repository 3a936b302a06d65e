import type { Command } from 'commander';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { PlatformError, type Archipelago } from '../../sdk/src/index.js';
import { run, type Session } from '../session.js';
import { isSimulated, type Part } from '../simulated.js';

/** Milliseconds that each check may take. */
const TIMEOUT_MS = 5000;
/** Maximum seconds between this clock and the platform's: signatures and certificates need the time. */
const MAX_CLOCK_SKEW = 30;
const DEFAULT_LIGHTHOUSE_PORT = '4242';
const DEFAULT_DATA_DIR = '.data';
const MAX_PORT = 65_535;
/** Running lighthouses touch their file `updated` once a second; see scripts/healthy.js. */
const LIGHTHOUSE_UPDATE_LIMIT_MS = 15_000;

type State = 'ok' | 'warning' | 'failed';
type Finding = readonly [state: State, detail: string];

/** Adds `doctor`. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this computer and the platform; exit status 1 if a check fails')
    .action(run(examine));
}

async function examine({ client, output, url }: Session): Promise<void> {
  const checks = {
    node: async (): Promise<Finding> => ['ok', process.version],
    platform: () => platformAnswers(url),
    clock: () => clockOf(url),
    port: () => portOf(url),
    'lighthouse port': lighthousePort,
    machines: () => simulationOf(client, url, { part: 'machines', words: 'no host runs them' }),
    payments: () => simulationOf(client, url, { part: 'payments', words: 'test money' }),
    'data directory': dataDirectory,
    database,
    nebula: () => versionOf('nebula', '-version', 'needed by machines that join the network'),
    qemu: () => versionOf('qemu-system-x86_64', '--version', 'needed by the qemu provider of machines'),
  };
  const rows = await Promise.all(
    Object.entries(checks).map(async ([check, examineIt]) => {
      const [state, detail] = await examineIt().catch((error: Error): Finding => ['failed', error.message]);
      return { check, state, detail };
    }),
  );
  output.table(rows, [
    ['check', ({ check }) => check],
    ['state', ({ state }) => state],
    ['detail', ({ detail }) => detail],
  ]);
  if (rows.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

async function platformAnswers(url: string): Promise<Finding> {
  const { status } = await get(url, '/health/ready');
  return status === 200 ? ['ok', url] : ['failed', `${url} is not ready: ${status}`];
}

async function clockOf(url: string): Promise<Finding> {
  const { headers } = await get(url, '/health/live');
  const seconds = Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return ['warning', 'the platform does not say its time'];
  const detail = `${Math.abs(seconds)} s from the platform`;
  return Math.abs(seconds) > MAX_CLOCK_SKEW ? ['failed', detail] : ['ok', detail];
}

interface Simulation {
  readonly part: Part;
  /** What is said of a part that is simulated. */
  readonly words: string;
}

async function simulationOf(client: Archipelago, url: string, { part, words }: Simulation): Promise<Finding> {
  await get(url, '/health/live'); // the client would try for seconds
  return isSimulated(client, part).then(
    (isSo): Finding => (isSo ? ['warning', `simulated: ${words}`] : ['ok', 'not simulated']),
    (error: Error): Finding => [error instanceof PlatformError ? 'warning' : 'failed', error.message],
  );
}

async function get(url: string, location: string): Promise<Response> {
  return fetch(url + location, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new Error(`nothing answers at ${url}`);
  });
}

/** Why a request failed; `fetch` hides that in the cause of its error. */
function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** A platform that cannot start often finds its port taken. */
async function portOf(address: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(address);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (!(await acceptsConnections(hostname, number))) {
    const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
    return isHere ? ['ok', `${number} is free`] : ['failed', `nothing accepts connections on ${hostname}:${number}`];
  }
  const health = await fetch(`${address}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(causeOf);
  if (typeof health === 'string')
    return ['failed', `${number} accepts connections, but the request for its health failed: ${health}`];
  const body = (await health.json().catch(() => undefined)) as { readonly status?: unknown } | undefined;
  if (body?.status === 'live') return ['ok', `the platform listens on ${number}`];
  return ['failed', `another program listens on ${number}`];
}

function acceptsConnections(host: string, port: number): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: host.replaceAll(/[[\]]/g, ''), port, timeout: TIMEOUT_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** Tells who has the first UDP port of the lighthouses of this computer. */
async function lighthousePort(): Promise<Finding> {
  const text = await setting('LIGHTHOUSE_PORT', DEFAULT_LIGHTHOUSE_PORT);
  const port = Number(text);
  if (!/^\d{1,9}$/.test(text) || port < 1 || port > MAX_PORT)
    return ['failed', `LIGHTHOUSE_PORT is "${text}"; it must be a number from 1 to ${MAX_PORT}.`];
  const socket = createSocket('udp4');
  const isFree = await once(socket.bind(port), 'listening').then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return false;
    },
  );
  socket.close();
  if (isFree) return ['ok', `UDP ${port} is free`];
  const updated = await stat(path.join(await setting('DATA_DIR', DEFAULT_DATA_DIR), 'lighthouse/updated')).catch(
    () => undefined,
  );
  const isOurs = updated !== undefined && Date.now() - updated.mtimeMs < LIGHTHOUSE_UPDATE_LIMIT_MS;
  return isOurs
    ? ['ok', `a lighthouse listens on UDP ${port}`]
    : [
        'warning',
        `another program, or a lighthouse with another DATA_DIR, listens on UDP ${port}: none can start here`,
      ];
}

async function dataDirectory(): Promise<Finding> {
  const folder = path.resolve(await setting('DATA_DIR', DEFAULT_DATA_DIR));
  const found = await stat(folder).catch(() => undefined);
  if (!found) return ['ok', `${folder} does not exist yet`];
  if (!found.isDirectory()) return ['failed', `${folder} is not a folder`];
  const mayUse = await access(folder, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!mayUse) return ['failed', `${folder} cannot be read and written by this user`];
  const mode = (found.mode & 0o777).toString(8);
  return (found.mode & 0o077) === 0 ? ['ok', folder] : ['warning', `${folder} is open to other users (mode ${mode})`];
}

async function database(): Promise<Finding> {
  const url = await setting('DATABASE_URL', '');
  if (url === '') return ['ok', 'embedded: DATABASE_URL is not set'];
  // Loaded here: no other command needs it.
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
    return ['ok', `PostgreSQL ${rows[0]?.version ?? ''}`];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Reads a variable as the platform does. @throws for what the platform refuses at its start, with the same message */
async function setting(name: string, byDefault: string): Promise<string> {
  const value = process.env[name]?.trim();
  const file = process.env[`${name}_FILE`]?.trim();
  if (!file) return value || byDefault;
  if (value) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`${name}_FILE names ${file}, which cannot be read (${code}).`);
  });
  if (text.trim() === '') throw new Error(`${name}_FILE names ${file}, which is empty.`);
  return text.trim();
}

async function versionOf(name: string, option: string, purpose: string): Promise<Finding> {
  const answer = await promisify(execFile)(name, [option], { timeout: TIMEOUT_MS }).catch(() => undefined);
  if (!answer) return ['warning', `${name} could not be run; ${purpose}`];
  const [line = ''] = `${answer.stdout}${answer.stderr}`.split('\n');
  return ['ok', line.trim()];
}
