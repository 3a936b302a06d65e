import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { claimCheckout } from '../../../../subgraphs/accounts/payments/checkout/claim-checkout.actions.js';
import type { AccountsRuntime, AccountsServices } from '../../../../subgraphs/accounts/services.js';
import { openLedger, type LedgerUnderTest } from '../../../kit/accounts/ledger.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;

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

const services = { config: { payments: { processor: 'sandbox' } } } as AccountsServices;

const claimAt = (userId: number, ms: number) =>
  claimCheckout({ database: ledger.database, now: () => new Date(NOON + ms), services } as AccountsRuntime, {
    userId,
    cents: 20_00,
    successUrl: 'https://app.example/paid',
    cancelUrl: 'https://app.example/back',
    what: { mode: 'onetime' },
  });

/** The states of the user's pages and of their transactions, oldest first. */
async function pagesOf(userId: number): Promise<object[]> {
  const text = `SELECT c.status AS page, t.status AS transaction FROM accounts.checkout c
                  JOIN accounts.transaction t ON t.user_id = c.user_id AND t.id = c.transaction_id
                 WHERE c.user_id = $1 ORDER BY c.created_at`;
  return (await sql.query(text, [userId])).rows;
}

describe('a page in its last minute, when the same is asked for again', () => {
  it('expires with its transaction if the processor never opened it', async () => {
    const userId = await ledger.user();
    await claimAt(userId, 0);
    await claimAt(userId, DAY_MS - 30_000);
    expect(await pagesOf(userId)).toEqual([
      { page: 'expired', transaction: 'expired' },
      { page: 'opening', transaction: 'pending' },
    ]);
  });

  it('leaves its transaction to the processor if that has opened it', async () => {
    const userId = await ledger.user();
    const { id } = await claimAt(userId, 0);
    await sql.query("UPDATE accounts.checkout SET status = 'open', session_id = 'cs_1' WHERE id = $1", [id]);
    await claimAt(userId, DAY_MS - 30_000);
    expect(await pagesOf(userId)).toEqual([
      { page: 'expired', transaction: 'pending' },
      { page: 'opening', transaction: 'pending' },
    ]);
  });
});
