import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database, type Transaction } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { applyNetwork } from '../../../subgraphs/network/documents/network-document/network-document.actions.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';

const CHANGE = { viewer: { userId: 1 }, now: new Date('2027-03-01T12:00:00Z') };

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
  await provisionTenant(database, CHANGE.viewer, { lastRange: 1, now: CHANGE.now });
});
afterAll(() => database.close());

/** Returns the database, which records the names of the statements in its transactions. */
function recording(names: string[]): Database {
  const recorded = (transaction: Transaction): Transaction => {
    const run: Transaction['run'] = (query, values) => {
      names.push(query.name);
      return transaction.run(query, values);
    };
    return Object.create(transaction, { run: { value: run } }) as Transaction;
  };
  const change: Database['change'] = (work) => database.change((transaction) => work(recorded(transaction)));
  return Object.create(database, { change: { value: change } }) as Database;
}

it('a document with many domains does not read all resources again for each of them', async () => {
  const resources = Array.from({ length: 20 }, (_, i) => ({ name: `r${i}`, address: `h${i}.example.org` }));
  const names: string[] = [];
  const document = { networks: [{ name: 'default', resources }] };
  const { items } = await applyNetwork(recording(names), CHANGE, { document, revision: 0 });
  expect(items).toHaveLength(20);
  expect(names.filter((name) => name === 'surroundings-of-resources')).toEqual([]);
});
