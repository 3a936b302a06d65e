import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';
import { serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

describe('a field of paging that is not in its range', () => {
  it.each(
    ['', '-1', '0', 'x', '1.5', '1e3', '0x10', '1_000', 'NaN', '007', '-99999999999', '1&page=2'].flatMap((page) => [
      [`page=${page}`, 'page'],
      [`page_size=${page.replace('page', 'page_size')}`, 'page_size'],
    ]),
  )('is refused with one sentence: %s', async (query, field) => {
    const { status, body } = await call(`GET /api/billing/transactions/?${query}`, { token: user.token });
    expect({ status, body }).toEqual({ status: 400, body: { error: `\`${field}\` must be a whole number from 1.` } });
  });

  it.each(['-1', 'x', '1.5', ''])('is refused with one sentence in folder sync: %j', async (value) => {
    for (const field of ['offset', 'limit']) {
      const { status, body } = await call(`GET /search_files/${user.substrateAddress}?${field}=${value}`, {
        token: user.token,
      });
      const message = `\`${field}\` must be a whole number from 0.`;
      expect({ status, body }).toEqual({ status: 400, body: { Error: { error: 'invalid_manifest', message } } });
    }
  });

  it('is refused under its other name too, also beside the documented one', async () => {
    for (const query of ['limit=x', 'limit=', 'limit=x&page_size=10', 'limit=&page_size=10']) {
      const { status, body } = await call(`GET /api/billing/transactions/?${query}`, { token: user.token });
      expect({ status, body }).toEqual({ status: 400, body: { error: '`limit` must be a whole number from 1.' } });
    }
  });

  it('is refused empty by every list', async () => {
    const admin = await serviceToken('ADMIN', 'MARKETING');
    const lists = [
      ['/api/billing/transactions/', user.token],
      ['/api/billing/substrate-address/', user.token],
      ['/api/billing/credits/balance/', admin],
      ['/api/billing/subscriptions/', admin],
      ['/api/models/', user.token],
      ['/api/models/a/b/', user.token],
    ] as const;
    for (const [path, token] of lists) {
      const replies = await Promise.all(
        ['page=', 'page_size='].map((query) => call(`GET ${path}?${query}`, { token })),
      );
      expect({ path, statuses: replies.map(({ status }) => status) }).toEqual({ path, statuses: [400, 400] });
    }
  });

  it.each(['1', '2147483648', '99999999999999999999'])('is not at %s', async (page) => {
    expect((await call(`GET /api/billing/transactions/?page=${page}`, { token: user.token })).status).toBe(200);
  });
});
