import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { definedQueries } from '../../../kernel/database/query.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { readingOf } from '../../kit/database/read-blocks.js';

let client: Client;
beforeAll(async () => {
  await import('../../../subgraphs/network/drivers/netbird-drift/drift.actions.js');
  client = new Client({ connectionString: await newDatabase() });
  await client.connect();
});
afterAll(() => client.end());

it('the latest drift is read by an index, however much there is', async () => {
  await client.query(
    `INSERT INTO network.tenant (user_id, status, address_range, range_number, created_at)
     VALUES (1, 'active', '100.64.0.0/21', 0, now())`,
  );
  await client.query(
    `INSERT INTO network.netbird_drift (tenant_id, kind, external_id, what, found_at)
     SELECT t.id, 'group', number, 'changed', now() FROM network.tenant t, generate_series(1, 5000) number`,
  );
  await client.query('ANALYZE network.netbird_drift');
  const statement = definedQueries().get('netbird-latest-drift');
  if (!statement) throw new Error('the statement has another name');
  expect((await readingOf(client, 'network', statement, {} as never)).rows).toBe(200);
});
