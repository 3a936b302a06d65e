import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let platform: PlatformOnDatabase;
beforeAll(async () => {
  platform = await startOnDatabase();
}, 120_000);
afterAll(() => platform.stop());

const ask = (query: string, { token }: SignedIn) => graphql(query, { token, url: platform.url });

async function mutationsOf(user: SignedIn): Promise<string[]> {
  const { data } = await ask('{ me { accountsAuditLog { results { mutation } } } }', user);
  return data.me.accountsAuditLog.results.map(({ mutation }: { mutation: string }) => mutation);
}

describe('the sandbox of the processor', () => {
  it('writes nothing into the audit log of the user whose request opened it', async () => {
    const [first, second] = [await signIn(undefined, platform.url), await signIn(undefined, platform.url)];
    const refused = await ask('mutation { createSubscription(priceId: "price_unknown") { id } }', first);
    const bought = await ask('mutation { createCheckoutSession(amount: 25) { id } }', second);
    expect([refused.errors?.length, bought.errors]).toEqual([1, undefined]);
    const isThere = [await mutationsOf(first), await mutationsOf(second)].map((names) => ({
      subscription: names.includes('createSubscription'),
      checkout: names.includes('createCheckoutSession'),
    }));
    expect(isThere).toEqual([
      { subscription: false, checkout: false },
      { subscription: false, checkout: true },
    ]);
  });
});
