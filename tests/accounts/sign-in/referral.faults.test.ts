import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, graphql, type Reply } from '../../kit/platform.js';
import { challengeFor, grant, newWallet, personalSign, signIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
beforeAll(async () => {
  platform = await startOnDatabase();
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

async function signInBy(referral_code: string): Promise<Reply> {
  const { url } = platform;
  const wallet = newWallet();
  const { challenge, message } = await challengeFor(wallet, url);
  const { address, substrateAddress: substrate_address } = wallet;
  const signature = personalSign(wallet, message);
  const body = { address, substrate_address, challenge, signature, referral_code };
  return call('POST /api/auth/verify/', { url, body });
}

const balanceOf = async (token: string): Promise<string> =>
  (await call('GET /api/billing/credits/balance/', { token, url: platform.url })).body.balance;

describe('a referrer', () => {
  it('is rewarded for a hundred referrals; those beyond earn nobody anything and sign in all the same', async () => {
    const { url } = platform;
    await asAdmin('mutation { adminSetReferralReward(credits: "2") }', {}, url);
    const { token, userId } = await signIn(undefined, url);
    const { data } = await graphql('{ me { referralCode } }', { token, url });
    await ask(platform.databaseUrl, `UPDATE accounts.user SET rewarded_referrals = 97 WHERE id = ${userId}`);
    const replies = await Promise.all(Array.from({ length: 8 }, () => signInBy(data.me.referralCode)));
    const rewards = await Promise.all(replies.map(({ body }) => balanceOf(body.token)));
    expect({
      statuses: new Set(replies.map(({ status }) => status)),
      rewards: rewards.toSorted(),
      referrer: await balanceOf(token),
    }).toEqual({ statuses: new Set([200]), rewards: ['0', '0', '0', '0', '0', '2', '2', '2'], referrer: '6' });
  });

  it('whose account cannot hold the reward refuses nobody the sign-in; the other side has its own', async () => {
    const { url } = platform;
    const user = await signIn(undefined, url);
    await grant(user, '1', url);
    const { data } = await graphql('{ me { referralCode } }', { token: user.token, url });
    const full = '99999999999999999999';
    await ask(
      platform.databaseUrl,
      `UPDATE accounts.ledger_account SET balance = ${full} WHERE user_id = ${user.userId}`,
    );
    const { status, body } = await signInBy(data.me.referralCode);
    expect([status, await balanceOf(user.token), await balanceOf(body.token)]).toEqual([200, full, '2']);
  });
});
