import { createRemoteJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { asAdmin, call, graphql, platform } from '../../kit/platform.js';
import { beginSession, partOf, statusWith, type Pair } from '../../kit/accounts/session.js';
import { serviceToken, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let session: Pair & { readonly user: SignedIn };
beforeAll(async () => {
  session = await beginSession();
});

describe('GET /auth/token/', () => {
  it('answers the documented fields', async () => {
    const { status, body } = await call('GET /api/auth/token/', { token: session.user.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_in: 900,
        token_type: 'Bearer',
        role: 'user',
        scope: 'platform',
      },
    });
  });

  it('names the furthest-reaching role', async () => {
    const user = await signIn();
    await setRoles(user.substrateAddress, ['BETA', 'VALIDATOR']);
    expect((await call('GET /api/auth/token/', { token: user.token })).body.role).toBe('validator');
  });

  it('is refused with 403 to a service', async () => {
    const { status, body } = await call('GET /api/auth/token/', { token: await serviceToken('ADMIN') });
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String) } });
  });

  it('is refused with 401 without a token', async () => {
    expect((await call('GET /api/auth/token/')).status).toBe(401);
  });

  it('is an access token good for', async () => {
    const { status } = await call('GET /api/auth/token/', { token: session.access });
    expect(status).toBe(200);
  });
});

describe('an access token', () => {
  it('has the documented claims', () => {
    const claims = partOf(session.access);
    expect({ ...claims, life: claims.exp - claims.iat }).toMatchObject({
      iss: expect.stringMatching(/^http:/),
      sub: String(session.user.userId),
      jti: expect.any(String),
      roles: [],
      scope: 'platform',
      life: 900,
    });
  });

  it('is checked by the keys at /.well-known/jwks.json', async () => {
    const keys = createRemoteJWKSet(new URL(`${platform().url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(session.access, keys, { algorithms: ['EdDSA'] });
    expect({ sub: payload.sub, alg: protectedHeader.alg, kid: protectedHeader.kid }).toEqual({
      sub: String(session.user.userId),
      alg: 'EdDSA',
      kid: expect.any(String),
    });
  });

  it.each(['Bearer', 'Token'])('is accepted by REST behind %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${session.access}` };
    expect((await call('GET /api/billing/credits/balance/', { headers })).status).toBe(200);
  });

  it('is accepted by folder sync', async () => {
    const headers = { authorization: `Bearer ${session.access}` };
    const { status } = await call(`GET /list_folders/${session.user.substrateAddress}`, { headers });
    expect(status).toBe(200);
  });

  it('is accepted by GraphQL', async () => {
    const { data } = await graphql('{ me { id } }', { token: session.access });
    expect(data.me.id).toBe(session.user.userId);
  });

  it('stands for the roles of now, not those it was issued with', async () => {
    const { user, access } = await beginSession();
    await setRoles(user.substrateAddress, ['ADMIN']);
    const { data } = await graphql('{ referralReward }', { token: access });
    expect(data.referralReward).toEqual(expect.any(String));
  });

  it('ends with the API token that its session was begun with', async () => {
    const { user, access } = await beginSession();
    const { data } = await graphql('{ tokens { id isCurrent } }', { token: user.token });
    const revoke = 'mutation ($id: String!) { revokeToken(id: $id) }';
    await graphql(revoke, { token: user.token, variables: { id: data.tokens[0].id } });
    expect(await statusWith(access)).toBe(401);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('shows public keys and nothing else', async () => {
    const { status, body } = await call('GET /.well-known/jwks.json');
    expect({ status, key: body.keys[0] }).toEqual({
      status: 200,
      key: { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), use: 'sig', alg: 'EdDSA' },
    });
  });
});

describe('a rotated signing key', () => {
  it('signs what is issued from then on', async () => {
    const { adminRotateSigningKey: key } = await asAdmin('mutation { adminRotateSigningKey { kid } }');
    expect(partOf((await beginSession(session.user)).access, 0).kid).toBe(key.kid);
  });

  it('signs nobody out', async () => {
    const { access } = await beginSession();
    await asAdmin('mutation { adminRotateSigningKey { kid } }');
    expect(await statusWith(access)).toBe(200);
  });

  it('is a matter of administrators', async () => {
    const { errors } = await graphql('mutation { adminRotateSigningKey { kid } }', { token: session.access });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

/** A token with the claims of ours, signed by a key of the tests under our key's name. */
async function forged(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const { kid } = partOf(session.access, 0);
  return new SignJWT(partOf(session.access)).setProtectedHeader({ alg: 'EdDSA', kid }).sign(privateKey);
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('an access token that is not ours', () => {
  it.each([
    ['of no algorithm', () => `${encoded({ alg: 'none' })}.${session.access.split('.')[1]}.`],
    [
      'of no algorithm with our key',
      () => `${encoded({ ...partOf(session.access, 0), alg: 'none' })}.${session.access.split('.')[1]}.x`,
    ],
    [
      'of another algorithm',
      () =>
        `${encoded({ ...partOf(session.access, 0), alg: 'HS256' })}.${session.access.split('.').slice(1).join('.')}`,
    ],
    [
      'for another user',
      () => {
        const [header, , signature] = session.access.split('.');
        return `${header}.${encoded({ ...partOf(session.access), sub: '1' })}.${signature}`;
      },
    ],
    ['by another key', forged],
    [
      'by an unknown key',
      () => `${encoded({ alg: 'EdDSA', kid: 'x' })}.${session.access.split('.').slice(1).join('.')}`,
    ],
    ['without a signature', () => `${session.access.split('.').slice(0, 2).join('.')}.`],
    ['with a shortened signature', () => session.access.slice(0, -2)],
    ['of no JSON', () => 'eyJ.eyJ.eyJ'],
  ])('%s is refused with 401', async (_, tokenOf) => {
    expect(await statusWith(await tokenOf())).toBe(401);
  });
});
