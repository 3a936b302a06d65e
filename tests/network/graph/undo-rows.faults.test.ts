import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import type { UserViewer } from '../../../kernel/security/viewer.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { createGroup, deleteGroup, listGroups } from '../../../subgraphs/network/graph/group/group.actions.js';
import { undoLastChange } from '../../../subgraphs/network/graph/history/history.actions.js';
import {
  createNetwork,
  describeNetwork,
  listNetworks,
} from '../../../subgraphs/network/graph/network/network.actions.js';
import { changeGraph, provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';

const VIEWER = { userId: 1 } as UserViewer;
const CHANGE = { viewer: VIEWER, now: new Date('2027-03-01T12:00:00Z') };

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
  await provisionTenant(database, VIEWER, { lastRange: 1, now: CHANGE.now });
});
afterAll(() => database.close());

it('a change that wrote a row several times is undone: rows that it created and deleted, and rows that it changed twice', async () => {
  const { id } = await createNetwork(database, CHANGE, { name: 'office', description: 'before' });
  await changeGraph(database, CHANGE, async (transaction, tenantId) => {
    const part = { ...CHANGE, within: { transaction, tenantId } };
    const group = await createGroup(database, part, 'temporary');
    await deleteGroup(database, part, group.id);
    await createGroup(database, part, 'new');
    for (const description of ['first', 'second']) await describeNetwork(database, part, { id, description });
  });
  await undoLastChange(database, CHANGE, undefined);
  expect((await listGroups(database, VIEWER)).map(({ label }) => label)).toEqual(['all']);
  expect((await listNetworks(database, VIEWER)).map(({ description }) => description)).toEqual([null, 'before']);
});
