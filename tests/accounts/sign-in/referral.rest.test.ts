import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asAdmin, call, codeOf, graphql, type Reply } from '../../kit/platform.js';
import {
  challengeFor,
  newWallet,
  personalSign,
  signIn,
  type SignedIn,
  type Wallet,
} from '../../kit/accounts/wallet.js';

const setReward = (credits: unknown) =>
  asAdmin('mutation ($credits: Decimal!) { adminSetReferralReward(credits: $credits) }', { credits });
const codeOfUser = async ({ token }: SignedIn): Promise<string> =>
  (await graphql('{ me { referralCode } }', { token })).data.me.referralCode;
const balanceOf = async (token: string): Promise<string> =>
  (await call('GET /api/billing/credits/balance/', { token })).body.balance;

async function signInBy(referral_code: unknown, wallet: Wallet = newWallet()): Promise<Reply> {
  const { challenge, message } = await challengeFor(wallet);
  const { address, substrateAddress: substrate_address } = wallet;
  const signature = personalSign(wallet, message);
  return call('POST /api/auth/verify/', { body: { address, substrate_address, challenge, signature, referral_code } });
}

let referrer: SignedIn;
beforeAll(async () => {
  await setReward('2.5');
});
afterAll(async () => {
  await setReward('0');
});

describe('a referral code', () => {
  it('is the same whenever its user asks', async () => {
    referrer = await signIn();
    expect(await codeOfUser(referrer)).toBe(await codeOfUser(referrer));
  });

  it('is shown to nobody else', async () => {
    referrer = await signIn();
    const { user } = await asAdmin('query ($of: String!) { user(substrateAddress: $of) { referralCode } }', {
      of: referrer.substrateAddress,
    });
    expect(user.referralCode).toBeNull();
  });

  it('rewards both sides when it brings a new user', async () => {
    referrer = await signIn();
    const { body } = await signInBy(await codeOfUser(referrer));
    expect([await balanceOf(referrer.token), await balanceOf(body.token)]).toEqual(['2.5', '2.5']);
  });

  it('rewards nobody for a wallet that has an account', async () => {
    referrer = await signIn();
    const { wallet, token } = await signIn();
    const { status } = await signInBy(await codeOfUser(referrer), wallet);
    expect([status, await balanceOf(referrer.token), await balanceOf(token)]).toEqual([200, '0', '0']);
  });

  it('rewards once for twenty sign-ins of one new wallet at once', async () => {
    referrer = await signIn();
    const [code, wallet] = [await codeOfUser(referrer), newWallet()];
    const replies = await Promise.all(Array.from({ length: 20 }, () => signInBy(code, wallet)));
    const signedIn = replies.filter(({ status }) => status === 200);
    expect({
      isNew: signedIn.filter(({ body }) => body.is_new).length,
      referrer: await balanceOf(referrer.token),
      referee: await balanceOf(signedIn[0]?.body.token),
    }).toEqual({ isNew: 1, referrer: '2.5', referee: '2.5' });
  });

  it('that is unknown is ignored', async () => {
    const { status, body } = await signInBy('nobody-has-this');
    expect([status, body.is_new, await balanceOf(body.token)]).toEqual([200, true, '0']);
  });

  it('of ones own rewards nothing', async () => {
    referrer = await signIn();
    await signInBy(await codeOfUser(referrer), referrer.wallet);
    expect(await balanceOf(referrer.token)).toBe('0');
  });

  it.each([7, ['x'], { code: 'x' }, 'a\0b'])('that is %j is refused with 400', async (code) => {
    expect((await signInBy(code)).status).toBe(400);
  });
});

describe('the reward of a referral', () => {
  it('is read by administrators', async () => {
    expect(await asAdmin('{ referralReward }')).toEqual({ referralReward: '2.5' });
  });

  it('is not below zero', async () => {
    await expect(setReward('-1')).rejects.toThrow('BAD_REQUEST');
  });

  it.each(['1000.000000000000000001', '1001', '99999999999999999999'])('is not %s', async (credits) => {
    await expect(setReward(credits)).rejects.toThrow('BAD_REQUEST');
  });

  it.each(['1000', '1000.000', '0.000000000000000001', '0'])('may be %s', async (credits) => {
    const { adminSetReferralReward } = await setReward(credits);
    await setReward('2.5');
    expect(Number(adminSetReferralReward)).toBe(Number(credits));
  });

  it('is off at zero', async () => {
    referrer = await signIn();
    await setReward('0');
    await signInBy(await codeOfUser(referrer));
    await setReward('2.5');
    expect(await balanceOf(referrer.token)).toBe('0');
  });

  it.each(['{ referralReward }', 'mutation { adminSetReferralReward(credits: "1") }'])(
    'is nothing for users: %s',
    async (query) => {
      const { token } = await signIn();
      expect([codeOf(await graphql(query, { token })), codeOf(await graphql(query))]).toEqual([
        'FORBIDDEN',
        'UNAUTHENTICATED',
      ]);
    },
  );
});
