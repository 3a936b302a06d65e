import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from '@jest/globals';
import { codeOf, graphql, platform, type Json, type Reply } from '../../kit/platform.js';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import {
  beginSession,
  beginSessionFrom,
  partOf,
  refresh,
  revokeSession,
  sessionsOf,
  statusWith,
} from '../../kit/accounts/session.js';
import { serviceToken, setRoles, signIn } from '../../kit/accounts/wallet.js';

const refreshed = ({ body }: Reply): string => body.refresh_token;

describe('POST /auth/token/refresh/', () => {
  it('answers a new pair of the same shape', async () => {
    const pair = await beginSession();
    const { status, body } = await refresh(pair.refresh);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        refresh_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_in: 900,
        token_type: 'Bearer',
        role: 'user',
        scope: 'platform',
      },
    });
    expect(body.refresh_token).not.toBe(pair.refresh);
  });

  it('goes on and on', async () => {
    const pair = await beginSession();
    const third = await refresh(refreshed(await refresh(pair.refresh)));
    expect(await statusWith(third.body.access_token)).toBe(200);
  });

  it('tells a lost answer again within the grace', async () => {
    const pair = await beginSession();
    const [first, again] = [await refresh(pair.refresh), await refresh(pair.refresh)];
    expect(refreshed(again)).toBe(refreshed(first));
  });

  it('has exactly one successor for twenty refreshes at once', async () => {
    const pair = await beginSession();
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(pair.refresh)));
    expect({
      statuses: new Set(replies.map(({ status }) => status)),
      successors: new Set(replies.map(refreshed)).size,
    }).toEqual({ statuses: new Set([200]), successors: 1 });
  });

  it('stays with the user whose session it is, whoever sends it', async () => {
    const pair = await beginSession();
    const { body } = await refresh(pair.refresh);
    expect(partOf(body.access_token).sub).toBe(String(pair.user.userId));
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', {}],
    ['with U+0000', 'a\0b'],
  ])('refuses with 400 a token that is %s', async (_, token) => {
    const { status, body } = await refresh(token);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });

  it.each([
    ['empty', () => ''],
    ['unknown', () => `arcr_${'A'.repeat(43)}`],
    ['overlong', () => 'x'.repeat(100_000)],
    ['an API token', async () => (await signIn()).token],
    ['an access token', async () => (await beginSession()).access],
  ])('refuses with 401 a token that is %s', async (_, tokenOf) => {
    const { status, body } = await refresh(await tokenOf());
    expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } });
  });
});

describe('a refresh token', () => {
  it('is a JWT by our key that names what it is for and when it ends', async () => {
    const { refresh: token, user } = await beginSession();
    const keys = createRemoteJWKSet(new URL(`${platform().url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { algorithms: ['EdDSA'] });
    const { exp = 0, iat = 0, ...claims } = payload;
    expect({ header: protectedHeader, claims, days: (exp - iat) / 86_400 }).toEqual({
      header: { alg: 'EdDSA', kid: expect.any(String), typ: 'refresh+jwt' },
      claims: {
        iss: expect.stringMatching(/^http:/),
        aud: expect.stringMatching(/\/api\/auth\/token\/refresh\/$/),
        sub: String(user.userId),
        jti: expect.stringMatching(/^[\w-]{43}$/),
      },
      days: 30,
    });
  });

  it('is no token to ask with', async () => {
    expect(await statusWith((await beginSession()).refresh)).toBe(401);
  });
});

describe('sessions', () => {
  it('are listed for their user, the one at hand marked', async () => {
    const { access } = await beginSession();
    expect(await sessionsOf(access)).toMatchObject([
      {
        id: partOf(access).sid,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        isCurrent: true,
      },
    ]);
  });

  it('mark the token and the session that they began with, as they end with them', async () => {
    const parent = await beginSession();
    const child = await beginSessionFrom(parent);
    const { token } = await signIn(parent.user.wallet);
    const marked = async (asked: string) => {
      const { data } = await graphql('{ tokens { isCurrent } sessions { isCurrent } }', { token: asked });
      return [...data.tokens, ...data.sessions].map(({ isCurrent }: Json) => isCurrent);
    };
    // Newest first: the other token and the first; the child and its parent.
    expect(await marked(child.access)).toEqual([false, true, true, true]);
    expect(await marked(parent.access)).toEqual([false, true, false, true]);
    expect(await marked(parent.user.token)).toEqual([false, true, false, false]);
    expect(await marked(token)).toEqual([true, false, false, false]);
  });

  it('tell when and from where they were last used', async () => {
    const { access, user } = await beginSession();
    await statusWith(access);
    let session = (await sessionsOf(user.token))[0];
    while (!session.lastUsedAt) session = (await sessionsOf(user.token))[0];
    expect(session).toMatchObject({ lastAddress: expect.stringMatching(/127\.0\.0\.1|::1/), isCurrent: false });
  });

  it('end when they are revoked, the access token with them', async () => {
    const { access, user, refresh: token } = await beginSession();
    await revokeSession(partOf(access).sid, user.token);
    expect([await statusWith(access), (await refresh(token)).status, await sessionsOf(user.token)]).toEqual([
      401,
      401,
      [],
    ]);
  });

  it('may be revoked twice', async () => {
    const { access, user } = await beginSession();
    await revokeSession(partOf(access).sid, user.token);
    expect(await revokeSession(partOf(access).sid, user.token)).toEqual({ data: { revokeSession: true } });
  });

  it('may be revoked by an administrator', async () => {
    const { access } = await beginSession();
    await revokeSession(partOf(access).sid, ADMIN_TOKEN);
    expect(await statusWith(access)).toBe(401);
  });

  it.each(['ADMIN', 'SUPERUSER'])('of a user with the role %s end by a superuser alone', async (role) => {
    const [theirs, administrator] = [await beginSession(), await serviceToken('ADMIN')];
    await setRoles(theirs.user.substrateAddress, [role]);
    const refused = await revokeSession(partOf(theirs.access).sid, administrator);
    expect([codeOf(refused), await statusWith(theirs.access)]).toEqual(['FORBIDDEN', 200]);
    await revokeSession(partOf(theirs.access).sid, ADMIN_TOKEN);
    expect(await statusWith(theirs.access)).toBe(401);
  });

  it('of another user are unknown and stay', async () => {
    const [mine, theirs] = [await beginSession(), await beginSession()];
    const answer = await revokeSession(partOf(theirs.access).sid, mine.access);
    expect([codeOf(answer), await statusWith(theirs.access)]).toEqual(['NOT_FOUND', 200]);
  });

  it.each(['', 'abc', "' OR 1=1 --", '00000000-0000-4000-8000-000000000000'])(
    'of the id %j are unknown',
    async (id) => {
      expect(codeOf(await revokeSession(id, (await beginSession()).access))).toBe('NOT_FOUND');
    },
  );

  it('are refused as UNAUTHENTICATED to anonymous', async () => {
    expect(codeOf(await graphql('{ sessions { id } }'))).toBe('UNAUTHENTICATED');
  });
});
