import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, graphql } from '../../kit/platform.js';
import { serviceToken, signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { refusalAt } from '../../kit/rest/rest-checks.js';
import { OPEN, PROTECTED } from '../../kit/rest/rest-routes.js';

describe.each(PROTECTED)('%s', (target) => {
  it('is refused with 401 without a token', async () => {
    const { status, body } = await call(target);
    expect({ status, body }).toEqual({ status: 401, body: refusalAt(target, 'unauthorized') });
  });

  it('is refused with 401 for a token nobody was given', async () => {
    const { status, body } = await call(target, { token: `arch_${'A'.repeat(43)}` });
    expect({ status, body }).toEqual({ status: 401, body: refusalAt(target, 'unauthorized') });
  });

  it('is refused with 401 before its body is read', async () => {
    const { status } = await call(target, target.startsWith('GET') ? {} : { rawBody: '{"broken' });
    expect(status).toBe(401);
  });
});

describe.each(OPEN)('%s', (target) => {
  it('is served without a token', async () => {
    expect([200, 404]).toContain((await call(target)).status);
  });

  it('is refused with 401 for a token nobody was given', async () => {
    const { status, body } = await call(target, { token: `arch_${'A'.repeat(43)}` });
    expect({ status, body }).toEqual({ status: 401, body: refusalAt(target) });
  });
});

const authorized = (authorization: string) => call('GET /api/network/me/', { headers: { authorization } });

describe('an Authorization header', () => {
  let user: SignedIn;
  beforeAll(async () => {
    user = await signInWithNetwork();
  });

  it.each(['Token', 'Bearer', 'ServiceToken'])('of the scheme %s is accepted', async (scheme) => {
    const { status } = await authorized(`${scheme} ${user.token}`);
    expect(status).toBe(200);
  });

  it.each(['Token', 'Bearer', 'ServiceToken'])('of the scheme %s is accepted by folder sync', async (scheme) => {
    const { status } = await call(`GET /list_folders/${user.substrateAddress}`, {
      headers: { authorization: `${scheme} ${user.token}` },
    });
    expect(status).toBe(200);
  });

  it.each([
    ['of another scheme', (token: string) => `Basic ${token}`],
    ['without a scheme', (token: string) => token],
    ['without a token', () => 'Token'],
    ['with two tokens', (token: string) => `Token ${token} ${token}`],
    ['with a token in other letters', (token: string) => `Token ${token.toUpperCase()}`],
    ['with a shortened token', (token: string) => `Token ${token.slice(0, -1)}`],
  ])('%s is refused with 401', async (_, header) => {
    const { status, body } = await authorized(header(user.token));
    expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } });
  });

  it('with the SS58 address in place of the token is refused with 401', async () => {
    const { status, body } = await call(`GET /list_folders/${user.substrateAddress}`, {
      headers: { authorization: `Bearer ${user.substrateAddress}` },
    });
    expect({ status, body }).toEqual({ status: 401, body: refusalAt('GET /list_folders/', 'unauthorized') });
  });

  it('with a service token is accepted as ServiceToken', async () => {
    const token = await serviceToken('VALIDATOR');
    const { status } = await call('GET /api/billing/credits/balance/', {
      headers: { authorization: `ServiceToken ${token}` },
    });
    expect(status).toBe(200);
  });
});

describe('a revoked token', () => {
  let revoked: SignedIn;
  beforeAll(async () => {
    revoked = await signIn();
    const { data } = await graphql('{ tokens { id } }', { token: revoked.token });
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', {
      token: revoked.token,
      variables: { id: data.tokens[0].id },
    });
  });

  it.each(['GET /api/billing/credits/balance/', 'POST /api/network/provision/', 'POST /register_folder'])(
    'is refused with 401 at %s',
    async (target) => {
      const { status, body } = await call(target, { token: revoked.token });
      expect({ status, body }).toEqual({ status: 401, body: refusalAt(target, 'unauthorized') });
    },
  );

  it('is refused as UNAUTHENTICATED at /graphql', async () => {
    const { status, body } = await call('POST /graphql', { token: revoked.token, body: { query: '{ me { id } }' } });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  });

  it('is unknown to verify-token', async () => {
    const { status, body } = await call('POST /api/auth/verify-token/', { body: { token: revoked.token } });
    expect({ status, body }).toEqual({ status: 404, body: { error: expect.any(String) } });
  });
});
