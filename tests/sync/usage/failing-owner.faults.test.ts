import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { unavailable } from '../../../kernel/errors.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { recordStorageUsage } from '../../../subgraphs/sync/usage/record.actions.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';

let storage: StorageUnderTest;
beforeAll(async () => {
  storage = await openStorage();
}, 60_000);
afterAll(() => storage.close());

it('one owner whose storage accounts never takes does not keep the others from being recorded', async () => {
  await storage.sql(`INSERT INTO sync.owner (address, created_at) VALUES ('failing', now()), ('other', now())`);
  await storage.sql(
    `INSERT INTO sync.storage_period (owner_id, day, stored_bytes)
     SELECT o.id, current_date - days, 1 FROM sync.owner o, generate_series(1, 20) days
      WHERE o.address = 'failing' OR days <= 2`,
  );
  const recording = {
    database: storage.database,
    log: openLog('silent', 'tests'),
    /** Accounts, which fails for one owner. */
    callSubgraph: (_call: unknown, { address }: { readonly address?: unknown }) =>
      address === 'failing' ? Promise.reject(unavailable('Not now.')) : Promise.resolve(undefined as never),
  };
  await expect(recordStorageUsage(recording as Parameters<typeof recordStorageUsage>[0], new Date())).rejects.toThrow(
    'Not now.',
  );
  const rows = await storage.sql(
    `SELECT o.address, p.state, count(*)::integer AS count
       FROM sync.storage_period p JOIN sync.owner o ON o.id = p.owner_id GROUP BY 1, 2 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { address: 'failing', state: 'open', count: 20 },
    { address: 'other', state: 'recorded', count: 2 },
  ]);
});
