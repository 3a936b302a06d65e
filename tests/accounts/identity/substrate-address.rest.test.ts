import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { call, graphql } from '../../kit/platform.js';
import { newWallet, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

const LIST = 'GET /api/billing/substrate-address/';

let user: SignedIn;
let record: object;
beforeAll(async () => {
  user = await signIn();
  record = {
    id: user.substrateAddress,
    address: user.substrateAddress,
    is_verified: false,
    created_at: expect.stringMatching(ISO_TIME),
  };
});

describe('GET /billing/substrate-address/', () => {
  it('answers a page of the own address, and the address beside it', async () => {
    const { status, body } = await call(LIST, { token: user.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: { count: 1, next: null, previous: null, results: [record], ss58_address: user.substrateAddress },
    });
  });

  it('takes an ordering in GraphQL too', async () => {
    const { data } = await graphql('{ substrateAddresses(ordering: "-created_at") { count } }', { token: user.token });
    expect(data.substrateAddresses.count).toBe(1);
  });

  it('answers null for who has none', async () => {
    const { body } = await call(LIST, { token: ADMIN_TOKEN });
    expect(body).toEqual({ count: 0, next: null, previous: null, results: [], ss58_address: null });
  });

  it.each(['ordering=-created_at', 'page=1&page_size=1', 'page_size=1000', 'search=5', 'unknown=1'])(
    'finds it with ?%s',
    async (query) => {
      const { body } = await call(`${LIST}?${query}`, { token: user.token });
      expect(body.results).toEqual([record]);
    },
  );

  it('finds it by a part in any case', async () => {
    const part = user.substrateAddress.slice(10, 20).toUpperCase();
    const { body } = await call(`${LIST}?search=${part}`, { token: user.token });
    expect(body.count).toBe(1);
  });

  it('leaves out what does not hold the text, but not whose it is', async () => {
    const { body } = await call(`${LIST}?search=0x`, { token: user.token });
    expect(body).toMatchObject({ count: 0, results: [], ss58_address: user.substrateAddress });
  });

  it('has no second page', async () => {
    const { body } = await call(`${LIST}?page=2&page_size=1`, { token: user.token });
    expect(body).toMatchObject({ count: 1, next: null, previous: expect.stringContaining('page=1'), results: [] });
  });

  it.each(['page=0', 'page=x', 'page_size=0'])('refuses ?%s', async (query) => {
    expect((await call(`${LIST}?${query}`, { token: user.token })).status).toBe(400);
  });

  it('is not for services, which have no address', async () => {
    expect((await call(LIST, { token: await serviceToken('SUPERUSER') })).status).toBe(403);
  });
});

describe('GET /billing/substrate-address/{id}/', () => {
  const one = (id: string) => `GET /api/billing/substrate-address/${id}/`;

  it('answers the own address', async () => {
    const { status, body } = await call(one(user.substrateAddress), { token: user.token });
    expect({ status, body }).toEqual({ status: 200, body: record });
  });

  it.each(['1', 'x', '%00', newWallet().substrateAddress])('knows nothing of %s', async (id) => {
    const { status, body } = await call(one(id), { token: user.token });
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });

  it('knows nothing of that of another, also for administrators', async () => {
    expect((await call(one(user.substrateAddress), { token: ADMIN_TOKEN })).status).toBe(404);
  });
});
