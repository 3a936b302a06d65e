import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import { ConfigError } from '../../config/environment.js';
import { makeDataDirectory, OWNER } from './cluster.js';
import { exclusively } from './exclusively.js';
import { type Link, isLastUser, joinCluster } from './link.js';
import { stopPostmaster } from './postmaster.js';

const MAX_RETRY_DELAY_MS = 30_000;

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: (line: string) => void;
  /** Overrides of our postgresql.conf settings; used only if this process starts the server. */
  settings?: Record<string, string>;
  /** Aborts the opening and ends every process that it started. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  url: string;
  /** Whether this process created the cluster, started its server, or found it running. */
  how: 'created' | 'started' | 'attached';
  /** Disconnects this process; the last process shuts the server down and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Opens the PostgreSQL in `<dataDir>/postgres`: creates, starts or joins it.
 * If the server dies while it is open, it is restarted on the same port, so that pools recover.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = await makeDataDirectory(options.dataDir);
  const stopping = new AbortController();
  let recovery = Promise.resolve();
  let link = await join(directory, options);
  const watch = (): void => {
    link.client.once('end', () => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  };
  const recover = async (): Promise<void> => {
    const found = await rejoin(directory, { options, port: link.port, stopping: stopping.signal });
    if (!found) return;
    link = found;
    watch();
  };
  watch();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await recovery;
    await leave(directory, link);
  };
  return { url: urlOf(link), how: link.how, stop: () => (stopped ??= stop()) };
}

/** Opens the database of a platform that was started before. @throws ConfigError if there is none */
export async function openExistingDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Pick<EmbeddedPostgres, 'url' | 'stop'>> {
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: () => Promise.resolve() };
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new ConfigError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
  return openEmbeddedPostgres({ dataDir, log: () => undefined });
}

async function join(directory: string, options: EmbeddedPostgresOptions, port?: number): Promise<Link> {
  const { log, settings = {}, signal } = options;
  const startMs = performance.now();
  const link = await exclusively(lockOf(directory), () => joinCluster(directory, { settings, port, signal }), signal);
  log(`PostgreSQL ${link.how} on 127.0.0.1:${link.port} in ${Math.round(performance.now() - startMs)} ms`);
  return link;
}

interface Recovery {
  options: EmbeddedPostgresOptions;
  port: number;
  stopping: AbortSignal;
}

async function rejoin(directory: string, { options, port, stopping }: Recovery): Promise<Link | undefined> {
  for (let delayMs = 500; !stopping.aborted; delayMs = Math.min(2 * delayMs, MAX_RETRY_DELAY_MS)) {
    try {
      return await join(directory, options, port);
    } catch (error) {
      options.log(
        `PostgreSQL ended and could not be restarted: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    await delay(delayMs, undefined, { ref: false, signal: stopping }).catch(() => undefined);
  }
  return undefined;
}

async function leave(directory: string, link: Link): Promise<void> {
  link.socket.ref();
  await exclusively(lockOf(directory), async () => {
    const isLast = await isLastUser(link);
    await link.client.end().catch(() => undefined);
    if (isLast) await stopPostmaster(path.join(directory, 'data'));
  });
}

function lockOf(directory: string): string {
  return path.join(directory, 'lock');
}

function urlOf({ password, port }: Link): string {
  const name = encodeURIComponent(`${OWNER}:${process.pid}`);
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}?application_name=${name}`;
}
