import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { call } from '../../tests/kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../../tests/kit/wallet.js';
import type { Cleanup } from '../cleanup.js';
import { runConcurrently } from '../run-concurrently.js';
import { fillNetwork } from './dataset.js';

/** A server in another process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

/** A user with a network. */
export interface Owner extends SignedIn {
  readonly tenantId: number;
}

/** The running platform with one large network, its database, and the bare server. */
export interface Environment {
  readonly platform: Server;
  readonly bare: Server;
  readonly owner: Owner;
  readonly database: Database;
  readonly databaseUrl: string;
}

/** Starts everything in a temporary folder. */
export async function startEnvironment(cleanup: Cleanup): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  cleanup.add(() => postgres.stop());
  const running = await startInProcess({ DATA_DIR: dataDir });
  cleanup.add(async () => {
    await running.stop();
    // Shows the errors of the platform, if any.
    process.stderr.write(running.processes.map(({ output }) => output()).join(''));
  });
  const port = await freePort();
  const bare = await startProcess(['bench/network/bare.js', `${port}`], {});
  cleanup.add(() => bare.stop());
  const database = connectDatabase({ url: postgres.url, schema: 'network', log: openLog('warn', 'bench') });
  cleanup.add(() => database.close());
  const owner = await newOwner(running.url);
  await fillNetwork(postgres.url, owner.tenantId);
  return {
    platform: { url: running.url, pid: running.processes[0]?.child.pid ?? 0 },
    bare: { url: `http://127.0.0.1:${port}`, pid: bare.child.pid ?? 0 },
    owner,
    database,
    databaseUrl: postgres.url,
  };
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
