import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { asAdmin, codeOf, graphql, type Json } from '../../kit/platform.js';
import { openPage, pay } from '../../kit/payments/payments.js';
import { newWallet, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const GRANT = `mutation ($to: String!, $credits: Decimal!, $reason: String!, $key: String) {
  adminGrantCredits(substrateAddress: $to, credits: $credits, reason: $reason, idempotencyKey: $key) { balance accountSs58 }
}`;

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
});

const grant = (
  credits: unknown,
  { to = user.substrateAddress, reason = 'a test', key = null as string | null } = {},
): Promise<Json> => graphql(GRANT, { token: ADMIN_TOKEN, variables: { to, credits, reason, key } });
const balanceOf = async ({ token }: SignedIn): Promise<string> =>
  (await graphql('{ creditBalance { balance } }', { token })).data.creditBalance.balance;

describe('adminGrantCredits', () => {
  it('answers the new balance', async () => {
    const fresh = await signIn();
    const { data } = await grant('1.25', { to: fresh.substrateAddress });
    expect(data.adminGrantCredits).toEqual({ balance: '1.25', accountSs58: fresh.substrateAddress });
  });

  it.each([
    '0',
    '0.0',
    '-1',
    '-0.5',
    '1e3',
    '1.',
    '.5',
    'abc',
    '',
    ' 1',
    '0.0000000000000000001',
    '1'.repeat(21),
    null,
    true,
  ])('refuses the credits %j', async (credits) => {
    expect(['BAD_REQUEST', 'BAD_USER_INPUT']).toContain(codeOf(await grant(credits)));
  });

  it('leaves the balance alone when it refuses', async () => {
    const fresh = await signIn();
    await grant('-1', { to: fresh.substrateAddress });
    expect(await balanceOf(fresh)).toBe('0');
  });

  it('takes a JSON number', async () => {
    const fresh = await signIn();
    await grant(0.5, { to: fresh.substrateAddress });
    expect(await balanceOf(fresh)).toBe('0.5');
  });

  it('knows nothing of an address without an account', async () => {
    expect(codeOf(await grant('1', { to: newWallet().substrateAddress }))).toBe('NOT_FOUND');
  });

  it.each([
    ['the address', { to: 'a\0b' }],
    ['the reason', { reason: 'a\0b' }],
    ['the key', { key: 'a\0b' }],
  ])('refuses U+0000 in %s', async (_, fields) => {
    expect(codeOf(await grant('1', fields))).toBe('BAD_REQUEST');
  });
});

describe('an idempotency key', () => {
  it('grants once for one idempotency key', async () => {
    const fresh = await signIn();
    const key = `key of ${fresh.userId}`;
    for (const _ of [1, 2, 3]) await grant('3', { to: fresh.substrateAddress, key });
    expect(await balanceOf(fresh)).toBe('3');
  });

  it('refuses a key that stood for other credits', async () => {
    const fresh = await signIn();
    const key = `another key of ${fresh.userId}`;
    await grant('3', { to: fresh.substrateAddress, key });
    expect(codeOf(await grant('4', { to: fresh.substrateAddress, key }))).toBe('CONFLICT');
  });

  it('refuses a key that stood for another account', async () => {
    const fresh = await signIn();
    const key = `a third key of ${fresh.userId}`;
    await grant('3', { key });
    expect(codeOf(await grant('3', { to: fresh.substrateAddress, key }))).toBe('CONFLICT');
  });

  it('refuses a key that stood for another reason, and repeats the first answer for the same one', async () => {
    const fresh = await signIn();
    const again = { to: fresh.substrateAddress, key: `a key with a reason of ${fresh.userId}` };
    await grant('3', again);
    const { errors } = await grant('3', { ...again, reason: 'another' });
    expect(errors).toMatchObject([
      {
        message: 'This key was already used for a grant with another reason.',
        extensions: { code: 'CONFLICT' },
      },
    ]);
    expect((await grant('3', again)).data.adminGrantCredits.balance).toBe('3');
  });
});

