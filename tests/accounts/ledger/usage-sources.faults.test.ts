import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { latestUsage, listUsage, recordUsage } from '../../../subgraphs/accounts/ledger/usage/usage-record.actions.js';
import type { UsageSource } from '../../../subgraphs/accounts/ledger/usage/usage-record.js';
import { openLedger, type LedgerUnderTest } from '../../kit/accounts/ledger.js';

const DAY = { periodStart: new Date('2026-10-01'), periodEnd: new Date('2026-10-02') };
const NEXT_DAY = { periodStart: new Date('2026-10-02'), periodEnd: new Date('2026-10-03') };

let ledger: LedgerUnderTest;
let sql: Client;
beforeAll(async () => {
  ledger = await openLedger();
  sql = new Client({ connectionString: ledger.url });
  await sql.connect();
}, 120_000);
afterAll(async () => {
  await sql.end();
  await ledger.close();
});

/** Records the bytes one after the other for a new user, then reads the records of the user. */
async function recorded(records: readonly (readonly [UsageSource, bytes: string, period?: typeof DAY])[]) {
  const userId = await ledger.user();
  const substrateAddress = randomUUID();
  await sql.query('UPDATE accounts.user SET substrate_address = $1 WHERE id = $2', [substrateAddress, userId]);
  const answers: string[] = [];
  for (const [source, storageBytes, period = DAY] of records) {
    const usage = { substrateAddress, ...period, storageBytes, source };
    answers.push((await recordUsage(ledger.database, usage, new Date())).storageBytes);
  }
  const { results } = await listUsage(ledger.database, userId, { page: 1, pageSize: 50 });
  const latest = await latestUsage(ledger, userId);
  return { answers, listed: results.map(({ storageBytes }) => storageBytes), latest: latest?.storageBytes };
}

describe('the storage usage of a period', () => {
  it('is what a validator reported, also if the platform records its own figure later', async () => {
    const usage = await recorded([
      ['validator', '7'],
      ['platform', '5'],
    ]);
    expect(usage).toEqual({ answers: ['7', '7'], listed: ['7'], latest: '7' });
  });

  it('is what a validator reported, also if the platform recorded its own figure before', async () => {
    const usage = await recorded([
      ['platform', '5'],
      ['validator', '7'],
    ]);
    expect(usage).toEqual({ answers: ['5', '7'], listed: ['7'], latest: '7' });
  });

  it('is what the platform recorded where no validator reports', async () => {
    const usage = await recorded([
      ['validator', '7'],
      ['platform', '4', NEXT_DAY],
      ['platform', '5', NEXT_DAY],
    ]);
    expect(usage).toEqual({ answers: ['7', '4', '5'], listed: ['5', '7'], latest: '5' });
  });

  it('is what a validator reported last', async () => {
    const usage = await recorded([
      ['validator', '7'],
      ['validator', '8'],
    ]);
    expect(usage).toEqual({ answers: ['7', '8'], listed: ['8'], latest: '8' });
  });

  it('may be overwritten by both if it was recorded before its source was', async () => {
    const userId = await ledger.user();
    const substrateAddress = randomUUID();
    await sql.query('UPDATE accounts.user SET substrate_address = $1 WHERE id = $2', [substrateAddress, userId]);
    await sql.query(
      `INSERT INTO accounts.usage_record (user_id, period_start, period_end, storage_bytes, created_at, updated_at)
       VALUES ($1, $2, $3, 3, now(), now())`,
      [userId, DAY.periodStart, DAY.periodEnd],
    );
    const usage = { substrateAddress, ...DAY, storageBytes: '5', source: 'platform' as const };
    expect((await recordUsage(ledger.database, usage, new Date())).storageBytes).toBe('5');
  });
});
