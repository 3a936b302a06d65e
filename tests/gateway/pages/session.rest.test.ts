import { describe, expect, it } from '@jest/globals';
import { beginBrowserSession, browserCall, statusWith, type BrowserSession } from '../../kit/accounts/session.js';
import { call, codeOf, graphql, platform } from '../../kit/platform.js';
import { cookieOf } from '../../kit/accounts/social.js';
import { signIn } from '../../kit/accounts/wallet.js';

const refresh = ({ cookie }: Pick<BrowserSession, 'cookie'>) =>
  browserCall('POST /dashboard/session/refresh', { cookie });
const REPLACE = { body: { replaces_token: true } };

describe('the session of a browser', () => {
  it('gives scripts an access token, and keeps the refresh token in a cookie that they cannot read', async () => {
    const { reply, user } = await beginBrowserSession();
    expect(reply.body).toEqual({ access_token: expect.stringMatching(/^eyJ/), expires_in: 900 });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('set-cookie')).toMatch(
      /^archipelago-session=eyJ[^;]+; Path=\/dashboard\/session; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await statusWith(reply.body.access_token)).toBe(200);
    expect(await statusWith(user.token)).toBe(200);
  });

  it('goes on by the cookie, and twice at once within the grace', async () => {
    const begun = await beginBrowserSession();
    const replies = await Promise.all([refresh(begun), refresh(begun)]);
    expect(new Set(replies.map(cookieOf)).size).toBe(1);
    const [next] = replies.map(cookieOf);
    expect(next).not.toBe(begun.cookie);
    expect(await statusWith((await refresh({ cookie: next ?? '' })).body.access_token)).toBe(200);
  });

  it('takes the place of the token that a sign-in got, which is revoked', async () => {
    const { reply, user } = await beginBrowserSession(REPLACE);
    expect(await statusWith(user.token)).toBe(401);
    expect(await statusWith(reply.body.access_token)).toBe(200);
  });

  it('takes the place of an API token only', async () => {
    const { reply } = await beginBrowserSession();
    const again = await browserCall('POST /dashboard/session', { ...REPLACE, token: reply.body.access_token });
    expect(again.status).toBe(400);
    expect(await statusWith(reply.body.access_token)).toBe(200);
  });

  it('ends with the token that began it, when it does not take its place', async () => {
    const begun = await beginBrowserSession();
    const { token } = begun.user;
    const { data } = await graphql('{ tokens { id isCurrent } }', { token });
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id: data.tokens[0].id } });
    const { status, headers } = await refresh(begun);
    expect([status, headers.get('set-cookie')]).toEqual([
      401,
      expect.stringMatching(/^archipelago-session=; .*Max-Age=0/),
    ]);
  });

  it('ends when its browser signs out, and the cookie is cleared', async () => {
    const { cookie, reply } = await beginBrowserSession();
    const ended = await browserCall('DELETE /dashboard/session', { cookie });
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect(await statusWith(reply.body.access_token)).toBe(401);
    expect((await refresh({ cookie })).status).toBe(401);
  });

  it('is told apart from others by the program, and by a name of its own', async () => {
    const { reply } = await beginBrowserSession({ headers: { 'user-agent': `Mozilla/5.0 ${'x'.repeat(400)}` } });
    const token = reply.body.access_token;
    const list = async () => (await graphql('{ sessions { id userAgent label } }', { token })).data.sessions;
    const [{ id, ...session }] = await list();
    expect(session).toEqual({ userAgent: `Mozilla/5.0 ${'x'.repeat(288)}`, label: null });
    expect(await label(id, ' laptop ', token)).toEqual({ data: { labelSession: true } });
    expect((await list())[0].label).toBe('laptop');
    for (const none of [null, undefined]) {
      await label(id, 'laptop', token);
      expect(await label(id, none, token)).toEqual({ data: { labelSession: true } });
      expect((await list())[0].label).toBe(null);
    }
    for (const bad of ['', ' ', 'x'.repeat(101)]) expect(codeOf(await label(id, bad, token))).toBe('BAD_REQUEST');
    const other = await signIn();
    expect(codeOf(await label(id, 'mine', other.token))).toBe('NOT_FOUND');
    expect(codeOf(await label('no-such-id', 'mine', token))).toBe('NOT_FOUND');
  });
});

const label = (id: string, text: string | null | undefined, token: string) =>
  graphql('mutation ($id: String!, $label: String) { labelSession(id: $id, label: $label) }', {
    token,
    variables: { id, label: text },
  });

describe('a request for the session of a browser is refused', () => {
  it.each([
    ['without the header', { 'x-requested-with': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['from another origin by an older browser', { origin: 'https://elsewhere.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('with 403 when it is sent %s', async (_, headers) => {
    const { cookie, user } = await beginBrowserSession();
    for (const target of ['POST /dashboard/session', 'POST /dashboard/session/refresh', 'DELETE /dashboard/session'])
      expect((await browserCall(target, { cookie, token: user.token, headers })).status).toBe(403);
    expect((await refresh({ cookie })).status).toBe(200);
  });

  it('unless it comes from the pages of the platform', async () => {
    const begun = await beginBrowserSession();
    const { origin } = new URL(platform().url);
    expect((await browserCall('POST /dashboard/session/refresh', { ...begun, headers: { origin } })).status).toBe(200);
  });

  it('to other sites that would send the cookie: their preflight allows no credentials', async () => {
    const { headers } = await call('OPTIONS /dashboard/session/refresh', {
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-credentials')).toBe(null);
  });

  it.each([
    [{ replaces_token: 'yes' }, '`replaces_token` must be true or false.'],
    [[true], 'The body must be an object.'],
    [null, 'The body must be an object.'],
    ['x', 'The body must be an object.'],
  ])('with 400 and a sentence when its body is %j', async (body, error) => {
    const { user } = await beginBrowserSession();
    const reply = await browserCall('POST /dashboard/session', { token: user.token, body });
    expect([reply.status, reply.body]).toEqual([400, { error }]);
  });

  it.each([
    ['POST /dashboard/session', 401],
    ['POST /dashboard/session/refresh', 401],
    ['DELETE /dashboard/session', 204],
  ])('%s without a token or a cookie is answered %i', async (target, status) => {
    expect((await browserCall(target)).status).toBe(status);
  });
});
