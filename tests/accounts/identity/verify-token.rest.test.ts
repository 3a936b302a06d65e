import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';

const check = (token: unknown) => call('POST /api/auth/verify-token/', { body: { token } });

describe('POST /auth/verify-token/', () => {
  it('answers the documented fields', async () => {
    const user = await signIn();
    const { status, body } = await check(user.token);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        valid: true,
        user_id: user.userId,
        username: expect.stringMatching(/\S/),
        substrate_address: user.substrateAddress,
      },
    });
  });

  it('ignores an Authorization header', async () => {
    const { token } = await signIn();
    const { status } = await call('POST /api/auth/verify-token', { token: 'nonsense', body: { token } });
    expect(status).toBe(200);
  });

  it.each([
    ['unknown', `arch_${'A'.repeat(43)}`],
    ['no token at all', 'nonsense'],
    ['very long', 'x'.repeat(50_000)],
  ])('answers 404 for a token that is %s', async (_, token) => {
    const { status, body } = await check(token);
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['an array', ['x']],
    ['one with U+0000', 'x\0'],
  ])('answers 400 for a token that is %s', async (_, token) => {
    const { status, body } = await check(token);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });
});
