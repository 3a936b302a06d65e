import { describe, expect, it } from '@jest/globals';
import {
  atIssuer,
  begin,
  codeFor,
  comeBack,
  CONSOLE,
  cookieOf,
  exchange,
  handover,
  walk,
} from '../../kit/accounts/social.js';

describe('GET /accounts/{provider}/login/', () => {
  it('sends the browser to the issuer with PKCE, state and nonce', async () => {
    const { status, headers } = await begin();
    const { searchParams } = new URL(headers.get('location') ?? '');
    expect({ status, ...Object.fromEntries(searchParams) }).toMatchObject({
      status: 302,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email profile',
    });
  });

  it('leaves a cookie that scripts and other sites cannot send', async () => {
    const { headers } = await begin();
    expect(headers.get('set-cookie')).toMatch(
      /^archipelago-login=[\w-]{43}; Path=\/accounts\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('keeps the cookie of a browser that signs in in two windows', async () => {
    const cookie = cookieOf(await begin());
    expect(cookieOf(await begin(undefined, { cookie }))).toBe(cookie);
  });

  it('refuses an unknown provider with 404', async () => {
    const { status, body } = await begin(undefined, { provider: 'nobody' });
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });

  it.each(['silent', 'gone'])('answers 503 in time when the issuer is %s', async (provider) => {
    const { status, body } = await begin(undefined, { provider });
    expect({ status, body }).toEqual({ status: 503, body: { error: expect.any(String) } });
  });
});

describe('the address to return to', () => {
  it.each([
    ['a registered page by way of /get-token/', () => handover(CONSOLE)],
    ['a registered page', () => CONSOLE],
    ['a registered scheme of an app', () => 'hippiusapp://auth/callback?source=desktop'],
    ['an exact registered address', () => 'https://exact.example/done'],
    ['the command line on any port', () => handover('http://127.0.0.1:50123/callback?state=x')],
    ['a page of ours', () => '/welcome'],
    ['/get-token/ without its slash', () => handover(CONSOLE).replace('token/', 'token')],
  ])('may be %s', async (_, next) => {
    expect((await begin(next())).status).toBe(302);
  });

  it.each([
    ['another site', 'https://evil.example/'],
    ['another site by way of /get-token/', handover('https://evil.example/')],
    ['a host that begins like a registered one', 'https://console.example.evil.example/auth/callback'],
    ['a registered host with another port', 'https://console.example:444/auth/callback'],
    ['another page of this computer', 'http://127.0.0.1:50123/other?state=x'],
    ['a name of this computer', 'http://localhost:50123/callback?state=x'],
    ['a registered host by http', 'http://console.example/auth/callback'],
    ['a registered host with another path', 'https://console.example/auth/other'],
    ['a path that climbs out', 'https://console.example/auth/callback/../../other'],
    ['an address with credentials', 'https://console.example@evil.example/auth/callback'],
    ['credentials before a registered host', 'https://me:you@console.example/auth/callback'],
    ['two slashes', '//evil.example/auth/callback'],
    ['backslashes', '/\\evil.example/'],
    ['a line break', 'https://exact.example/done\n'],
    ['more than an exact address', 'https://exact.example/done?x=1'],
    ['a script', 'javascript:alert(1)'],
    ['another app', 'otherapp://auth/callback'],
    ['empty', ''],
    ['/get-token/ without a callback', '/get-token/'],
    ['/get-token/ within /get-token/', handover(handover('https://evil.example/'))],
    [
      '/get-token/ within /get-token/, not encoded',
      '/get-token/?callback_url=/get-token/?callback_url=https://evil.example/',
    ],
    ['/get-token/ within /get-token/, for a registered page', handover(handover(CONSOLE))],
    ['/get-token/ within itself without its slash', handover('/get-token?callback_url=https://evil.example/')],
    [
      '/get-token/ within itself in other letters',
      handover('/./x/../Get%2Dtoken//?callback_url=https://evil.example/'),
    ],
    ['overlong', `https://console.example/auth/callback?${'x'.repeat(2100)}`],
    ['with U+0000', 'https://console.example/auth/callback?\0'],
  ])('is refused with 400 when it is %s', async (_, next) => {
    const { status, headers, body } = await begin(next);
    expect({ status, location: headers.get('location'), body }).toEqual({
      status: 400,
      location: null,
      body: { error: expect.any(String) },
    });
  });
});

describe('a social sign-in', () => {
  it('returns to the callback with its own query untouched and a code', async () => {
    const { href } = await walk({ account: 'ada' });
    expect(href).toMatch(/^https:\/\/console\.example\/auth\/callback\?source=desktop&state=6f1c&code=[\w-]{43}$/);
  });

  it('returns to an app by its own scheme', async () => {
    const { href } = await walk({ account: 'ada' }, handover('hippiusapp://auth/callback'));
    expect(href).toMatch(/^hippiusapp:\/\/auth\/callback\?code=[\w-]{43}$/);
  });

  it('works with a provider that sends e-mail addresses in a form only, without an address', async () => {
    const { searchParams } = await walk({ account: 'eve' }, undefined, 'apple');
    const { status, body } = await exchange({ code: searchParams.get('code') });
    expect({ status, email: body.user.email }).toEqual({ status: 200, email: '' });
  });

  it("brings the provider's refusal back as error and error_description", async () => {
    const { searchParams } = await walk({ error: 'access_denied' });
    expect(Object.fromEntries(searchParams)).toEqual({
      source: 'desktop',
      state: '6f1c',
      error: 'access_denied',
      error_description: 'The user said no.',
    });
  });

  it('makes the user at the first time and finds it again', async () => {
    const [first, second] = [
      await exchange({ code: await codeFor('grace') }),
      await exchange({ code: await codeFor('grace') }),
    ];
    expect(second.body.user).toEqual(first.body.user);
  });

  it('makes one user of two first sign-ins at once', async () => {
    const codes = await Promise.all([codeFor('twice-at-once'), codeFor('twice-at-once')]);
    const replies = await Promise.all(codes.map((code) => exchange({ code })));
    expect(replies[0]?.body.user).toEqual(replies[1]?.body.user);
  });

  it('knows the e-mail address only where the provider has verified it', async () => {
    const known = await exchange({ code: await codeFor('verified') });
    const unknown = await exchange({ code: await codeFor('unverified') });
    const asText = await exchange({ code: await codeFor('text-verified') });
    const emails = [known, unknown, asText].map(({ body }) => body.user.email);
    expect(emails).toEqual(['verified@mail.example', '', 'text-verified@mail.example']);
  });
});

describe('the end of a social sign-in', () => {
  it.each([
    ['without the cookie', undefined],
    ['with the cookie of another browser', `archipelago-login=${'A'.repeat(43)}`],
  ])('is refused with 400 %s', async (_, cookie) => {
    const path = await atIssuer(await begin(), { account: 'victim' });
    const { status, headers } = await comeBack(path, cookie);
    expect({ status, location: headers.get('location') }).toEqual({ status: 400, location: null });
  });

  it('does not take the cookie out of the address', async () => {
    const begun = await begin();
    const path = await atIssuer(begun, { account: 'victim' });
    const { status } = await comeBack(`${path}&browser=${cookieOf(begun).split('=')[1]}`, undefined);
    expect(status).toBe(400);
  });

  it('still works in the right browser after another one tried', async () => {
    const begun = await begin();
    const path = await atIssuer(begun, { account: 'ada' });
    await comeBack(path, undefined);
    expect((await comeBack(path, cookieOf(begun))).status).toBe(302);
  });

  it('works once', async () => {
    const begun = await begin();
    const path = await atIssuer(begun, { account: 'ada' });
    await comeBack(path, cookieOf(begun));
    expect((await comeBack(path, cookieOf(begun))).status).toBe(400);
  });

  it('with an identity token that is not signed by a published key of the issuer returns an error and no code', async () => {
    const { searchParams } = await walk({ account: 'mallory' }, handover('hippiusapp://auth/callback'), 'forged');
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'server_error', error_description: expect.any(String) });
  });

  it('with a code that the issuer did not give returns an error and no code', async () => {
    const begun = await begin();
    const path = (await atIssuer(begun, { account: 'ada' })).replace(/code=[^&]+/, 'code=forged');
    const { headers } = await comeBack(path, cookieOf(begun));
    const { searchParams } = new URL(headers.get('location') ?? '');
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['server_error', null]);
  });

  it.each(['', '?state=', '?state=unknown&code=x', '?state=a&state=b', '?code=x', '?state=%00'])(
    'with the query %j is refused with 400',
    async (query) => {
      expect((await comeBack(`/accounts/test/callback/${query}`, cookieOf(await begin()))).status).toBe(400);
    },
  );
});

describe.each(['/api/auth/exchange/', '/api/auth/exchange', '/auth/exchange/'])('POST %s', (path) => {
  it('trades the code for a token and the documented user', async () => {
    const { status, body } = await exchange({ code: await codeFor('ada'), code_verifier: 'google' }, path);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token: expect.stringMatching(/^\S{40,}$/),
        user: {
          id: expect.any(Number),
          username: expect.stringMatching(/^test-/),
          email: 'ada@mail.example',
          substrate_address: null,
        },
      },
    });
  });
});
