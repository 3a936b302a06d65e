import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../kernel/database/database.js';
import { openEmbeddedPostgres } from '../kernel/database/postgres/embedded.js';
import { openLog } from '../kernel/telemetry/log.js';
import { freePort, startInProcess } from '../tests/kit/arrangements.js';
import { call } from '../tests/kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../tests/kit/accounts/wallet.js';
import type { Cleanup } from './cleanup.js';
import { postgresPid, startServer, type Server } from './processes.js';
import { runConcurrently } from './run-concurrently.js';
import type { Scale } from './scale.js';

/** A user with a network. */
export interface Owner extends SignedIn {
  readonly tenantId: number;
}

/** The running platform, its database, and a bare server. */
export interface Environment {
  readonly scale: Scale;
  readonly cleanup: Cleanup;
  readonly platform: Server;
  readonly bare: Server;
  readonly owner: Owner;
  /** The schema of the network. */
  readonly database: Database;
  readonly databaseUrl: string;
  readonly postgresPid: number;
}

/** Starts everything in a temporary folder. The model registry is unreachable, so that the index is not pruned. */
export async function startEnvironment(cleanup: Cleanup, scale: Scale): Promise<Environment> {
  const dataDir = await temporaryFolder(cleanup);
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  cleanup.add(() => postgres.stop());
  const running = await startInProcess({ DATA_DIR: dataDir, REGISTRY_URL: `http://127.0.0.1:${await freePort()}` });
  cleanup.add(async () => {
    for (const each of running.processes) if ((await each.stop()) !== 0) process.stderr.write(each.output());
  });
  const bare = await startServer(cleanup, ['bench/network/bare.js']);
  const database = connectDatabase({ url: postgres.url, schema: 'network', log: openLog('warn', 'bench') });
  cleanup.add(() => database.close());
  return {
    scale,
    cleanup,
    platform: { url: running.url, pid: running.processes[0]?.child.pid ?? 0 },
    bare,
    owner: await newOwner(running.url),
    database,
    databaseUrl: postgres.url,
    postgresPid: postgresPid(dataDir),
  };
}

/** Creates a folder that is removed at the end. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Signs in new users and provisions their networks. */
export async function newOwners(url: string, count: number): Promise<Owner[]> {
  const owners: Owner[] = [];
  await runConcurrently(4, Array(count).keys(), async () => owners.push(await newOwner(url)));
  return owners;
}

async function newOwner(url: string): Promise<Owner> {
  const user = await signIn(newWallet(), url);
  const { body } = await call('POST /api/network/provision/', { token: user.token, url });
  return { ...user, tenantId: body.id };
}
