import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPage, pay } from '../../../kit/payments/payments.js';
import { codeOf, graphql, type Json } from '../../../kit/platform.js';
import { grant, serviceToken, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const ASK = `query ($first: Int, $after: String) {
  statementDays(first: $first, after: $after) {
    days { date balance groups { cursor lines amount isDebt source kind reason subject { __typename ... on Transaction { status } } } }
    next
  }
}`;

const ask = (token: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Json> =>
  graphql(ASK, { token, variables });

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
  for (const credits of ['1', '0.5', '0.000000000000000001']) await grant(user, credits);
  await pay(await openPage(user, 20));
});

describe('the days of the statement', () => {
  it('add up what is about the same, exactly', async () => {
    const { data, errors } = await ask(user.token);
    expect(errors).toBeUndefined();
    const groups = data.statementDays.days.flatMap((day: Json) => day.groups);
    expect(groups).toEqual([
      {
        cursor: '4',
        lines: 1,
        amount: '20',
        isDebt: false,
        source: 'payment',
        kind: expect.any(String),
        reason: expect.any(String),
        subject: { __typename: 'Transaction', status: 'completed' },
      },
      {
        cursor: '3',
        lines: 3,
        amount: '1.500000000000000001',
        isDebt: false,
        source: 'administrator',
        kind: 'grant',
        reason: 'a test',
        subject: null,
      },
    ]);
  });

  it('have the date and the balance at their end', async () => {
    const { data } = await ask(user.token);
    const [day] = data.statementDays.days;
    expect(day.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(day.balance).toBe('21.500000000000000001');
    expect(data.statementDays.next).toBeNull();
  });

  it('begin below the cursor', async () => {
    const { data } = await ask(user.token, { after: '3' });
    const groups = data.statementDays.days.flatMap((day: Json) => day.groups);
    expect(groups.map(({ lines, amount }: Json) => [lines, amount])).toEqual([[2, '1.5']]);
  });

  it('of a new user are none', async () => {
    expect((await ask((await signIn()).token)).data.statementDays).toEqual({ days: [], next: null });
  });

  it.each([{ first: 0 }, { after: '' }, { after: 'x' }, { after: '-1' }])('refuse %j', async (variables) => {
    expect(codeOf(await ask(user.token, variables))).toBe('BAD_REQUEST');
  });

  it('are for nobody without a token, and of no service', async () => {
    expect(codeOf(await graphql('{ statementDays { next } }'))).toBe('UNAUTHENTICATED');
    expect(codeOf(await ask(await serviceToken('ADMIN')))).toBe('FORBIDDEN');
  });
});
