import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../kernel/database/database.js';
import { openLog } from '../../kernel/telemetry/log.js';
import { openEmbeddedPostgres } from '../../kernel/database/postgres/embedded.js';
import { freePort, startInProcess, startProcess } from '../../tests/kit/arrangements.js';
import { call } from '../../tests/kit/platform.js';
import { newWallet, signIn, type SignedIn } from '../../tests/kit/wallet.js';
import type { Ends } from '../ends.js';
import { inTurns } from '../in-turns.js';
import { fillNetwork } from './dataset.js';

/** A server that runs beside the bench. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

/** A user with a network. */
export interface Owner extends SignedIn {
  readonly tenantId: number;
}

/** The platform with one network of the measured scale, the bare server, and the database they are on. */
export interface Setting {
  readonly platform: Server;
  readonly bare: Server;
  readonly owner: Owner;
  readonly database: Database;
  readonly databaseUrl: string;
}

/** Starts it all on folders of its own. */
export async function startSetting(ends: Ends): Promise<Setting> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-bench-'));
  ends.add(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  ends.add(() => postgres.stop());
  const running = await startInProcess({ DATA_DIR: dataDir });
  ends.add(async () => {
    await running.stop();
    // What went wrong there, if anything did.
    process.stderr.write(running.processes.map(({ output }) => output()).join(''));
  });
  const port = await freePort();
  const bare = await startProcess(['bench/network/bare.js', `${port}`], {});
  ends.add(() => bare.stop());
  const database = connectDatabase({ url: postgres.url, schema: 'network', log: openLog('warn', 'bench') });
  ends.add(() => database.close());
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

/** Signs so many new users in whose networks are provisioned. */
export async function newOwners(url: string, count: number): Promise<Owner[]> {
  const owners: Owner[] = [];
  await inTurns(4, Array(count).keys(), async () => owners.push(await newOwner(url)));
  return owners;
}

async function newOwner(url: string): Promise<Owner> {
  const user = await signIn(newWallet(), url);
  const { body } = await call('POST /api/network/provision/', { token: user.token, url });
  return { ...user, tenantId: body.id };
}
