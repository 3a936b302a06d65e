import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

describe('an answer', () => {
  it.each(['GET /api/billing/credits/balance/', 'POST /api/auth/mnemonic/', 'GET /api/nothing', 'GET /list_folders/x'])(
    'is kept by no cache at %s',
    async (target) => {
      const { headers } = await call(target, { token: user.token });
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );
});
