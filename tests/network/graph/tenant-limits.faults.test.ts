import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../../kernel/config/environment.js';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import type { UserViewer } from '../../../kernel/security/viewer.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { createGroup } from '../../../subgraphs/network/graph/group/group.actions.js';
import { createNetwork } from '../../../subgraphs/network/graph/network/network.actions.js';
import {
  createResource,
  deleteResource,
  listResources,
  updateResource,
} from '../../../subgraphs/network/graph/resource/resource.actions.js';
import { checkPorts, provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { addSetupKey } from '../../../subgraphs/network/joining/setup-key/setup-key.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
});
afterAll(() => database.close());

const execute = <Row extends object>(text: string, values: unknown[] = []) =>
  database.change((transaction) => transaction.execute<Row>(text, values));
const provision = (userId: number, lastRange: number) => provisionTenant(database, { userId }, { lastRange, now: NOW });

/** The numbers from one to the other. */
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);

describe('the last range for which the lighthouses have a port', () => {
  it('is given, and no further one', async () => {
    const first = await provision(1, 1);
    const last = await provision(2, 1);
    await expect(provision(3, 1)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    expect([await provision(1, 1), await provision(2, 1)]).toEqual([first, last]);
  });
});

describe('a first port of the lighthouses', () => {
  it('that leaves no port for a network that is there is refused', async () => {
    await expect(checkPorts(database, 65_534)).resolves.toBeUndefined();
    await expect(checkPorts(database, 65_535)).rejects.toThrow(
      new ConfigError('LIGHTHOUSE_PORT is "65535": the newest private network would have the port 65536, above 65535.'),
    );
  });
});

describe('a history of more than 1 000 changes', () => {
  const ofTenant = 'tenant_id = (SELECT id FROM network.tenant WHERE user_id = 4)';
  const revisions = async () => {
    const rows = await execute<{ revision: number }>(
      `SELECT revision FROM network.change WHERE ${ofTenant} ORDER BY revision`,
    );
    return rows.map(({ revision }) => revision);
  };
  const change = (label: string) => createGroup(database, { viewer: { userId: 4 }, now: NOW }, label);
  const undo = (undone: number, by: number) =>
    execute(
      `UPDATE network.change SET undoes = (SELECT id FROM network.change WHERE ${ofTenant} AND revision = $1)
        WHERE ${ofTenant} AND revision = $2`,
      [undone, by],
    );
  beforeAll(async () => {
    const { id } = await provision(4, 2);
    await execute(
      `WITH made AS (INSERT INTO network.change (tenant_id, revision, user_id, at, is_notified)
                     SELECT $1, n, 4, $2, n <> 3 FROM generate_series(1, 1150) n RETURNING id)
       INSERT INTO network.change_item (tenant_id, change_id, kind, after) SELECT $1, id, 'group', '{}' FROM made`,
      [id, NOW],
    );
    await execute('UPDATE network.tenant SET revision = 1150 WHERE id = $1', [id]);
    await undo(1, 1_100);
    await undo(2, 4);
  });

  it('loses the oldest with its next changes, but none that a later one undoes or that its owner does not know', async () => {
    await change('one');
    expect(await revisions()).toEqual([1, 3, ...from(104, 1_151)]);
    await change('two');
    expect(await revisions()).toEqual([1, 3, ...from(153, 1_152)]);
  });
});

describe('a network with more than 5 000 setup keys', () => {
  it('loses the oldest with the next, but none of a peer that is there or of a virtual machine', async () => {
    const { id: tenantId } = await provision(5, 3);
    await execute(`INSERT INTO network.peer (tenant_id, label, ip, created_at) VALUES ($1, 'vm', '100.64.0.9', $2)`, [
      tenantId,
      NOW,
    ]);
    await execute(
      `INSERT INTO network.enrollment (tenant_id, peer_id, name, key_hash, masked_key, vm, sealed_command, expires_at, used_at, created_at)
       SELECT $1, CASE WHEN n = 1 THEN (SELECT id FROM network.peer WHERE tenant_id = $1) END, n, n, '',
              CASE WHEN n = 2 THEN gen_random_uuid() END, CASE WHEN n = 2 THEN '' END, $2, $2, $2 FROM generate_series(1, 5050) n`,
      [tenantId, NOW],
    );
    const key = { tenantId, peerId: null, name: 'new', keyHash: 'new', maskedKey: '', groupId: null, vm: null };
    const unset = { vmTicketRef: null, sealedCommand: null, expiresAt: NOW, createdAt: NOW };
    await database.change((transaction) => addSetupKey(transaction, { ...key, ...unset }));
    const left = await execute<{ name: string }>(
      'SELECT name FROM network.enrollment WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    );
    expect(left.map(({ name }) => name)).toEqual(['1', '2', ...from(52, 5_050).map(String), 'new']);
  });
});

describe('a network with more than 20 000 memberships of resources', () => {
  const change = { viewer: { userId: 6 }, now: NOW };
  const countMemberships = async (tenantId: number) =>
    (
      await execute<{ n: number }>('SELECT count(*)::int AS n FROM network.resource_group WHERE tenant_id = $1', [
        tenantId,
      ])
    )[0]?.n;

  it('takes changes that do not add one, also deletions, but none that adds one', async () => {
    const { id, defaultNetwork } = await provision(6, 4);
    await execute(
      `WITH g AS (INSERT INTO network.group (tenant_id, label, created_at) SELECT $1, 'g' || n, $2 FROM generate_series(1, 202) n RETURNING id),
            r AS (INSERT INTO network.resource (tenant_id, network_id, name, address, kind, created_at)
                  SELECT $1, $3, 'r' || n, '10.0.0.1', 'host', $2 FROM generate_series(1, 100) n RETURNING id)
       INSERT INTO network.resource_group (tenant_id, group_id, resource_id) SELECT $1, g.id, r.id FROM g CROSS JOIN r`,
      [id, NOW, defaultNetwork],
    );
    const [resource] = await listResources(database, { ...change.viewer } as UserViewer, defaultNetwork);
    if (!resource) throw new Error('unreachable');
    const { id: added } = await createGroup(database, change, 'more');
    const place = { networkId: defaultNetwork, id: resource.id };
    const update = (groups: readonly number[]) => updateResource(database, change, { place, input: { groups } });
    await expect(update([...resource.groups, added])).rejects.toThrow(
      'at most 20000 resource memberships; this change would make it 20201',
    );
    await update([...resource.groups.slice(1), added]);
    await deleteResource(database, change, place);
    expect(await countMemberships(id)).toBe(19_998);
  });
});

describe('a network with 20 000 routes from its routers to its resources', () => {
  const change = { viewer: { userId: 7 }, now: NOW };

  it('takes no resource that adds one, but one of a routed network without routers', async () => {
    const { id, defaultNetwork: networkId } = await provision(7, 5);
    await execute(
      `WITH p AS (INSERT INTO network.peer (tenant_id, label, ip, created_at)
                  SELECT $1, 'p' || n, '100.64.40.0'::inet + n, $2 FROM generate_series(1, 40) n RETURNING id),
            r AS (INSERT INTO network.resource (tenant_id, network_id, name, address, kind, created_at)
                  SELECT $1, $3, 'r' || n, '10.0.0.1', 'host', $2 FROM generate_series(1, 500) n)
       INSERT INTO network.router (tenant_id, network_id, peer_id, masquerade, metric, created_at)
       SELECT $1, $3, id, true, 1, $2 FROM p`,
      [id, NOW, networkId],
    );
    const resource = { name: 'more', address: '10.0.0.2' };
    await expect(createResource(database, change, { ...resource, networkId })).rejects.toThrow(
      'at most 20000 routes from routers to resources; this change would make it 20040',
    );
    const other = await createNetwork(database, change, { name: 'other' });
    await createResource(database, change, { ...resource, networkId: other.id });
  });
});
