import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { press } from '../../kit/payments/sandbox.js';
import { signIn } from '../../kit/accounts/wallet.js';

const BALANCE = 'GET /api/billing/credits/balance/';

describe('a purchase on the hosted page of the sandbox', () => {
  it('grants its credits once by the webhook that follows, also when the page is submitted twice', async () => {
    const { token } = await signIn();
    const { status, body } = await call('POST /api/billing/payproc/create-checkout-session/', {
      token,
      body: { amount: 25, success_url: 'https://app.example/done', cancel_url: 'https://app.example/back' },
    });
    expect(status).toBe(200);
    const leads = await Promise.all([1, 2].map(() => press(body.checkout_url, { action: 'pay' })));
    expect(new Set(leads)).toEqual(new Set(['https://app.example/done']));
    let balance = '0';
    while (balance === '0') balance = (await call(BALANCE, { token })).body.balance;
    expect(balance).toBe('25');
  });
});
