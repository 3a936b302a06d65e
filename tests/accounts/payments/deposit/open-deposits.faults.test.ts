import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { createDeposit } from '../../../kit/payments/deposits.js';
import { codeOf, type Json } from '../../../kit/platform.js';

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

/** Opens a deposit without the limit of each minute. */
async function open(user: SignedIn, amount: number): Promise<Json> {
  await sql.query(`DELETE FROM accounts.rate WHERE scope = 'payment'`);
  return createDeposit(user, { currency: 'USDC', amount: `${amount}` }, platform.url);
}

describe('unpaid deposits of a user', () => {
  it('are twenty; then a new one is refused until the first expires, but an open one is returned again', async () => {
    const user = await signIn(undefined, platform.url);
    for (let amount = 20; amount < 40; amount += 1) expect((await open(user, amount)).errors).toBeUndefined();
    const refused = await open(user, 40);
    const waitHours = refused.errors[0].extensions.retryAfter / 3_600;
    const again = await open(user, 39);
    const other = await open(await signIn(undefined, platform.url), 40);
    await sql.query(`UPDATE accounts.transaction SET expires_at = now() WHERE user_id = $1 AND amount = 20`, [
      user.userId,
    ]);
    expect({
      code: codeOf(refused),
      waits: waitHours > 23 && waitHours <= 24,
      others: [again, other, await open(user, 40)].map(codeOf),
    }).toEqual({ code: 'RATE_LIMITED', waits: true, others: [undefined, undefined, undefined] });
  }, 60_000);
});
