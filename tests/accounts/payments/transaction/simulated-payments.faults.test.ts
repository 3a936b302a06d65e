import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { openDeposit } from '../../../kit/payments/deposits.js';
import { Shopper } from '../../../kit/payments/processor.js';
import { graphql } from '../../../kit/platform.js';

let platform: PlatformOnDatabase;
let sql: Client;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

const simulated = async (token: string) =>
  (await graphql('{ transactions { isSimulated } }', { token, url: platform.url })).data.transactions;

it('a card payment is simulated as its processor was, whatever the processor is now', async () => {
  const shop = new Shopper({ url: platform.url, sandboxUrl: platform.url });
  const user = await shop.signIn();
  const { id } = await shop.createTransaction(user, 25);
  const states = [await simulated(user.token)];
  for (const stored of [false, null]) {
    await sql.query('UPDATE accounts.payment SET is_simulated = $2 WHERE transaction_id = $1', [id, stored]);
    states.push(await simulated(user.token));
  }
  expect(states).toEqual([[{ isSimulated: true }], [{ isSimulated: false }], [{ isSimulated: null }]]);
});

it('the payment of an invoice and of a page are simulated too', async () => {
  const shop = new Shopper({ url: platform.url, sandboxUrl: platform.url });
  const { user } = await shop.subscribe();
  await shop.openPage(user, 30);
  expect(await simulated(user.token)).toEqual([{ isSimulated: true }, { isSimulated: true }]);
});

it('a payment in crypto is simulated as its chain is', async () => {
  const { user, id } = await openDeposit('USDC', '25', platform.url);
  const before = await simulated(user.token);
  await sql.query("UPDATE accounts.deposit SET chain = 'evm' WHERE transaction_id = $1", [id]);
  expect([before, await simulated(user.token)]).toEqual([[{ isSimulated: true }], [{ isSimulated: false }]]);
});
