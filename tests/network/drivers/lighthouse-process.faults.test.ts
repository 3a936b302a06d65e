import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { freePort } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { spawnPiped } from '../../kit/run.js';
import { end, isRunning, until } from '../../kit/watch.js';

/** A Nebula that keeps running when it is told to end. */
const STUBBORN_NEBULA = "#!/bin/sh\ntrap '' TERM\nexec sleep 600\n";

let dataDir: string;
let database: Database;
let databaseUrl: string;
let tenant: number;
let lighthouses: ReturnType<typeof spawnPiped>;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  database = connectDatabase({ url: databaseUrl, schema: 'network', log: openLog('silent', 'test') });
  const now = new Date();
  const { id, addressRange } = await provisionTenant(database, { userId: 1 }, { lastRange: 9, now });
  const peer = `INSERT INTO network.peer (tenant_id, label, ip, certificate, created_at) VALUES ($1, 'vm', $2, '', $3)`;
  await database.change((change) => change.execute(peer, [id, addressRange.replace('.0/21', '.17'), now]));
  tenant = id;
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  await writeFile(join(dataDir, 'nebula'), STUBBORN_NEBULA, { mode: 0o755 });
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  const entry = join(packageRoot(), 'dist/subgraphs/network/drivers/lighthouse/lighthouse.js');
  const path = `${dataDir}:${process.env.PATH ?? ''}`;
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LIGHTHOUSE_PORT: `${await freePort()}`, PATH: path };
  lighthouses = spawnPiped([process.execPath, entry], settings);
  await until(() => exists('config.yml.pid'));
});
afterEach(async () => {
  const pid = await nebulaPid();
  await end(lighthouses, 'SIGKILL');
  if (pid > 0 && (await isRunning(pid))) process.kill(pid, 'SIGKILL');
  await rm(fileOf('config.yml.pid'), { force: true });
});

/** A file of the lighthouse of the tenant. */
const fileOf = (name: string) => join(dataDir, 'lighthouse', `${tenant}`, name);
const nebulaPid = async () => Number(await readFile(fileOf('config.yml.pid'), 'utf8').catch(() => ''));
const exists = (name: string) =>
  stat(fileOf(name)).then(
    () => true,
    () => false,
  );

/** Waits until all networks were compared with the database after this call. */
async function polled(): Promise<void> {
  const updatedMs = async () =>
    (await stat(join(dataDir, 'lighthouse', 'updated')).catch(() => undefined))?.mtimeMs ?? 0;
  for (let poll = 0; poll < 2; poll++) {
    const beforeMs = await updatedMs();
    await until(async () => (await updatedMs()) > beforeMs);
  }
}

describe('a lighthouse', () => {
  it('is left alone while nothing of its network changes', async () => {
    // The network has no authority before its first certificate: the next poll writes the configuration again, and one more starts Nebula.
    await polled();
    await polled();
    await rm(fileOf('host.crt'));
    await polled();
    expect(await exists('host.crt')).toBe(false);
    const fingerprint = 'f'.repeat(64);
    const revoked = `INSERT INTO network.revoked_certificate (tenant_id, fingerprint, not_after, revoked_at)
                       VALUES ($1, $2, $3, now())`;
    const notAfter = new Date(Date.now() + 86_400_000);
    await database.change((change) => change.execute(revoked, [tenant, fingerprint, notAfter]));
    await until(async () => (await readFile(fileOf('config.yml'), 'utf8')).includes(fingerprint));
    expect(await exists('host.crt')).toBe(true);
  });

  it('is started again when it has ended', async () => {
    await polled();
    const pid = await nebulaPid();
    process.kill(pid, 'SIGKILL');
    await until(async () => ![pid, 0].includes(await nebulaPid()));
  });

  it('that does not end when it is told to is killed, so that the process ends', async () => {
    await polled();
    const pid = await nebulaPid();
    lighthouses.kill('SIGTERM');
    await until(async () => lighthouses.exitCode !== null);
    expect([lighthouses.exitCode, await isRunning(pid)]).toEqual([0, false]);
  });
});
