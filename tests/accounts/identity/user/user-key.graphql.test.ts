import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { asAdmin, codeOf, graphql } from '../../../kit/platform.js';
import { codeFor, exchange } from '../../../kit/accounts/social.js';
import { signIn } from '../../../kit/accounts/wallet.js';

/** The operations of administrators that name a user. */
const OPERATIONS = {
  adminSetRoles: (key: string) => `mutation { adminSetRoles(${key} roles: [BETA]) { id roles } }`,
  adminGrantCredits: (key: string) => `mutation { adminGrantCredits(${key} credits: "3", reason: "x") { balance } }`,
  adminNotify: (key: string) => `mutation { adminNotify(${key} kind: account, title: "a", text: "b") }`,
  user: (key: string) => `{ user(${key}) { id substrateAddress } }`,
} as const;

/** A user of a social sign-in, who has no SS58 address. */
let user: { readonly id: number; readonly token: string };
beforeAll(async () => {
  const { body } = await exchange({ code: await codeFor(randomUUID()) });
  user = { id: body.user.id, token: body.token };
});

describe('an administrator', () => {
  it('finds a user without an SS58 address by its id', async () => {
    expect(await asAdmin(OPERATIONS.user(`userId: ${user.id}`))).toEqual({
      user: { id: user.id, substrateAddress: null },
    });
  });

  it('sets the roles of a user without an SS58 address', async () => {
    const answer = await asAdmin(OPERATIONS.adminSetRoles(`userId: ${user.id}`));
    expect(answer).toEqual({ adminSetRoles: { id: user.id, roles: ['BETA'] } });
  });

  it('grants credits to a user without an SS58 address', async () => {
    const answer = await asAdmin(OPERATIONS.adminGrantCredits(`userId: ${user.id}`));
    expect(answer).toEqual({ adminGrantCredits: { balance: '3' } });
  });

  it('notifies a user without an SS58 address', async () => {
    await asAdmin(OPERATIONS.adminNotify(`userId: ${user.id}`));
    const { data } = await graphql('{ notifications { results { title text } } }', { token: user.token });
    expect(data.notifications.results).toContainEqual({ title: 'a', text: 'b' });
  });
});

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  const codeFrom = async (key: string) => codeOf(await graphql(operation(key), { token: ADMIN_TOKEN }));

  it('refuses a user who is named twice, or not at all', async () => {
    const { userId, substrateAddress } = await signIn();
    const codes = [
      await codeFrom(`userId: ${userId}, substrateAddress: "${substrateAddress}"`),
      await codeFrom('userId: null'),
    ];
    expect(codes).toEqual(['BAD_REQUEST', 'BAD_REQUEST']);
  });

  it('refuses the id of nobody', async () => {
    expect(await codeFrom(`userId: ${2 ** 31 - 1}`)).toBe('NOT_FOUND');
  });
});
