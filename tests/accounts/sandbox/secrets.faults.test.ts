import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let sql: Client;
beforeAll(async () => {
  platform = await startOnDatabase({ PAYPROC_SECRET_KEY: '', PAYPROC_WEBHOOK_SECRET: '' });
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

describe('the secrets that the sandbox made for itself', () => {
  it('are not in the database as they are', async () => {
    const { token } = await signIn(undefined, platform.url);
    const body = { amount: 25, success_url: 'https://app.example/', cancel_url: 'https://app.example/' };
    const opened = await call('POST /api/billing/payproc/create-checkout-session/', {
      token,
      body,
      url: platform.url,
    });
    // Opened through the secret key, and paid for by a webhook that is signed and checked.
    const page = platform.url + new URL(opened.body.checkout_url).pathname;
    await fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
    const balance = () => call('GET /api/billing/credits/balance/', { token, url: platform.url });
    await until(async () => (await balance()).body.balance === '25');
    const { rows } = await sql.query('SELECT name, value FROM accounts.sandbox_setting ORDER BY name');
    expect(rows.map(({ name }) => name)).toEqual(['secret_key', 'webhook_secrets']);
    expect(JSON.stringify(rows)).not.toMatch(/sk_test|whsec/);
  });
});
