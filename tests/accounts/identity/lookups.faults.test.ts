import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { QueryCompiler } from '../../../kernel/database/query.js';
import { SESSION_HOLDERS } from '../../../subgraphs/accounts/identity/session/active-sessions.actions.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { deliver, eventOf, processorId } from '../../kit/payments/payments.js';
import { asAdmin, call, codeOf, graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let platform: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  user = await signIn(undefined, platform.url);
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

describe('the session of an access token', () => {
  it('is found by its primary key among ten thousand', async () => {
    await sql.query(
      `INSERT INTO accounts.session (user_id, created_at, expires_at)
       SELECT $1, now(), now() + interval '1 day' FROM generate_series(1, 10000)`,
      [user.userId],
    );
    await sql.query('ANALYZE accounts.session');
    await sql.query('SET plan_cache_mode = force_generic_plan');
    const { text } = new QueryCompiler('accounts').prepare(SESSION_HOLDERS, { userIds: [], ids: [] });
    await sql.query(`PREPARE holders AS ${text}`);
    const { rows } = await sql.query(
      `EXPLAIN (FORMAT JSON) EXECUTE holders (ARRAY[${user.userId}], ARRAY[gen_random_uuid()])`,
    );
    const plan = JSON.stringify(rows[0]['QUERY PLAN']);
    expect({ byKey: plan.includes('session_pkey'), wholeTable: plan.includes('Seq Scan') }).toEqual({
      byKey: true,
      wholeTable: false,
    });
  });
});

const MALFORMED = ['', 'x', '7', 'not-a-uuid', '00000000-0000-0000-0000-00000000000', `${'0'.repeat(8)}-`.repeat(9)];

describe('an id that is no uuid', () => {
  it.each(MALFORMED)('%j is that of nothing, and no fault in the log', async (id) => {
    const at = { token: user.token, url: platform.url };
    const before = platform.processes[0]?.output();
    const revoke = (what: string) =>
      graphql(`mutation ($id: String!) { ${what}(id: $id) }`, { ...at, variables: { id } });
    const codes = [codeOf(await revoke('revokeToken')), codeOf(await revoke('revokeSession'))];
    const { status } = await call(`GET /api/billing/transactions/${id || '-'}/`, at);
    const event = eventOf('checkout.session.completed', {
      id: processorId('cs'),
      object: 'checkout.session',
      mode: 'payment',
      status: 'complete',
      payment_status: 'paid',
      amount_total: 100,
      currency: 'usd',
      customer: null,
      payment_intent: processorId('pi'),
      metadata: { checkout_id: id, transaction_id: id },
    });
    const notified = await deliver(event, { url: platform.url });
    await asAdmin('mutation { adminReplayEvents { replayed } }', {}, platform.url);
    expect({ codes, status, notification: notified.status, log: platform.processes[0]?.output() }).toEqual({
      codes: ['NOT_FOUND', 'NOT_FOUND'],
      status: 404,
      notification: 200,
      log: before,
    });
  });
});
