import { beforeEach, describe, expect, it } from '@jest/globals';
import { beginSession } from '../../../kit/accounts/session.js';
import { serviceToken, setRoles, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';
import { call, codeOf, graphql, type Json } from '../../../kit/platform.js';

const CREATE =
  'mutation ($name: String!, $days: Int! = 90) { createToken(name: $name, days: $days) { id name token expiresAt } }';
const DAY_MS = 86_400_000;

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const answerTo = (variables: Json, token = user.token): Promise<Json> => graphql(CREATE, { token, variables });
const create = async (name = 'CI', token = user.token): Promise<Json> =>
  (await answerTo({ name }, token)).data.createToken;
const tokensOf = async (token: string): Promise<Json[]> =>
  (await graphql('{ tokens { id name createdAt expiresAt isCurrent } }', { token })).data.tokens;
const revoke = (id: string, token = user.token): Promise<Json> =>
  graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id } });
const statusOf = async (token: string): Promise<number> =>
  (await call('GET /api/billing/credits/balance/', { token })).status;

describe('createToken', () => {
  it('creates a token that REST takes and that is listed by its name', async () => {
    const { id, token, expiresAt } = await create('  my CI ');
    const [listed] = await tokensOf(token);
    expect({ status: await statusOf(token), listed }).toEqual({
      status: 200,
      listed: { id, name: 'my CI', createdAt: expect.any(String), expiresAt, isCurrent: true },
    });
  });

  it('creates a token for ninety days', async () => {
    const { data } = await graphql('mutation { createToken(name: "CI") { id expiresAt } }', { token: user.token });
    const created = (await tokensOf(user.token)).find(({ id }) => id === data.createToken.id);
    expect(Date.parse(data.createToken.expiresAt) - Date.parse(created.createdAt)).toBe(90 * DAY_MS);
  });

  it('creates a token that stays when the token and the session that created it end', async () => {
    const session = await beginSession(user);
    const bySession = await create('by a session', session.access);
    const byToken = await create('by a token', bySession.token);
    const others = (await tokensOf(byToken.token)).filter(({ isCurrent }) => !isCurrent);
    for (const { id } of others) await revoke(id, byToken.token);
    const ended = [await statusOf(user.token), await statusOf(session.access), await statusOf(bySession.token)];
    expect({ ended, created: await statusOf(byToken.token) }).toEqual({ ended: [401, 401, 401], created: 200 });
  });

  it('creates a token that is revoked as others are, with its sessions', async () => {
    const { id, token } = await create();
    const session = await beginSession({ ...user, token });
    await revoke(id);
    expect([await statusOf(token), await statusOf(session.access)]).toEqual([401, 401]);
    expect((await tokensOf(user.token)).map((listed) => listed.id)).not.toContain(id);
  });

  it('creates a token with the present roles of its user', async () => {
    const { token } = await create();
    await setRoles(user.substrateAddress, ['BETA']);
    expect((await graphql('{ me { roles } }', { token })).data.me.roles).toEqual(['BETA']);
  });

  it('creates a token that other users neither see nor revoke', async () => {
    const { id, token } = await create();
    const other = await signIn();
    expect((await tokensOf(other.token)).map((listed) => listed.id)).not.toContain(id);
    expect(codeOf(await revoke(id, other.token))).toBe('NOT_FOUND');
    expect(await statusOf(token)).toBe(200);
  });

  it('is in the audit log with the id of the token, and without its text', async () => {
    const { id, token } = await create('audited');
    const query =
      '{ me { log: accountsAuditLog(first: 1) { results { mutation argumentIds { value } resultIds { name value } } } } }';
    const { results } = (await graphql(query, { token: user.token })).data.me.log;
    expect(results).toEqual([{ mutation: 'createToken', argumentIds: [], resultIds: [{ name: 'id', value: id }] }]);
    expect(JSON.stringify(results)).not.toContain(token);
  });
});

describe('createToken refuses', () => {
  it.each(['', '  ', 'a\nb', 'a\u0000', 'a'.repeat(101)])('the name %j', async (name) => {
    expect(codeOf(await answerTo({ name }))).toBe('BAD_REQUEST');
  });

  it.each([-1, 0, 366])('a life of %i days', async (days) => {
    expect(codeOf(await answerTo({ name: 'CI', days }))).toBe('BAD_REQUEST');
  });

  it('nothing at the limits of both', async () => {
    for (const days of [1, 365]) expect(await answerTo({ name: 'a'.repeat(100), days })).not.toHaveProperty('errors');
  });

  it('callers without a token as UNAUTHENTICATED, services as FORBIDDEN', async () => {
    const anonymous = await graphql(CREATE, { variables: { name: 'CI' } });
    const service = await answerTo({ name: 'CI' }, await serviceToken('ADMIN'));
    expect([codeOf(anonymous), codeOf(service)]).toEqual(['UNAUTHENTICATED', 'FORBIDDEN']);
  });

  it('more than thirty a minute of one user', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => answerTo({ name: 'CI' })));
    const { errors } = await answerTo({ name: 'CI' });
    expect(answers.filter((answer) => answer.errors)).toEqual([]);
    expect(errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
    expect(await answerTo({ name: 'CI' }, (await signIn()).token)).not.toHaveProperty('errors');
  });
});
