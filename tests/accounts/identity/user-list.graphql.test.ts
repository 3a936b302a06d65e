import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { asAdmin, codeOf, graphql, type Json } from '../../kit/platform.js';
import { serviceToken, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const LIST = `query ($search: String, $role: Role, $first: Int, $after: String) {
  users(search: $search, role: $role, first: $first, after: $after) {
    results { id username email substrateAddress roles createdAt } nextCursor } }`;

let one: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  one = await signIn();
  other = await signIn();
  await setRoles(other.substrateAddress, ['MARKETING', 'VALIDATOR']);
});

const pageOf = async (variables: Json): Promise<Json> => (await asAdmin(LIST, variables)).users;
const idsOf = async (variables: Json): Promise<number[]> => (await pageOf(variables)).results.map(({ id }: Json) => id);

describe('the list of users', () => {
  it('has users of all accounts, newest first, with their roles', async () => {
    const { results } = await pageOf({ first: 200 });
    const ids = results.map(({ id }: Json) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    const listed = await Promise.all([one, other].map(({ substrateAddress }) => pageOf({ search: substrateAddress })));
    expect(listed.map((page) => page.results)).toEqual([
      [expect.objectContaining({ id: one.userId, substrateAddress: one.substrateAddress, roles: [] })],
      [expect.objectContaining({ id: other.userId, roles: ['MARKETING', 'VALIDATOR'] })],
    ]);
  });

  it('has pages without gaps and repetitions', async () => {
    for (let i = 0; i < 6; i++) await signIn();
    // Other suites sign in meanwhile: only users older than a known one stay the same.
    const { nextCursor: after } = await pageOf({ first: 1 });
    const whole = await idsOf({ first: 5, after });
    const first = await pageOf({ first: 2, after });
    const second = await pageOf({ first: 3, after: first.nextCursor });
    expect([...first.results, ...second.results].map(({ id }: Json) => id)).toEqual(whole);
  });

  it('ends with a page without a cursor', async () => {
    const page = await pageOf({ search: one.substrateAddress, first: 1 });
    expect([page.results.length, page.nextCursor]).toEqual([1, null]);
    expect(await pageOf({ after: '1' })).toEqual({ results: [], nextCursor: null });
  });

  it.each([
    ['the middle of the SS58 address', ({ substrateAddress }: SignedIn) => substrateAddress.slice(10, 30)],
    ['the Ethereum address in lower case', ({ wallet }: SignedIn) => wallet.address],
    ['the Ethereum address in upper case', ({ wallet }: SignedIn) => wallet.address.slice(2).toUpperCase()],
  ])('is searched by %s', async (_, search) => {
    expect(await idsOf({ search: search(one) })).toEqual([one.userId]);
  });

  it('is searched by a text, not by a pattern', async () => {
    const { substrateAddress } = one;
    for (const pattern of ['%', '_', String.raw`\_`])
      expect(
        await idsOf({ search: `${substrateAddress.slice(0, 20)}${pattern}${substrateAddress.slice(21)}` }),
      ).toEqual([]);
    expect(await idsOf({ search: randomUUID() })).toEqual([]);
  });

  it('is filtered by a granted role, together with a search', async () => {
    const search = other.substrateAddress;
    expect(await idsOf({ search, role: 'VALIDATOR' })).toEqual([other.userId]);
    expect(await idsOf({ search, role: 'BETA' })).toEqual([]);
    const { results } = await pageOf({ role: 'VALIDATOR' });
    expect(results.every(({ roles }: Json) => roles.includes('VALIDATOR'))).toBe(true);
  });

  it('is read by services with the role ADMIN', async () => {
    const variables = { search: one.substrateAddress };
    const { data } = await graphql(LIST, { token: await serviceToken('ADMIN'), variables });
    expect(data.users.results).toHaveLength(1);
  });

  it.each([
    { first: 0 },
    { after: 'x' },
    { after: '' },
    { after: '9999999999' },
    { search: 'ab' },
    { search: 'a-b-c' },
    { search: 'abc'.repeat(100) },
  ])('refuses %j', async (variables) => {
    expect(codeOf(await graphql(LIST, { token: ADMIN_TOKEN, variables }))).toBe('BAD_REQUEST');
  });
});
