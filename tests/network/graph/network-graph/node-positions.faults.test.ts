import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../../kernel/database/database.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { provisionTenant } from '../../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { storePositions } from '../../../../subgraphs/network/views/position/position.actions.js';
import { newDatabase } from '../../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
});
afterAll(() => database.close());

it('positions that several clients store at once, each in its own order, are all stored', async () => {
  const { id } = await provisionTenant(database, { userId: 1 }, { lastRange: 0, now: NOW });
  await database.change((transaction) =>
    transaction.execute(
      `INSERT INTO network."group" (tenant_id, label, created_at) SELECT $1, 'group-' || n, $2 FROM generate_series(1, 500) n`,
      [id, NOW],
    ),
  );
  const groups = await database.change((transaction) =>
    transaction.execute<{ id: number }>('SELECT id FROM network."group" ORDER BY id'),
  );
  const positions = groups.map((group) => ({ node: `group:${group.id}`, x: 1, y: 2 }));
  await storePositions(database, { userId: 1 }, positions);
  const orders = [positions, positions.toReversed()];
  for (let round = 0; round < 10; round++)
    await expect(
      Promise.all([...orders, ...orders].map((order) => storePositions(database, { userId: 1 }, order))),
    ).resolves.toHaveLength(4);
});
