import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { addEndpoint, notificationsOf } from '../../kit/accounts/notice.js';
import { call, graphql } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { TestSocket } from '../../kit/socket.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let platform: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});
beforeEach(async () => {
  user = await signIn(undefined, platform.url);
});

/** Moves credits as the ledger does, to the user or away, and announces it. */
async function move(credits: string): Promise<void> {
  await sql.query('BEGIN');
  const { rows } = await sql.query(
    `INSERT INTO accounts.transfer (source, reference, kind, reason, created_at)
     VALUES ('test', gen_random_uuid()::text, 'k', 'x', now()) RETURNING id`,
  );
  await sql.query(
    `INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
     SELECT $1, id, CASE WHEN user_id IS NULL THEN -($2::numeric) ELSE $2::numeric END
       FROM accounts.ledger_account WHERE user_id = $3 OR name = 'issuance'`,
    [rows[0].id, credits, user.userId],
  );
  await sql.query('SELECT pg_notify($1, $2)', [
    'archipelago_accounts',
    JSON.stringify({ topic: `balance:${user.userId}` }),
  ]);
  await sql.query('COMMIT');
}

/** The kinds told when the balance moves so, oldest first. */
async function notifiedBy(...moves: string[]): Promise<string[]> {
  for (const credits of moves) await move(credits);
  const { results } = await notificationsOf(user, '', platform.url);
  return results.map(({ kind }: { kind: string }) => kind).toReversed();
}

const prefer = (body: object) =>
  call('PATCH /api/notifications/settings/', { token: user.token, body, url: platform.url });

describe('a user', () => {
  it.each([
    ['of nothing but grants, however small', ['1', '2', '3'], []],
    ['above the level of 10', ['100', '-50', '-40'], []],
    ['at the level of 10', ['11', '-1'], []],
    ['below it', ['11', '-1.000000000000000001'], ['low_credit']],
    ['below it for long', ['11', '-2', '-1', '-1', '-1'], ['low_credit']],
    ['below it from a first grant', ['5', '-1', '-1'], ['low_credit']],
    ['back at the level and below again', ['11', '-2', '1', '-1'], ['low_credit']],
    ['above it and below again', ['11', '-2', '2', '-2'], ['low_credit', 'low_credit']],
    ['at zero', ['5', '-5'], ['low_credit', 'zero_balance']],
    ['from above the level to zero', ['50', '-50'], ['low_credit', 'zero_balance']],
    ['at zero, above and at zero again', ['1', '-1', '1', '-1'], ['low_credit', 'zero_balance', 'zero_balance']],
  ])('is told once: %s', async (_, moves, kinds) => {
    expect(await notifiedBy(...moves)).toEqual(kinds);
  });

  it('is told at the level that was set', async () => {
    const set = 'mutation { updateNotificationPreferences(lowCreditLevel: "2.5") { lowCreditLevel } }';
    await graphql(set, { token: user.token, url: platform.url });
    expect(await notifiedBy('11', '-8')).toEqual([]);
    expect(await notifiedBy('-1')).toEqual(['low_credit']);
  });

  it('is told the balance and the level exactly', async () => {
    await notifiedBy('11', '-1.25');
    const { results } = await notificationsOf(user, '', platform.url);
    expect(results[0]).toMatchObject({
      text: 'You have 9.75 credits left, fewer than the 10 at which you want to be told.',
      link: '/billing',
    });
  });

  it.each([
    [{ low_credit_alerts: false }, ['zero_balance']],
    [{ zero_balance_alerts: false }, ['low_credit']],
    [{ low_credit_alerts: false, zero_balance_alerts: false }, []],
  ])('who prefers %j is told the rest', async (body, kinds) => {
    await prefer(body);
    expect(await notifiedBy('11', '-5', '-6')).toEqual(kinds);
  });

  it('is not told of what was undone', async () => {
    await move('11');
    await sql.query('BEGIN');
    await sql.query('UPDATE accounts.ledger_account SET balance = 1 WHERE user_id = $1', [user.userId]);
    await sql.query('ROLLBACK');
    expect(await notifiedBy()).toEqual([]);
  });

  it('hears of it at once on an open socket', async () => {
    const socket = await TestSocket.open(user.token, platform.url);
    socket.subscribe('1', 'subscription { notificationAdded(after: "0") { kind } }');
    await move('11');
    await move('-2');
    const low = await socket.result('1', 1);
    await move('-9');
    const zero = await socket.result('1', 2);
    expect([low, zero].map(({ data }) => data.notificationAdded.kind)).toEqual(['low_credit', 'zero_balance']);
    socket.close();
  });

  it('hears of it once although a transaction with a lower id ends later', async () => {
    const socket = await TestSocket.open(user.token, platform.url);
    socket.subscribe('1', 'subscription { notificationAdded(after: "0") { title } }');
    const slow = new Client({ connectionString: platform.databaseUrl });
    await slow.connect();
    const add = `INSERT INTO accounts.notification (user_id, kind, key, title, text, created_at) VALUES ($1, 'account', $2, $2, 'x', now())`;
    const notify = `SELECT pg_notify('archipelago_accounts', '{"topic":"notification:${user.userId}"}')`;
    await slow.query('BEGIN');
    await slow.query(add, [user.userId, 'lower id']);
    await sql.query(add, [user.userId, 'higher id']);
    await sql.query(notify);
    await socket.result('1', 1);
    await slow.query(notify);
    await slow.query('COMMIT');
    await slow.end();
    await socket.result('1', 2);
    const titles = socket.results('1').map(({ data }) => data.notificationAdded.title);
    expect(titles).toEqual(['higher id', 'lower id']);
    socket.close();
  });
});

describe('an endpoint', () => {
  it('is told within a minute of what the ledger found out', async () => {
    const receiver = await Receiver.open();
    await addEndpoint(user, { url: receiver.url, kinds: ['zero_balance'] }, platform.url);
    await move('1');
    await move('-1');
    const { body } = await receiver.request(1);
    expect(JSON.parse(body).type).toBe('zero_balance');
    receiver.close();
  }, 90_000);
});

describe('the platform', () => {
  it('refuses a level below zero also to those who reach the database', async () => {
    const lower = sql.query('UPDATE accounts.preference SET low_credit_level = -1 WHERE user_id = $1', [user.userId]);
    await expect(lower).rejects.toThrow(/check constraint/);
  });
});
