import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import {
  balanceOf,
  chargeOf,
  deliver,
  eventOf,
  intentOf,
  openPage,
  sessionOf,
  transactionOf,
} from '../../kit/payments/payments.js';
import { asAdmin } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { end } from '../../kit/watch.js';

let dataDir: string;
let env: { readonly DATA_DIR: string; readonly DATABASE_URL: string };
let running: RunningPlatform;
let sql: Client;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  env = { DATA_DIR: dataDir, DATABASE_URL: await newDatabase() };
  running = await startInProcess(env);
  sql = new Client({ connectionString: env.DATABASE_URL });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a crash between the grant and the mark', () => {
  it('leaves neither, and the event sent again does both once', async () => {
    const user = await signIn(undefined, running.url);
    const page = await openPage(user, 25, running.url);
    const event = eventOf('checkout.session.completed', sessionOf(page));
    // The grant needs the balance's row: held here, the platform stands between its first write and its commit.
    const holder = new Client({ connectionString: env.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM accounts.ledger_account WHERE user_id = $1 FOR UPDATE', [user.userId]);
    const lost = deliver(event, { url: running.url }).catch(() => undefined);
    await untilSomebodyWaits();
    for (const { child } of running.processes) await end(child, 'SIGKILL');
    await lost;
    await holder.end();
    running = await startInProcess(env);
    const before = await balanceOf(user, running.url);
    await deliver(event, { url: running.url });
    await deliver(event, { url: running.url });
    const { status } = await transactionOf(user, page.transactionId, running.url);
    expect({ before, after: await balanceOf(user, running.url), status }).toEqual({
      before: '0',
      after: '25',
      status: 'completed',
    });
  }, 60_000);
});

async function untilSomebodyWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%accounts.entry%'
                     AND datname = current_database()`;
  while ((await sql.query(waiting)).rowCount === 0);
}

describe('a refund after the credits were spent', () => {
  it('leaves a debt, which the next payment pays first', async () => {
    const { url } = running;
    const user = await signIn(undefined, url);
    const page = await openPage(user, 50, url);
    await deliver(eventOf('checkout.session.completed', sessionOf(page)), { url });
    await spend(user.userId, 40);
    await deliver(eventOf('charge.refunded', chargeOf(page, 50_00)), { url });
    const owing = { balance: await balanceOf(user, url), debt: await debtOf(user.userId) };
    const next = await openPage(user, 60, url);
    await deliver(eventOf('checkout.session.completed', sessionOf(next)), { url });
    expect({ owing, after: { balance: await balanceOf(user, url), debt: await debtOf(user.userId) } }).toEqual({
      owing: { balance: '0', debt: 40 },
      after: { balance: '20', debt: 0 },
    });
  });
});

describe('a payment told by several events', () => {
  it('tells the user once that it was received', async () => {
    const { url } = running;
    const user = await signIn(undefined, url);
    const page = await openPage(user, 25, url);
    await deliver(eventOf('checkout.session.completed', sessionOf(page)), { url });
    await deliver(eventOf('payment_intent.succeeded', intentOf(page)), { url });
    const { rows } = await sql.query('SELECT kind, title FROM accounts.notification WHERE user_id = $1', [user.userId]);
    expect(rows).toEqual([{ kind: 'payment', title: 'Payment received' }]);
  });
});

describe('a payment that the ledger cannot add, because the balance was filled before grants had a maximum', () => {
  it('is kept as a failed event, and counts once when it is replayed after some credits are spent', async () => {
    const { url } = running;
    const user = await signIn(undefined, url);
    const page = await openPage(user, 25, url);
    await spend(user.userId, '-99999999999999999999');
    const event = eventOf('checkout.session.completed', sessionOf(page));
    expect((await deliver(event, { url })).status).toBe(200);
    const kept = await sql.query('SELECT status FROM accounts.processor_event WHERE id = $1', [event.id]);
    expect(kept.rows).toEqual([{ status: 'failed' }]);
    await spend(user.userId, '99999999999999999000');
    const replay = 'mutation ($ids: [String!]!) { adminReplayEvents(ids: $ids) { replayed } }';
    for (let i = 0; i < 2; i++) await asAdmin(replay, { ids: [event.id] }, url);
    expect(await balanceOf(user, url)).toBe('1024');
    expect((await transactionOf(user, page.transactionId, url)).status).toBe('completed');
  });
});

async function spend(userId: number, credits: number | string): Promise<void> {
  await sql.query('BEGIN');
  const { rows } = await sql.query(
    `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at)
     VALUES ('test', $1 || gen_random_uuid()::text, 'spend', 'a test', now()) RETURNING id`,
    [userId],
  );
  await sql.query(
    `INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
     SELECT $1::bigint, id, CASE WHEN user_id IS NULL THEN $2::numeric ELSE -$2::numeric END
       FROM accounts.ledger_account WHERE user_id = $3 OR name = 'revenue'`,
    [rows[0].id, credits, userId],
  );
  await sql.query('COMMIT');
}

async function debtOf(userId: number): Promise<number> {
  const { rows } = await sql.query('SELECT debt::float8 AS debt FROM accounts.ledger_account WHERE user_id = $1', [
    userId,
  ]);
  return rows[0].debt;
}
