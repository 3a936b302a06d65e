import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPage, pay, type OpenPage } from '../../../kit/payments/payments.js';
import { asAdmin, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { grant, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const ASK = `query ($of: String) { statement(substrateAddress: $of) { lines {
  source subject { __typename charges { lines { source amount } next } ... on Transaction { id status } }
} } }`;

let user: SignedIn;
let page: OpenPage;
beforeAll(async () => {
  user = await signIn();
  await grant(user, '1');
  page = await openPage(user, 20);
  await pay(page);
});

describe('the subject of a line of the statement', () => {
  it('is the payment that it is about, with all lines about it, or null', async () => {
    const { data, errors } = await graphql(ASK, { token: user.token });
    const charges = { lines: [{ source: 'payment', amount: '20' }], next: null };
    expect(errors).toBeUndefined();
    expect(data.statement.lines).toEqual([
      {
        source: 'payment',
        subject: { __typename: 'Transaction', id: expect.any(String), status: 'completed', charges },
      },
      { source: 'administrator', subject: null },
    ]);
  });

  it('is the same from the payment', async () => {
    const { data } = await graphql(
      '{ transactions { charges { lines { subject { ... on Transaction { id } } } } id } }',
      user,
    );
    expect(data.transactions.map(({ id, charges }: Json) => [id, charges.lines[0].subject.id])).toEqual([
      [data.transactions[0].id, data.transactions[0].id],
    ]);
  });

  it('is null to an administrator, who does not read the payments of others', async () => {
    const { statement } = await asAdmin(ASK, { of: user.substrateAddress });
    expect(statement.lines.map(({ subject }: Json) => subject)).toEqual([null, null]);
  });

  it.each([0, -1])('refuses a page of %i lines', async (first) => {
    const query = `{ transactions { charges(first: ${first}) { next } } }`;
    expect(codeOf(await graphql(query, user))).toBe('BAD_REQUEST');
  });
});
