import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { codeOf, graphql, type Json } from '../../../kit/platform.js';
import { grant, newWallet, serviceToken, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { ISO_TIME } from '../../../kit/rest/rest-checks.js';

const ASK = `query ($first: Int, $after: String, $of: String, $id: Int) {
  statement(first: $first, after: $after, substrateAddress: $of, userId: $id) {
    lines { cursor amount isDebt balance debt source kind reason link createdAt } next
  }
}`;

const ask = (token: string, variables: object = {}): Promise<Json> =>
  graphql(ASK, { token, variables: { ...variables } });
const statement = async (token: string, variables: object = {}): Promise<Json> =>
  (await ask(token, variables)).data.statement;

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
  for (const credits of ['1', '0.5', '0.000000000000000001', '20', '3']) await grant(user, credits);
});

describe('the statement', () => {
  it('of a new user is empty', async () => {
    expect(await statement((await signIn()).token)).toEqual({ lines: [], next: null });
  });

  it('tells of each movement what, why and when', async () => {
    const { lines } = await statement(user.token, { first: 1 });
    expect(lines).toEqual([
      {
        cursor: '5',
        amount: '3',
        isDebt: false,
        balance: '24.500000000000000001',
        debt: '0',
        source: 'administrator',
        kind: 'grant',
        reason: 'a test',
        link: expect.any(String),
        createdAt: expect.stringMatching(ISO_TIME),
      },
    ]);
  });

  it('has the balance after each movement, newest first', async () => {
    const { lines } = await statement(user.token);
    expect(lines.map(({ balance }: Json) => balance)).toEqual([
      '24.500000000000000001',
      '21.500000000000000001',
      '1.500000000000000001',
      '1.5',
      '1',
    ]);
  });

  it('has the same balances on later pages', async () => {
    const pages: string[][] = [];
    for (let after: string | null = null; pages.length < 3;) {
      const { lines, next } = await statement(user.token, { first: 2, after });
      pages.push(lines.map(({ balance }: Json) => balance));
      after = next;
    }
    expect(pages).toEqual([['24.500000000000000001', '21.500000000000000001'], ['1.500000000000000001', '1.5'], ['1']]);
  });

  it('ends where there is no more', async () => {
    const { next } = await statement(user.token, { first: 5 });
    expect(next).toBeNull();
  });

  it('does not shift when something new comes between two pages', async () => {
    const fresh = await signIn();
    for (const credits of ['1', '1', '1']) await grant(fresh, credits);
    const { next } = await statement(fresh.token, { first: 2 });
    await grant(fresh, '1');
    const { lines } = await statement(fresh.token, { first: 2, after: next });
    expect(lines.map(({ cursor }: Json) => cursor)).toEqual(['1']);
  });

  it.each([{ first: 0 }, { first: -1 }, { after: '' }, { after: 'x' }, { after: '-1' }, { after: '1'.repeat(19) }])(
    'refuses %j',
    async (variables) => {
      expect(codeOf(await ask(user.token, variables))).toBe('BAD_REQUEST');
    },
  );
});

describe('the statement of another', () => {
  it('is for administrators', async () => {
    const { lines } = await statement(ADMIN_TOKEN, { of: user.substrateAddress });
    expect(lines).toHaveLength(5);
  });

  it('is not for users', async () => {
    expect(codeOf(await ask((await signIn()).token, { of: user.substrateAddress }))).toBe('FORBIDDEN');
  });

  it.each(['VALIDATOR', 'MARKETING'])('is not for services with the role %s', async (role) => {
    expect(codeOf(await ask(await serviceToken(role), { of: user.substrateAddress }))).toBe('FORBIDDEN');
  });

  it('is none where there is no account', async () => {
    expect(codeOf(await ask(ADMIN_TOKEN, { of: newWallet().substrateAddress }))).toBe('NOT_FOUND');
  });

  it('is found by the id of the user, for administrators only', async () => {
    const id = user.userId;
    const [own, admin] = [await statement(user.token, { id }), await statement(ADMIN_TOKEN, { id })];
    expect([own.lines.length, admin]).toEqual([5, own]);
    expect(codeOf(await ask((await signIn()).token, { id }))).toBe('FORBIDDEN');
    expect(codeOf(await ask(ADMIN_TOKEN, { id: 2_000_000_000 }))).toBe('NOT_FOUND');
    expect(codeOf(await ask(ADMIN_TOKEN, { id, of: user.substrateAddress }))).toBe('BAD_REQUEST');
    expect(codeOf(await ask((await signIn()).token, { id, of: user.substrateAddress }))).toBe('FORBIDDEN');
  });

  it('by the own address is the own', async () => {
    expect((await statement(user.token, { of: user.substrateAddress })).lines).toHaveLength(5);
  });

  it('is for nobody without a token', async () => {
    expect(codeOf(await graphql('{ statement { next } }'))).toBe('UNAUTHENTICATED');
  });

  it('is none of a service', async () => {
    expect(codeOf(await ask(await serviceToken('ADMIN')))).toBe('FORBIDDEN');
  });
});
