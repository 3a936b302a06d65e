import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openSecretBox } from '../../../kernel/security/secret-box.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { decodeCertificate } from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { TenantLighthouses } from '../../../subgraphs/network/drivers/lighthouse/tenant-lighthouses.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { freePort } from '../../kit/arrangements.js';
import { platformConfig } from '../../kit/config.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');

let dataDir: string;
let database: Database;
let lighthouses: TenantLighthouses;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const log = openLog('silent', 'test');
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log });
  const settings = platformConfig({ LIGHTHOUSE_PORT: `${await freePort()}` }).network;
  const secretBox = await openSecretBox({ dataDir, dataKeys: [] });
  lighthouses = new TenantLighthouses({ database, secretBox, log, directory: dataDir, settings });
});
afterAll(async () => {
  await lighthouses.stop();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A tenant with a machine. Returns its id. */
async function servedTenant(userId: number): Promise<number> {
  const { id, addressRange } = await provisionTenant(database, { userId }, { lastRange: 9, now: NOW });
  const peer = `INSERT INTO network.peer (tenant_id, label, ip, certificate, created_at) VALUES ($1, 'vm', $2, '', $3)`;
  const ip = addressRange.replace('.0/21', '.17');
  await database.change((transaction) => transaction.execute(peer, [id, ip, NOW]));
  return id;
}

describe('the lighthouse of a network that cannot be served', () => {
  it('holds up no other, and is served when it can be', async () => {
    const [failing, other] = [await servedTenant(1), await servedTenant(2)];
    const configurationOf = (tenant: number) => readFile(join(dataDir, `${tenant}`, 'config.yml'), 'utf8');
    await writeFile(join(dataDir, `${failing}`), 'in place of its directory');
    await lighthouses.serve(NOW);
    expect(await configurationOf(other)).toContain('am_lighthouse: true');
    await rm(join(dataDir, `${failing}`));
    await lighthouses.serve(NOW);
    expect(await configurationOf(failing)).toContain('am_lighthouse: true');
  });
});

describe('a lighthouse whose key was lost', () => {
  it('gets a certificate for its new key when it starts again', async () => {
    const tenant = await servedTenant(3);
    const certified = async () => decodeCertificate(await readFile(join(dataDir, `${tenant}`, 'host.crt'))).publicKey;
    await lighthouses.serve(NOW);
    const first = await certified();
    await lighthouses.serve(NOW);
    expect(await certified()).toEqual(first);
    await lighthouses.stop();
    await rm(join(dataDir, `${tenant}`, 'host.key'));
    await lighthouses.serve(NOW);
    expect(await certified()).not.toEqual(first);
  });
});
