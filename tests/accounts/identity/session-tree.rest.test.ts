import { describe, expect, it } from '@jest/globals';
import { asAdmin, call, graphql, type Json } from '../../kit/platform.js';
import {
  beginSession,
  beginSessionFrom,
  partOf,
  refresh,
  revokeSession,
  sessionsOf,
  statusWith,
} from '../../kit/accounts/session.js';
import { signIn } from '../../kit/accounts/wallet.js';

/** A session, one begun from it, and one begun from that. */
async function threeGenerations() {
  const first = await beginSession();
  const second = await beginSessionFrom(first);
  return { user: first.user, first, second, third: await beginSessionFrom(second) };
}

const sid = (access: string): string => partOf(access).sid;

describe('a session that was begun from another', () => {
  it('ends with it when it is revoked, and so on down', async () => {
    const { user, first, second, third } = await threeGenerations();
    await revokeSession(sid(first.access), user.token);
    const statuses = await Promise.all([first, second, third].map(({ access }) => statusWith(access)));
    const refreshed = [(await refresh(second.refresh)).status, (await refresh(third.refresh)).status];
    expect([statuses, refreshed, await sessionsOf(user.token)]).toEqual([[401, 401, 401], [401, 401], []]);
  });

  it('ends alone when it is revoked itself', async () => {
    const { user, first, second, third } = await threeGenerations();
    await revokeSession(sid(second.access), user.token);
    const statuses = await Promise.all([first, second, third].map(({ access }) => statusWith(access)));
    expect(statuses).toEqual([200, 401, 401]);
  });

  it('ends with the API token that the first was begun with', async () => {
    const { user, third } = await threeGenerations();
    const { data } = await graphql('{ tokens { id } }', { token: user.token });
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', {
      token: user.token,
      variables: { id: data.tokens[0].id },
    });
    expect(await statusWith(third.access)).toBe(401);
  });

  it('does not outlive a revocation that comes while it is begun', async () => {
    const first = await beginSession();
    const begun = await Promise.all([
      ...Array.from({ length: 10 }, () => call('GET /api/auth/token/', { token: first.access })),
      revokeSession(sid(first.access), first.user.token),
    ]);
    const pairs: Json[] = begun.filter(({ status }) => status === 200).map(({ body }) => body);
    const statuses = await Promise.all(pairs.map(({ access_token }) => statusWith(access_token)));
    expect([statuses.filter((status) => status !== 401), await sessionsOf(first.user.token)]).toEqual([[], []]);
  });

  it('does not outlive a revoked API token while it is begun', async () => {
    const user = await signIn();
    const { data } = await graphql('{ tokens { id } }', { token: user.token });
    const revoke = asAdmin('mutation ($id: String!) { revokeToken(id: $id) }', { id: data.tokens[0].id });
    const begun = await Promise.all(
      Array.from({ length: 10 }, () => call('GET /api/auth/token/', { token: user.token })),
    );
    await revoke;
    const pairs: Json[] = begun.filter(({ status }) => status === 200).map(({ body }) => body);
    const statuses = await Promise.all(pairs.map(({ access_token }) => statusWith(access_token)));
    expect(statuses.filter((status) => status !== 401)).toEqual([]);
  });
});
