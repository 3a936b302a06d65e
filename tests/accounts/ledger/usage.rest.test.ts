import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { call, codeOf, graphql, type Json, type Reply } from '../../kit/platform.js';
import { newWallet, serviceToken, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ISO_TIME, tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const RECORD = 'POST /api/billing/usage/record/';
const PERIOD = { period_start: '2026-10-01T00:00:00Z', period_end: '2026-11-01T00:00:00Z' };

let validator: string;
let user: SignedIn;
beforeAll(async () => {
  [validator, user] = await Promise.all([serviceToken('VALIDATOR'), signIn()]);
});

const record = (fields: object = {}, token = validator): Promise<Reply> => {
  const body = { account_ss58: user.substrateAddress, ...PERIOD, storage_bytes: 1024, ...fields };
  return call(RECORD, { token, body });
};

describe('POST /billing/usage/record/', () => {
  it('answers the record', async () => {
    const { status, body } = await record();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        account_ss58: user.substrateAddress,
        period_start: '2026-10-01T00:00:00.000Z',
        period_end: '2026-11-01T00:00:00.000Z',
        storage_bytes: 1024,
        created_at: expect.stringMatching(ISO_TIME),
        updated_at: expect.stringMatching(ISO_TIME),
      },
    });
  });

  it('takes ss58_address for account_ss58', async () => {
    const { status } = await record({ account_ss58: undefined, ss58_address: user.substrateAddress });
    expect(status).toBe(201);
  });

  it('keeps one record of an account and a period, with the newest figure', async () => {
    const [first, second] = [await record({ storage_bytes: 1 }), await record({ storage_bytes: 2 })];
    expect([second.status, second.body.id, second.body.storage_bytes]).toEqual([201, first.body.id, 2]);
  });

  it('keeps one record of twenty at once', async () => {
    const fresh = await signIn();
    const replies = await twentyAtOnce(() => record({ account_ss58: fresh.substrateAddress }));
    expect([tally(replies), new Set(replies.map(({ body }) => body.id)).size]).toEqual([{ 201: 20 }, 1]);
  });

  it.each([
    [0, 0],
    ['0', 0],
    ['1024', 1024],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
  ])('takes %j bytes', async (storage_bytes, answered) => {
    const { status, body } = await record({ storage_bytes });
    expect([status, body.storage_bytes]).toEqual([201, answered]);
  });

  it('takes the largest number of bytes also as a JSON number', async () => {
    const fields = JSON.stringify({ account_ss58: user.substrateAddress, ...PERIOD });
    const rawBody = `${fields.slice(0, -1)},"storage_bytes":9223372036854775807}`;
    const { status, body } = await call(RECORD, { token: validator, rawBody });
    expect([status, body.storage_bytes]).toEqual([201, '9223372036854775807']);
  });

  it.each([-1, '-1', 1.5, '1.5', 'x', '', '9223372036854775808', true, [], {}, null])(
    'refuses %j bytes',
    async (storage_bytes) => {
      const { status, body } = await record({ storage_bytes });
      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
    },
  );

  it.each([
    ['2026-10-01', '2026-10-02'],
    ['2026-10-01T00:00:00+02:00', '2026-10-01T00:00:00+00:00'],
    ['2026-10-01T00:00:00.123456Z', '2026-10-01 00:00:01'],
  ])('takes the period from %s to %s', async (period_start, period_end) => {
    expect((await record({ period_start, period_end })).status).toBe(201);
  });

  it.each([
    ['ends before it begins', { period_start: '2026-10-02', period_end: '2026-10-01' }],
    ['ends when it begins', { period_start: '2026-10-01', period_end: '2026-10-01T00:00:00Z' }],
    ['has no end', { period_end: null }],
    ['has no beginning', { period_start: null }],
    ['is no time', { period_start: 'yesterday' }],
    ['is a number', { period_start: 1_790_000_000 }],
    ['ends after the year 9999 in UTC', { period_end: '9999-12-31T23:59:59-14:00' }],
    ['begins on a day that is none', { period_start: '2026-02-30' }],
    ['begins in a month that is none', { period_start: '2026-13-01' }],
    ['begins in an hour that is none', { period_start: '2026-10-01T25:00:00Z' }],
  ])('refuses a period that %s', async (_, fields) => {
    const { status, body } = await record(fields);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^`period_/) }]);
  });

  it('knows nothing of an address without an account', async () => {
    const { status, body } = await record({ account_ss58: newWallet().substrateAddress });
    expect([status, body]).toEqual([404, { error: expect.any(String) }]);
  });
});

describe('who may record usage', () => {
  it.each(['VALIDATOR', 'ADMIN', 'SUPERUSER'])('a service with the role %s', async (role) => {
    expect((await record({}, await serviceToken(role))).status).toBe(201);
  });

  it.each(['VALIDATOR', 'ADMIN', 'SUPERUSER'])('not a user with the role %s, by REST or GraphQL', async (role) => {
    const { token, substrateAddress: account_ss58 } = await signIn();
    await setRoles(account_ss58, [role]);
    const refused = await record({ account_ss58 }, token);
    const fields = `accountSs58: "${account_ss58}", periodStart: "2026-10-01T00:00:00Z", periodEnd: "2026-11-01T00:00:00Z", storageBytes: 1`;
    const inGraphQL = await graphql(`mutation { recordUsage(${fields}) { id } }`, { token });
    const { data } = await graphql('{ usageRecords { count } }', { token });
    expect([refused.status, refused.body, codeOf(inGraphQL), data.usageRecords.count]).toEqual([
      403,
      { error: expect.stringContaining('service token') },
      'FORBIDDEN',
      0,
    ]);
  });

  it('not a service with another role', async () => {
    expect((await record({}, await serviceToken('MARKETING', 'BETA'))).status).toBe(403);
  });

  it('not a user, also of the own account', async () => {
    expect((await record({}, user.token)).status).toBe(403);
  });
});

describe('the usage that a user sees', () => {
  const OWN = '{ me { storageUsage { storageBytes periodEnd } } usageRecords { count results { storageBytes } } }';

  it('is none at first', async () => {
    const { data } = await graphql(OWN, { token: (await signIn()).token });
    expect(data).toEqual({ me: { storageUsage: null }, usageRecords: { count: 0, results: [] } });
  });

  it('is that of the latest period, whatever came last, and a list of all', async () => {
    const { token, substrateAddress: account_ss58 } = await signIn();
    await record({ account_ss58, storage_bytes: 7 });
    await record({ account_ss58, period_start: '2026-09-01', period_end: '2026-10-01', storage_bytes: 5 });
    const { data } = await graphql(OWN, { token });
    expect(data).toEqual({
      me: { storageUsage: { storageBytes: 7, periodEnd: '2026-11-01T00:00:00.000Z' } },
      usageRecords: { count: 2, results: [{ storageBytes: 7 }, { storageBytes: 5 }] },
    });
  });

  it('is seen of another account by administrators only', async () => {
    await record({ storage_bytes: 9 });
    const ask = 'query ($of: String!) { user(substrateAddress: $of) { storageUsage { storageBytes } } }';
    const asked = (token: string): Promise<Json> => graphql(ask, { token, variables: { of: user.substrateAddress } });
    expect([(await asked(ADMIN_TOKEN)).data.user.storageUsage, codeOf(await asked((await signIn()).token))]).toEqual([
      { storageBytes: 9 },
      'FORBIDDEN',
    ]);
  });
});