describe('the maximum balance of a grant', () => {
  const MAXIMUM = '50000000000000000000';
  const refusalOf = async (credits: string, to: string) => (await grant(credits, { to })).errors?.[0];
  const REFUSED = {
    message: `A grant must not raise the balance above ${MAXIMUM} credits.`,
    extensions: { code: 'BAD_REQUEST' },
  };

  it.each(['9'.repeat(20), '50000000000000000001', '50000000000000000000.000000000000000001'])(
    'refuses %s',
    async (credits) => {
      const fresh = await signIn();
      expect(await refusalOf(credits, fresh.substrateAddress)).toMatchObject(REFUSED);
      expect(await balanceOf(fresh)).toBe('0');
    },
  );

  it('is for the sum, also of grants at once', async () => {
    const fresh = await signIn();
    const half = () => refusalOf('25000000000000000000', fresh.substrateAddress);
    const refusals = await Promise.all([1, 2, 3, 4].map(half));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(2);
    expect(refusals).toContainEqual(expect.objectContaining(REFUSED));
    expect(await balanceOf(fresh)).toBe(MAXIMUM);
  });

  it('leaves room for payments, which have no maximum, and a repeated grant is answered then too', async () => {
    const fresh = await signIn();
    const first = { to: fresh.substrateAddress, key: `the maximum of ${fresh.userId}` };
    await grant(MAXIMUM, first);
    await pay(await openPage(fresh, 25));
    expect(await balanceOf(fresh)).toBe('50000000000000000025');
    expect((await grant(MAXIMUM, first)).data.adminGrantCredits.balance).toBe('50000000000000000025');
    expect(await refusalOf('1', fresh.substrateAddress)).toMatchObject(REFUSED);
  });
});

const record = (priceUsd: unknown, blockNumber: unknown): Promise<Json> =>
  graphql(
    'mutation ($p: Decimal!, $b: Int!) { adminRecordTokenPrice(priceUsd: $p, blockNumber: $b) { priceUsd blockNumber } }',
    {
      token: ADMIN_TOKEN,
      variables: { p: priceUsd, b: blockNumber },
    },
  );

describe('adminRecordTokenPrice', () => {
  it('answers what it recorded', async () => {
    const { data } = await record('412.125', 7);
    expect(data.adminRecordTokenPrice).toEqual({ priceUsd: '412.125', blockNumber: 7 });
  });

  it.each([
    ['0', 1],
    ['-1', 1],
    ['abc', 1],
    ['1', -1],
    ['1', 1.5],
    ['1', 2 ** 31],
  ])('refuses %j at block %j', async (price, block) => {
    expect(['BAD_REQUEST', 'BAD_USER_INPUT']).toContain(codeOf(await record(price, block)));
  });
});

const pageOf = async (variables: object): Promise<Json> => {
  const ask =
    'query ($page: Int, $pageSize: Int) { creditBalances(page: $page, pageSize: $pageSize) { page pageSize } }';
  return graphql(ask, { token: ADMIN_TOKEN, variables: { ...variables } });
};

describe('creditBalances', () => {
  it.each([
    [{}, 50],
    [{ pageSize: 1 }, 1],
    [{ pageSize: 200 }, 200],
    [{ pageSize: 201 }, 200],
    [{ pageSize: 2_147_483_647 }, 200],
  ])('of %j holds at most %i', async (request, size) => {
    expect((await pageOf(request)).data.creditBalances).toEqual({ page: 1, pageSize: size });
  });

  it.each([{ page: 0 }, { page: -1 }, { pageSize: 0 }, { pageSize: -5 }])('of %j is refused', async (request) => {
    expect(codeOf(await pageOf(request))).toBe('BAD_REQUEST');
  });
});

const hours = async (token: string): Promise<number | null | undefined> => {
  const { data } = await graphql('{ vmFlavors { name affordableHours } }', { token });
  return data.vmFlavors.find(({ name }: Json) => name === 'hours-of-the-tests')?.affordableHours;
};

describe('affordableHours', () => {
  beforeAll(async () => {
    const save = `mutation { adminSaveVmFlavor(name: "hours-of-the-tests", displayName: "X", cpuCores: 1, memoryMb: 1024, dataDiskGb: 1, creditsPerHour: "0.3") { id } }`;
    await graphql(save, { token: ADMIN_TOKEN });
  });

  it('follow the balance', async () => {
    const fresh = await signIn();
    const before = await hours(fresh.token);
    await grant('1', { to: fresh.substrateAddress });
    expect({ before, after: await hours(fresh.token) }).toEqual({ before: 0, after: 3.33 });
  });

  it('are null for services, which have no credits', async () => {
    expect(await hours(await serviceToken())).toBeNull();
  });

  it('are those of the one who asks', async () => {
    const [rich, poor] = await Promise.all([signIn(), signIn()]);
    await asAdmin(GRANT, { to: rich.substrateAddress, credits: '3', reason: 'a test' });
    expect(await hours(poor.token)).toBe(0);
  });
});
