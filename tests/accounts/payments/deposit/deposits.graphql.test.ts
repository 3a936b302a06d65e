import { describe, expect, it } from '@jest/globals';
import { asAdmin, codeOf, graphql } from '../../../kit/platform.js';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { createDeposit } from '../../../kit/payments/deposits.js';
import { signIn } from '../../../kit/accounts/wallet.js';

describe('a price that an administrator recorded', () => {
  it('does not go stale', async () => {
    const { adminRecordTokenPrice } = await asAdmin(
      'mutation { adminRecordTokenPrice(priceUsd: "412.25", blockNumber: 1) { source isStale ageSeconds } }',
    );
    expect(adminRecordTokenPrice).toEqual({
      source: 'administrator',
      isStale: false,
      ageSeconds: expect.any(Number),
    });
  });
});

describe('a user without a role', () => {
  it.each(['adminRunDepositWatch { chain }', 'adminRefreshTokenPrice { priceUsd }'])('is refused %s', async (field) => {
    const { token } = await signIn();
    expect(codeOf(await graphql(`mutation { ${field} }`, { token }))).toBe('FORBIDDEN');
  });
});

describe('the addresses that were given out', () => {
  it('are shown to administrators', async () => {
    const { data } = await graphql('{ adminDepositAddresses { count results { address } } }', { token: ADMIN_TOKEN });
    expect(data.adminDepositAddresses).toEqual({ count: expect.any(Number), results: expect.any(Array) });
  });

  it('are counted on a page after the last one too', async () => {
    const user = await signIn();
    await createDeposit(user, { currency: 'USDC', amount: '25' });
    const { adminDepositAddresses: list } = await asAdmin(
      '{ adminDepositAddresses(page: 1000, pageSize: 200) { count results { address } } }',
    );
    expect({ isCounted: list.count > 0, results: list.results }).toEqual({ isCounted: true, results: [] });
  });

  it('are shown to nobody else', async () => {
    const { token } = await signIn();
    expect(codeOf(await graphql('{ adminDepositAddresses { count } }', { token }))).toBe('FORBIDDEN');
  });
});

describe('a deposit', () => {
  it.each(['00000000-0000-4000-8000-000000000000', 'nonsense', ''])('of the id "%s" is not found', async (id) => {
    const { token } = await signIn();
    const answer = await graphql('query ($id: ID!) { deposit(transactionId: $id) { status } }', {
      token,
      variables: { id },
    });
    expect(codeOf(answer)).toBe('NOT_FOUND');
  });

  it('is nothing for those who are not signed in', async () => {
    const answer = await graphql('{ deposit(transactionId: "x") { status } }');
    expect(codeOf(answer)).toBe('UNAUTHENTICATED');
  });
});
