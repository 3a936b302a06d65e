import { beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { serviceToken, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const tokensOf = async ({ token }: SignedIn): Promise<Json[]> =>
  (await graphql('{ tokens { id name createdAt expiresAt lastUsedAt lastAddress isCurrent } }', { token })).data.tokens;
const revoke = (id: string, token: string): Promise<Json> =>
  graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id } });
const statusOf = async (token: string): Promise<number> =>
  (await call('GET /api/infrastructure/vm/images/', { token })).status;

describe('tokens', () => {
  it('lists the tokens of the caller, newest first', async () => {
    await signIn(user.wallet);
    const [newest, oldest, ...others] = await tokensOf(user);
    expect({ inOrder: newest.createdAt >= oldest.createdAt, others }).toEqual({ inOrder: true, others: [] });
  });

  it('live thirty days', async () => {
    const [{ createdAt, expiresAt }] = await tokensOf(user);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
  });

  it('mark the token of the request', async () => {
    const again = await signIn(user.wallet);
    expect((await tokensOf(again)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  it('show when and from where they were last used', async () => {
    await statusOf(user.token);
    let [token] = await tokensOf(user);
    while (!token.lastUsedAt) [token] = await tokensOf(user);
    expect({ ...token, isRecent: Date.now() - Date.parse(token.lastUsedAt) < 30_000 }).toMatchObject({
      lastAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      isRecent: true,
    });
  });

  it('record their last use at most once a minute', async () => {
    let [first] = await tokensOf(user);
    while (!first.lastUsedAt) [first] = await tokensOf(user);
    for (let times = 0; times < 5; times += 1) await statusOf(user.token);
    expect((await tokensOf(user))[0].lastUsedAt).toBe(first.lastUsedAt);
  });

  it('never shows the token itself', async () => {
    const answer = await graphql('{ tokens { token } }', { token: user.token });
    expect(codeOf(answer)).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('refuses anonymous callers as UNAUTHENTICATED', async () => {
    expect(codeOf(await graphql('{ tokens { id } }'))).toBe('UNAUTHENTICATED');
  });
});

describe('revokeToken', () => {
  it.each([
    ['its id', (id: string) => id],
    ['its id in upper case', (id: string) => id.toUpperCase()],
  ])('ends the token by %s', async (_, written) => {
    const [{ id }] = await tokensOf(user);
    await revoke(written(id), user.token);
    expect(await statusOf(user.token)).toBe(401);
  });

  it('leaves the other tokens of the user alone', async () => {
    const [{ id }] = await tokensOf(user);
    const again = await signIn(user.wallet);
    await revoke(id, again.token);
    expect(await statusOf(again.token)).toBe(200);
  });

  it('takes the token off the list', async () => {
    const [{ id }] = await tokensOf(user);
    const again = await signIn(user.wallet);
    await revoke(id, again.token);
    expect((await tokensOf(again)).map((token) => token.id)).not.toContain(id);
  });

  it('succeeds when it is repeated', async () => {
    const [{ id }] = await tokensOf(user);
    const again = await signIn(user.wallet);
    await revoke(id, again.token);
    expect(await revoke(id, again.token)).toEqual({ data: { revokeToken: true } });
  });
});

describe('revokeToken of a token that the caller does not own', () => {
  it("answers for another user's token exactly as for one that does not exist", async () => {
    const other = await signIn();
    const [{ id }] = await tokensOf(other);
    const foreign = await revoke(id, user.token);
    const none = await revoke('00000000-0000-4000-8000-000000000000', user.token);
    expect({ code: codeOf(foreign), answer: foreign }).toEqual({ code: 'NOT_FOUND', answer: none });
  });

  it("leaves another user's token alone", async () => {
    const other = await signIn();
    const [{ id }] = await tokensOf(other);
    await revoke(id, user.token);
    expect(await statusOf(other.token)).toBe(200);
  });

  it.each(['', 'abc', '1', '00000000-0000-4000-8000-00000000000', "' OR 1=1 --"])(
    'answers NOT_FOUND for the id %j',
    async (id) => {
      expect(codeOf(await revoke(id, user.token))).toBe('NOT_FOUND');
    },
  );

  it('refuses an id with U+0000', async () => {
    expect(['BAD_REQUEST', 'NOT_FOUND']).toContain(codeOf(await revoke('a\0b', user.token)));
  });

  it('by an administrator ends the token of any user', async () => {
    const [{ id }] = await tokensOf(user);
    await revoke(id, ADMIN_TOKEN);
    expect(await statusOf(user.token)).toBe(401);
  });

  it('by an administrator ends a service token', async () => {
    const { adminCreateServiceToken: issued } = await asAdmin(
      'mutation { adminCreateServiceToken(name: "x", roles: []) { id token } }',
    );
    await revoke(issued.id, ADMIN_TOKEN);
    expect(await statusOf(issued.token)).toBe(401);
  });

  it('refuses anonymous callers as UNAUTHENTICATED', async () => {
    expect(codeOf(await graphql('mutation { revokeToken(id: "x") }'))).toBe('UNAUTHENTICATED');
  });

  it('by an administrator who is no superuser leaves a superuser’s token alone', async () => {
    await setRoles(user.substrateAddress, ['ADMIN']);
    const { tokens } = (await graphql('{ tokens { id } }', { token: ADMIN_TOKEN })).data;
    const codes = await Promise.all(tokens.map(async ({ id }: Json) => codeOf(await revoke(id, user.token))));
    expect(new Set(codes)).toEqual(new Set(['FORBIDDEN']));
    expect(await statusOf(ADMIN_TOKEN)).toBe(200);
  });

  it('refuses a service without the role ADMIN as FORBIDDEN', async () => {
    expect(codeOf(await revoke('x', await serviceToken('VALIDATOR')))).toBe('FORBIDDEN');
  });
});

describe('serviceTokens', () => {
  it('lists the tokens of services for administrators until they are revoked', async () => {
    const issue = 'mutation { adminCreateServiceToken(name: "listed", roles: [VALIDATOR]) { id } }';
    const { id } = (await asAdmin(issue)).adminCreateServiceToken;
    const listed = async () =>
      (await asAdmin('{ serviceTokens { id name roles createdAt } }')).serviceTokens.find((one: Json) => one.id === id);
    expect(await listed()).toEqual({ id, name: 'listed', roles: ['VALIDATOR'], createdAt: expect.any(String) });
    await revoke(id, ADMIN_TOKEN);
    expect(await listed()).toBeUndefined();
  });

  it('refuses others as FORBIDDEN', async () => {
    expect(codeOf(await graphql('{ serviceTokens { id } }', { token: user.token }))).toBe('FORBIDDEN');
  });
});
