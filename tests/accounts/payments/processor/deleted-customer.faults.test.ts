import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { SignedIn } from '../../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { PRO, Shopper } from '../../../kit/payments/processor.js';
import { call } from '../../../kit/platform.js';

let platform: PlatformOnDatabase;
let sql: Client;
let shop: Shopper;
let user: SignedIn;
let deleted: string;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  shop = new Shopper({ url: platform.url, sandboxUrl: platform.url });
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});
beforeEach(async () => {
  user = await shop.signIn();
  const { customer } = await shop.openSubscription(user);
  await sql.query('DELETE FROM accounts.sandbox_object WHERE id = $1', [customer]);
  deleted = customer;
});

describe('a customer record that was deleted at the payment processor', () => {
  it('is replaced when its user subscribes again', async () => {
    const { customer } = await shop.openSubscription(user, PRO);
    expect(customer).not.toBe(deleted);
  });

  it('is replaced when its user opens the portal', async () => {
    const portal = 'POST /api/billing/payproc/customer-portal/';
    const statuses = [];
    for (let times = 0; times < 2; times += 1)
      statuses.push((await call(portal, { token: user.token, body: {}, url: platform.url })).status);
    expect(statuses).toEqual([200, 200]);
  });

  it('still belongs to its user, so that later events of it are applied', async () => {
    await shop.openSubscription(user, PRO);
    const { rows } = await sql.query('SELECT user_id FROM accounts.customer WHERE processor_customer_id = $1', [
      deleted,
    ]);
    expect(rows).toEqual([{ user_id: user.userId }]);
  });
});
