import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Config, SubgraphName } from '../../kernel/config/config.js';
import { hashToken, makeApiToken } from '../../kernel/security/credentials.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import type { AdminToken } from '../../kernel/subgraph/subgraph.js';

/** The opened DATA_DIR of the platform. */
export interface DataDirectory {
  /** Undefined when no subgraph runs in this process. */
  readonly databaseUrl: string | undefined;
  /** Undefined when accounts run elsewhere. */
  readonly adminToken: AdminToken | undefined;
  /** Says where the operator finds the token. */
  readonly adminTokenLocation: string;
  close(): Promise<void>;
}

/** A start that failed for a reason the operator can fix. The message has one line per problem. */
export class StartError extends Error {}

/** Opens the parts of DATA_DIR that these subgraphs need: the embedded database, unless DATABASE_URL is set, and the token of the first superuser. */
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
    const token = subgraphs.includes('accounts')
      ? await openAdminToken(config, log)
      : { location: locationInAccounts(config) };
    return {
      databaseUrl: database?.url ?? config.databaseUrl,
      adminToken: token.adminToken,
      adminTokenLocation: token.location,
      close: async () => database?.stop(),
    };
  } catch (error) {
    await database?.stop();
    throw error;
  }
}

interface LocatedToken {
  readonly adminToken?: AdminToken;
  readonly location: string;
}

/** The fewest characters of an ADMIN_TOKEN without a warning. */
const LONG_TOKEN_LENGTH = 16;

async function openAdminToken(config: Config, log: (line: string) => void): Promise<LocatedToken> {
  if (config.adminToken !== undefined) {
    if (config.adminToken.length < LONG_TOKEN_LENGTH)
      log(
        `  warning     ADMIN_TOKEN has fewer than ${LONG_TOKEN_LENGTH} characters: it can be guessed, and found from its hash in the database`,
      );
    return { adminToken: { hash: hashToken(config.adminToken), replacesOthers: true }, location: 'from ADMIN_TOKEN' };
  }
  const file = join(config.dataDir, 'admin-token');
  return { adminToken: { hash: hashToken(await readOrCreateToken(file)), replacesOthers: false }, location: file };
}

function locationInAccounts({ adminToken }: Config): string {
  const location = 'is stored by the accounts process: set ADMIN_TOKEN there, or read admin-token in its DATA_DIR';
  return adminToken === undefined ? location : `${location}; ADMIN_TOKEN is not read here`;
}

async function readOrCreateToken(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored.trim() !== '') return stored.trim();
  const token = makeApiToken();
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, `${token}\n`, { mode: 0o600, flush: true });
  await rename(temporary, file);
  return token;
}

/** Key of the PostgreSQL advisory lock that the one platform on an embedded database holds. */
const PLATFORM_LOCK = 7_266_041_203;

/** How long to wait for the lock of a platform that is stopping. */
const LOCK_TIMEOUT_MS = 3_000;

/** Locks the embedded database for one platform. The lock ends with this process, also after kill -9. @throws StartError */
export async function claimDataDirectory(databaseUrl: string, dataDir: string): Promise<() => Promise<void>> {
  const connection = new Client({ connectionString: databaseUrl, keepAlive: true });
  connection.on('error', () => undefined); // the connection pools report a database that restarts
  await connection.connect();
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  await connection.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [PLATFORM_LOCK]);
  } catch {
    await connection.end();
    const waited = Math.round((Date.now() - deadline + LOCK_TIMEOUT_MS) / 1000);
    throw new StartError(
      `Another platform runs on ${dataDir} (waited ${waited} s); stop it, or set DATA_DIR to another folder.`,
    );
  }
  return () => connection.end();
}
