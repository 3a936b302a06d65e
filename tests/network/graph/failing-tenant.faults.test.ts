import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { publishAuthorityPhases } from '../../../subgraphs/network/certificates/authority/phase.actions.js';
import { deleteExpiredAddresses } from '../../../subgraphs/network/graph/lookup/expiry.actions.js';
import { publishStalePeers } from '../../../subgraphs/network/graph/peer/staleness.actions.js';
import { provisionTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { notifyOwners } from '../../../subgraphs/network/notices/owner-notice/owner-notice.actions.js';
import { newDatabase } from '../../kit/database/own-database.js';

const NOW = new Date('2027-03-01T12:00:00Z');
const JOBS = { enqueue: () => Promise.resolve(), close: () => Promise.resolve() };

let database: Database;
beforeAll(async () => {
  database = connectDatabase({ url: await newDatabase(), schema: 'network', log: openLog('silent', 'test') });
  const tenants = [];
  for (const userId of [1, 2]) tenants.push(await provisionTenant(database, { userId }, { lastRange: 9, now: NOW }));
  for (const { id, defaultNetwork } of tenants) await fill(id, defaultNetwork);
  await execute(`CREATE FUNCTION network.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fails'; END $$`);
  const first = tenants[0]?.id ?? 0;
  for (const [table, owner] of [
    ['tenant', 'id'],
    ['peer', 'tenant_id'],
  ])
    await execute(`CREATE TRIGGER fail BEFORE UPDATE ON network.${table} FOR EACH ROW
                     WHEN (NEW.${owner} = ${first}) EXECUTE FUNCTION network.fail()`);
});
afterAll(() => database.close());

const execute = <Row extends object>(text: string, values: unknown[] = []) =>
  database.change((transaction) => transaction.execute<Row>(text, values));

/** Adds to a tenant what each of the jobs has to do. */
async function fill(id: number, network: number): Promise<void> {
  await execute(
    `WITH peer AS (INSERT INTO network.peer (tenant_id, label, ip, joined_at, created_at)
                   VALUES ($1, 'vm', '100.64.0.9', $2, $2) RETURNING id),
          resource AS (INSERT INTO network.resource (tenant_id, network_id, name, address, kind, created_at)
                       VALUES ($1, $3, 'db', 'db.test', 'domain', $2) RETURNING id)
     INSERT INTO network.found_address (tenant_id, resource_id, peer_id, address, found_at, gone_at)
     SELECT $1, resource.id, peer.id, '10.0.0.1', $2, $2 FROM peer, resource`,
    [id, NOW, network],
  );
  await execute(
    `INSERT INTO network.authority (tenant_id, generation, certificate, fingerprint, sealed_key, not_before, not_after,
                                    published_phase, created_at)
     VALUES ($1, 1, '', '', '', $2, $2::timestamptz + interval '1 day', 'announced', $2)`,
    [id, NOW],
  );
}

describe('a tenant whose rows cannot be changed', () => {
  const later = new Date(NOW.getTime() + 3_600_000);
  const count = async (table: string, condition: string): Promise<number | undefined> =>
    (await execute<{ count: number }>(`SELECT count(*)::integer AS count FROM network.${table} WHERE ${condition}`))[0]
      ?.count;

  it.each([
    ['stale peers', () => publishStalePeers(database, later), 'peer', 'NOT is_published_stale'],
    [
      'phases of authorities',
      () => publishAuthorityPhases(database, later),
      'authority',
      `published_phase = 'announced'`,
    ],
    ['addresses that are gone', () => deleteExpiredAddresses(database, later), 'found_address', 'true'],
    ['notifications', () => notifyOwners({ database, jobs: JOBS, now: () => later }), 'tenant', 'notified_at IS NULL'],
  ] as const)('does not stop the work for others: %s', async (_, work, table, isLeft) => {
    expect(await count(table, isLeft)).toBe(2);
    await expect(work()).rejects.toThrow('fails');
    expect(await count(table, isLeft)).toBe(1);
  });
});
