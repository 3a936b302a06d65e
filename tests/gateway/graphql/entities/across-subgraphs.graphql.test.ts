import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, asAdmin, graphql, type Json } from '../../../kit/platform.js';
import {
  challengeFor,
  grant,
  newWallet,
  personalSign,
  serviceToken,
  signIn,
  signInWithNetwork,
  type SignedIn,
} from '../../../kit/accounts/wallet.js';

const WHOLE_USER =
  'id username roles creditBalance { balance } tenant { id addressRange counts { groups } } folders { label } storage { ownerAddress fileCount totalBytes }';

async function register({ token, substrateAddress: ss58_address }: SignedIn, label: string): Promise<void> {
  await call('POST /register_folder', { token, body: { ss58_address, folder_hash: '8ed3f6ad685b959e', label } });
}

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  [user, other] = await Promise.all([signInWithNetwork(), signIn()]);
  await grant(user, '12.5');
  await register(user, 'alpha');
});

describe('one query across the subgraphs', () => {
  it('joins accounts, network and sync on the user', async () => {
    const { data } = await graphql(`{ me { ${WHOLE_USER} } }`, { token: user.token });
    expect(data.me).toEqual({
      id: user.userId,
      username: expect.any(String),
      roles: [],
      creditBalance: { balance: '12.5' },
      tenant: { id: expect.any(Number), addressRange: expect.any(String), counts: { groups: 1 } },
      folders: [{ label: 'alpha' }],
      storage: { ownerAddress: user.substrateAddress, fileCount: 0, totalBytes: 0 },
    });
  });

  it('takes fields of four subgraphs side by side', async () => {
    const { data } = await graphql(
      '{ me { id folders { label } } vmFlavors { name affordableHours } topology { revision } }',
      {
        token: user.token,
      },
    );
    expect(data).toMatchObject({ me: { id: user.userId }, vmFlavors: expect.any(Array), topology: { revision: 0 } });
  });

  it('keeps aliases, fragments, variables and directives', async () => {
    const query = `query Q($no: Boolean!) { who: me { ...F network: tenant { key: id } folders @skip(if: $no) { label } } }
      fragment F on User { money: creditBalance { amount: balance } }`;
    const { data } = await graphql(query, { token: user.token, variables: { no: true } });
    expect(data).toEqual({ who: { money: { amount: '12.5' }, network: { key: expect.any(Number) } } });
  });
});

describe('one query that is answered in part', () => {
  it('answers null for what a user does not have yet', async () => {
    const { token } = await signIn();
    const { data } = await graphql(
      `
        {
          me {
            tenant {
              id
            }
            folders {
              label
            }
          }
        }
      `,
      { token },
    );
    expect(data).toEqual({ me: { tenant: null, folders: [] } });
  });

  it('answers what it can beside what it refuses', async () => {
    const { token, userId } = await signIn();
    const { data, errors } = await graphql('{ me { id } user(substrateAddress: "x") { id } }', { token });
    expect({ data, codes: errors?.map((error: Json) => error.extensions.code) }).toEqual({
      data: null,
      codes: ['FORBIDDEN'],
    });
    expect(userId).toEqual(expect.any(Number));
  });

  it('is refused as UNAUTHENTICATED to anonymous', async () => {
    expect(codeOf(await graphql(`{ me { ${WHOLE_USER} } }`))).toBe('UNAUTHENTICATED');
  });

  it('is refused as FORBIDDEN to a service, which is no user', async () => {
    expect(codeOf(await graphql('{ me { id } }', { token: await serviceToken('ADMIN') }))).toBe('FORBIDDEN');
  });

  it('serves two mutations in the order in which they are written', async () => {
    const query = 'mutation { a: createGroup(label: "twice") { label } b: createGroup(label: "twice") { label } }';
    const { data, errors } = await graphql(query, { token: user.token });
    expect({ data, path: errors?.[0].path, code: codeOf({ errors }) }).toEqual({
      data: null,
      path: ['b'],
      code: 'CONFLICT',
    });
  });
});

const ask = `query ($of: String!) { user(substrateAddress: $of) { ${WHOLE_USER} } }`;

