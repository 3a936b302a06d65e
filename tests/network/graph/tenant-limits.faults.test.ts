import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
});
afterAll(() => database.close());

const provision = (userId: number, lastRange: number) => provisionTenant(database, { userId }, { lastRange, now: NOW });

describe('the last range for which the lighthouses have a port', () => {
  it('is given, and no further one', async () => {
    const first = await provision(1, 1);
    const last = await provision(2, 1);
    await expect(provision(3, 1)).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
    expect([await provision(1, 1), await provision(2, 1)]).toEqual([first, last]);
  });
});
