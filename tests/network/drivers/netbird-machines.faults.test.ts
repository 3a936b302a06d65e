import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { recordMachines } from '../../../subgraphs/network/drivers/netbird/machine.actions.js';
import { peerName } from '../../../subgraphs/network/drivers/netbird-objects/desired.rules.js';
import { revisionHash } from '../../../subgraphs/network/drivers/netbird-objects/machine.rules.js';
import { readState } from '../../../subgraphs/network/drivers/netbird-objects/object.actions.js';
import { addPeer } from '../../../subgraphs/network/graph/peer/peer.actions.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
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

it('a process that read the state of a network before another recorded a newer revision leaves that revision', async () => {
  const { id: tenantId, defaultGroup } = await provisionTenant(database, { userId: 1 }, { lastRange: 0, now: NOW });
  const peer = { tenantId, label: undefined, groupId: defaultGroup, vmTicketRef: null };
  const { id, ip } = await database.change((transaction) => addPeer(transaction, peer, NOW));
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