describe('another user', () => {
  it('is shown to an administrator without the folders and the storage', async () => {
    const { user: seen } = await asAdmin(ask, { of: user.substrateAddress });
    expect(seen).toMatchObject({ id: user.userId, creditBalance: { balance: '12.5' }, folders: null, storage: null });
  });

  it('is not found under an address that nobody has', async () => {
    const token = await serviceToken('ADMIN');
    const answer = await graphql(ask, { token, variables: { of: 'nobody' } });
    expect({ code: codeOf(answer), data: answer.data }).toEqual({ code: 'NOT_FOUND', data: null });
  });

  it('is not shown to a user', async () => {
    const answer = await graphql(ask, { token: user.token, variables: { of: other.substrateAddress } });
    expect({ code: codeOf(answer), data: answer.data }).toEqual({ code: 'FORBIDDEN', data: null });
  });
});

const forged = (viewer: object) => ({
  'x-viewer': Buffer.from(JSON.stringify(viewer)).toString('base64url'),
  'x-subgraph-secret': 'the-subgraph-secret-of-the-tests',
});

const askWith = (headers: Record<string, string>, token?: string) =>
  call('POST /graphql', { body: { query: '{ me { id } }' }, headers, ...(token !== undefined && { token }) });

describe('headers by which the gateway tells its subgraphs who asks', () => {
  it('do not sign anyone in', async () => {
    const { userId } = other;
    const { body } = await askWith(forged({ kind: 'user', userId, roles: ['SUPERUSER'] }));
    expect(codeOf(body)).toBe('UNAUTHENTICATED');
  });

  it('do not make one user another', async () => {
    const { body } = await askWith(forged({ kind: 'user', userId: other.userId, roles: [] }), user.token);
    expect(body.data.me.id).toBe(user.userId);
  });

  it('do not make anyone the platform', async () => {
    const headers = forged({ kind: 'platform', subgraph: 'gateway' });
    const { status } = await call('GET /api/network/me/', { headers });
    expect(status).toBe(401);
  });

  it('do not give roles', async () => {
    const headers = forged({ kind: 'user', userId: user.userId, roles: ['SUPERUSER'] });
    const { body } = await call('GET /api/billing/credits/balance/', { token: user.token, headers });
    expect(body).toMatchObject({ balance: '12.5' });
  });
});

describe('an alias that is the name of another field', () => {
  it.each([
    ['of a key', '{ me { id: createdAt tenant { id } } }', 'id'],
    ['of a key, twice', '{ me { id: username substrateAddress: id tenant { id } folders { label } } }', 'id'],
    ['of a required field', '{ me { substrateAddress: username folders { label } } }', 'substrateAddress'],
  ])('%s stands for what was asked', async (_, query, name) => {
    const { data, errors } = await graphql(query, { token: user.token });
    const { data: plain } = await graphql('{ me { createdAt username } }', { token: user.token });
    expect(errors).toBeUndefined();
    expect(Object.values(plain.me)).toContain(data.me[name]);
    if (data.me.tenant) expect(data.me.tenant.id).toEqual(expect.any(Number));
    if (query.includes('folders')) expect(data.me.folders).toEqual([{ label: 'alpha' }]);
  });

  it('is the name in the paths of errors too', async () => {
    const { errors } = await graphql(
      'mutation { roles: adminSetRoles(substrateAddress: "x", roles: []) { id: username } }',
      {
        token: user.token,
      },
    );
    expect(errors[0].path).toEqual(['roles']);
  });
});

describe('a sign-in that asks for more of the user', () => {
  it('tells nothing that the token is not yet there for, without errors', async () => {
    const wallet = newWallet();
    const { challenge, message } = await challengeFor(wallet);
    const mutation = `mutation ($a: String!, $s: String!, $c: String!, $g: String!) {
      signIn(address: $a, substrateAddress: $s, challenge: $c, signature: $g) { token user { id tenant { id } folders { label } } }
    }`;
    const variables = { a: wallet.address, s: wallet.substrateAddress, c: challenge, g: personalSign(wallet, message) };
    expect(await graphql(mutation, { variables })).toEqual({
      data: {
        signIn: { token: expect.any(String), user: { id: expect.any(Number), tenant: null, folders: null } },
      },
    });
  });
});
