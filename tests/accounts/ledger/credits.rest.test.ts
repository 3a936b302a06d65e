import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { asAdmin, call } from '../../kit/platform.js';
import { grant, newWallet, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { fieldsOf, ISO_TIME } from '../../kit/rest/rest-checks.js';

const BALANCE = 'GET /api/billing/credits/balance/';

describe('the balance of a user', () => {
  it('has the documented fields', async () => {
    const user = await signIn();
    const { status, body } = await call(BALANCE, { token: user.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: { balance: '0', last_updated: expect.stringMatching(ISO_TIME) },
    });
  });

  it.each([
    ['0.000000000000000001', '0.000000000000000001'],
    ['0.33', '0.33'],
    ['100', '100'],
    ['12.500', '12.5'],
    ['12345678901234567890', '12345678901234567890'],
    ['1234567890.123456789012345678', '1234567890.123456789012345678'],
  ])('is exact after a grant of %s', async (credits, balance) => {
    const user = await signIn();
    await grant(user, credits);
    const { body } = await call(BALANCE, { token: user.token });
    expect(body.balance).toBe(balance);
  });

  it.each([
    [['0.1', '0.2'], '0.3'],
    [['0.000000000000000001', '9007199254740993'], '9007199254740993.000000000000000001'],
    [['0.999999999999999999', '0.000000000000000001'], '1'],
  ])('is exact after grants of %s', async (grants, balance) => {
    const user = await signIn();
    for (const credits of grants) await grant(user, credits);
    const { body } = await call(BALANCE, { token: user.token });
    expect(body.balance).toBe(balance);
  });

  it('moves last_updated', async () => {
    const user = await signIn();
    const before = await call(BALANCE, { token: user.token });
    await grant(user, '1');
    const { body } = await call(BALANCE, { token: user.token });
    expect(Date.parse(body.last_updated)).toBeGreaterThan(Date.parse(before.body.last_updated));
  });
});

describe('the balance of another', () => {
  it('is not answered for another account to a user', async () => {
    const [user, other] = await Promise.all([signIn(), signIn()]);
    const { status, body } = await call(`${BALANCE}?account_ss58=${other.substrateAddress}`, { token: user.token });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });

  it('is refused alike for an account that exists and one that does not', async () => {
    const [user, other] = await Promise.all([signIn(), signIn()]);
    const existing = await call(`${BALANCE}?account_ss58=${other.substrateAddress}`, { token: user.token });
    const none = await call(`${BALANCE}?account_ss58=${newWallet().substrateAddress}`, { token: user.token });
    expect(none.text).toBe(existing.text);
  });

  it('is the own one for a user who asks for a page', async () => {
    const user = await signIn();
    const { body } = await call(`${BALANCE}?page=2&page_size=10`, { token: user.token });
    expect(body).toEqual({ balance: '0', last_updated: expect.stringMatching(ISO_TIME) });
  });
});

describe.each(['VALIDATOR', 'ADMIN', 'SUPERUSER'])('a service with the role %s', (role) => {
  let token: string;
  let user: SignedIn;
  beforeAll(async () => {
    [token, user] = await Promise.all([serviceToken(role), signIn()]);
    await grant(user, '4.5');
  });

  it('sees the balance of any account', async () => {
    const { status, body } = await call(`${BALANCE}?account_ss58=${user.substrateAddress}`, { token });
    expect({ status, body }).toEqual({
      status: 200,
      body: { balance: '4.5', last_updated: expect.stringMatching(ISO_TIME), account_ss58: user.substrateAddress },
    });
  });

  it('is told 404 for an account that is none', async () => {
    const { status, body } = await call(`${BALANCE}?account_ss58=${newWallet().substrateAddress}`, { token });
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });

  it('sees the list of all with the documented fields', async () => {
    const { status, body } = await call(BALANCE, { token });
    expect({ status, fields: fieldsOf(body), row: fieldsOf(body.results[0]) }).toEqual({
      status: 200,
      fields: ['count', 'next', 'previous', 'results'],
      row: ['account_ss58', 'balance', 'last_updated'],
    });
  });
});

describe('the list of balances', () => {
  it('has the address of each account, in REST and in GraphQL', async () => {
    const { body } = await call(`${BALANCE}?page_size=1`, { token: ADMIN_TOKEN });
    const { creditBalances: page } = await asAdmin('{ creditBalances(pageSize: 1) { results { accountSs58 } } }');
    expect({ rest: body.results[0], graph: page.results[0] }).toEqual({
      rest: {
        balance: expect.any(String),
        last_updated: expect.stringMatching(ISO_TIME),
        account_ss58: expect.any(String),
      },
      graph: { accountSs58: expect.any(String) },
    });
  });

  it.each([
    ['account_ss58=%00', 400],
    ['page=x', 400],
    ['page_size=1.5', 400],
    ['page=99999999999', 200],
    ['page=2147483647&page_size=200', 200],
    ['page_size=100000', 200],
    ['account_ss58=', 200],
    ['unknown=1', 200],
  ])('answers ?%s with %i', async (query, expected) => {
    const { status } = await call(`${BALANCE}?${query}`, { token: ADMIN_TOKEN });
    expect(status).toBe(expected);
  });

  it('is not for a service without a role', async () => {
    const { status, body } = await call(BALANCE, { token: await serviceToken('MARKETING') });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });

  it('is for a user whom an administrator made a validator', async () => {
    const user = await signIn();
    await asAdmin('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [VALIDATOR]) { id } }', {
      to: user.substrateAddress,
    });
    const { body } = await call(BALANCE, { token: user.token });
    expect(fieldsOf(body)).toEqual(['count', 'next', 'previous', 'results']);
  });
});
