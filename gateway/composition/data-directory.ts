import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Config, SubgraphName } from '../../kernel/config/config.js';
import { hashToken, makeApiToken } from '../../kernel/security/credentials.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import type { AdminToken } from '../../kernel/subgraph/subgraph.js';

/** What the platform keeps in DATA_DIR, opened. */
export interface DataDirectory {
  /** Undefined when no subgraph runs in this process. */
  readonly databaseUrl: string | undefined;
  /** Undefined when accounts run elsewhere. */
  readonly adminToken: AdminToken | undefined;
  /** Where the operator finds that token, in words. */
  readonly adminTokenPlace: string;
  close(): Promise<void>;
}

/** A start that cannot go on; the message is one line for the operator. */
export class StartError extends Error {}

/** Opens what these subgraphs need of DATA_DIR: the embedded database unless another is named, the first superuser's token. */
export async function openDataDirectory(
  config: Config,
  subgraphs: readonly SubgraphName[],
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<DataDirectory> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await chmod(config.dataDir, 0o700);
  const isEmbedded = subgraphs.length > 0 && config.databaseUrl === undefined;
  const database = isEmbedded ? await openEmbeddedPostgres({ dataDir: config.dataDir, log, signal }) : undefined;
  try {
    const token = subgraphs.includes('accounts') ? await openAdminToken(config) : { place: placeElsewhere(config) };
    return {
      databaseUrl: database?.url ?? config.databaseUrl,
      adminToken: token.adminToken,
      adminTokenPlace: token.place,
      close: async () => database?.stop(),
    };
  } catch (error) {
    await database?.stop();
    throw error;
  }
}

interface PlacedToken {
  readonly adminToken?: AdminToken;
  readonly place: string;
}

async function openAdminToken(config: Config): Promise<PlacedToken> {
  if (config.adminToken !== undefined)
    return { adminToken: { hash: hashToken(config.adminToken), replacesOthers: true }, place: 'from ADMIN_TOKEN' };
  const file = join(config.dataDir, 'admin-token');
  return { adminToken: { hash: hashToken(await readOrMakeToken(file)), replacesOthers: false }, place: file };
}

function placeElsewhere({ adminToken }: Config): string {
  const place = 'of accounts, which runs apart: set ADMIN_TOKEN there, or read admin-token in its DATA_DIR';
  return adminToken === undefined ? place : `${place}; ADMIN_TOKEN is not read here`;
}

async function readOrMakeToken(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  const token = makeApiToken();
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
  return token;
}

/** Held by the one platform on an embedded database, as long as its session lives. */
const PLATFORM_LOCK = 7_266_041_203;

/** Milliseconds that a platform which is just stopping is waited for. */
const PREDECESSOR_MS = 3_000;

/** Claims the embedded database for one platform; the claim ends with this process, also by kill -9. @throws StartError */
export async function claimDataDirectory(databaseUrl: string, dataDir: string): Promise<() => Promise<void>> {
  const session = new Client({ connectionString: databaseUrl, keepAlive: true });
  session.on('error', () => undefined); // a database that restarts: the pools say so
  await session.connect();
  const deadline = Date.now() + PREDECESSOR_MS;
  await session.query(`SET lock_timeout = ${PREDECESSOR_MS}`);
  try {
    await session.query('SELECT pg_advisory_lock($1)', [PLATFORM_LOCK]);
  } catch {
    await session.end();
    const waited = Math.round((Date.now() - deadline + PREDECESSOR_MS) / 1000);
    throw new StartError(
      `Another platform runs on ${dataDir} (waited ${waited} s); stop it, or set DATA_DIR to another folder.`,
    );
  }
  return () => session.end();
}
