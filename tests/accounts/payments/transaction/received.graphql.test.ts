import { describe, expect, it } from '@jest/globals';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { payDeposit } from '../../../kit/payments/deposits.js';
import { openPage, pay, transactionOf } from '../../../kit/payments/payments.js';
import { call, graphql, type Json } from '../../../kit/platform.js';

async function paidOf({ token }: SignedIn): Promise<Json> {
  const { data } = await graphql('{ transactions { amount credits creditsGranted received } }', { token });
  return data.transactions[0];
}

describe('a transaction', () => {
  it('in crypto tells exactly what was received and granted of a part, where REST rounds the credits down', async () => {
    const user = await signIn();
    const body = { payment_type: 'crypto', amount: 25, currency: 'USDC' };
    const { body: opened } = await call('POST /api/billing/transactions/', { token: user.token, body });
    expect(await paidOf(user)).toEqual({ amount: 25, credits: 25, received: '0', creditsGranted: null });
    await payDeposit(user, opened.id, 'under');
    expect(await paidOf(user)).toEqual({ amount: 25, credits: 12, received: '12.5', creditsGranted: '12.5' });
    expect(await transactionOf(user, opened.id)).toMatchObject({ amount: 25, credits: 12, status: 'completed' });
  });

  it('by card tells its credits once they are granted, and of no token', async () => {
    const user = await signIn();
    const page = await openPage(user, 25);
    expect(await paidOf(user)).toEqual({ amount: 25, credits: 25, received: null, creditsGranted: null });
    await pay(page);
    expect(await paidOf(user)).toEqual({ amount: 25, credits: 25, received: null, creditsGranted: '25' });
  });
});
