import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { recordMachines } from '../../../subgraphs/network/drivers/netbird/machine.actions.js';
import { NetbirdApi } from '../../../subgraphs/network/drivers/netbird-api/netbird-api.js';
import { pollServer } from '../../../subgraphs/network/drivers/netbird/drift-poll.js';
import { peerName, tenantPrefix } from '../../../subgraphs/network/drivers/netbird-objects/desired.rules.js';
import { revisionHash } from '../../../subgraphs/network/drivers/netbird-objects/machine.rules.js';
import { readState } from '../../../subgraphs/network/drivers/netbird-objects/object.actions.js';
import { addPeer } from '../../../subgraphs/network/graph/peer/peer.actions.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { platformConfig } from '../../kit/config.js';
import { NetbirdServer } from '../../kit/network/netbird.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const NO_JOBS = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
});
afterAll(() => database.close());

const execute = <Row extends object>(text: string, values: unknown[] = []) =>
  database.change((transaction) => transaction.execute<Row>(text, values));

const newPeer = (tenantId: number, groupId: number) =>
  database.change((transaction) =>
    addPeer(transaction, { tenantId, label: undefined, groupId, vmTicketRef: null }, NOW),
  );

it('a process that read the state of a network before another recorded a newer revision leaves that revision', async () => {
  const { id: tenantId, defaultGroup } = await provisionTenant(database, { userId: 1 }, { lastRange: 0, now: NOW });
  const { id, ip } = await newPeer(tenantId, defaultGroup);
  const read = () => readState(database, { installation: 'arp', tenantId }, NOW);
  const setRevision = async (revision: number) => {
    await execute('UPDATE network.tenant SET graph_revision = $2 WHERE id = $1', [tenantId, revision]);
    await execute(
      `INSERT INTO network.netbird_tenant (tenant_id, revision) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET revision = EXCLUDED.revision`,
      [tenantId, revision],
    );
  };
  await setRevision(4);
  const before = await read();
  await setRevision(5);
  const groupNames = [peerName(before.graph.prefix, id)];
  const snapshot = { at: NOW, peers: [{ externalId: 'machine', isConnected: true, ip, groupNames }] };
  for (const state of [await read(), before])
    await recordMachines({ database, jobs: NO_JOBS }, state, { snapshot, now: NOW });
  const [stored] = await execute('SELECT config_hash, applied_hash FROM network.peer WHERE id = $1', [id]);
  const newest = revisionHash(tenantId, 5);
  expect(stored).toEqual({ config_hash: newest, applied_hash: newest });
});

it('a network whose machines cannot be recorded does not keep those of others from it', async () => {
  const netbird = await NetbirdServer.start();
  const peers: number[] = [];
  for (const userId of [2, 3]) {
    const { id: tenantId, defaultGroup } = await provisionTenant(database, { userId }, { lastRange: 9, now: NOW });
    const { id } = await newPeer(tenantId, defaultGroup);
    const machine = netbird.add('peers', { name: 'vm', connected: true, ip: `100.90.0.${userId}` });
    const name = peerName(tenantPrefix('arp', tenantId), id);
    const externalId = netbird.add('groups', { name, peers: [machine] });
    await execute(
      `INSERT INTO network.netbird_object (tenant_id, kind, object_id, external_id, sent_at) VALUES ($1, 'peer', $2, $3, $4)`,
      [tenantId, id, externalId, NOW],
    );
    peers.push(id);
  }
  await execute(`CREATE FUNCTION network.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fails'; END $$`);
  await execute(`CREATE TRIGGER fail BEFORE UPDATE ON network.peer FOR EACH ROW WHEN (NEW.id = ${peers[0]})
                   EXECUTE FUNCTION network.fail()`);
  const config = platformConfig(netbird.env).network.netbird;
  if (!config) throw new Error('the settings name no NetBird');
  const log = openLog('silent', 'test');
  await pollServer({ api: new NetbirdApi(config), database, jobs: NO_JOBS, now: () => NOW, log });
  await netbird.stop();
  const joined = await execute('SELECT id FROM network.peer WHERE joined_at IS NOT NULL AND id = ANY ($1)', [peers]);
  expect(joined).toEqual([{ id: peers[1] }]);
});
