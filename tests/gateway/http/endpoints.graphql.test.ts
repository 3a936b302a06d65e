import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, platform, type Json, type Reply } from '../../kit/platform.js';
import { grant, signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

/** As tests/kit/arrangements.ts sets it for the subgraphs that run alone. */
const SECRET = 'the-subgraph-secret-of-the-tests';
const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'] as const;
type Name = (typeof SUBGRAPHS)[number];

interface EndpointRequest {
  readonly secret?: string | undefined;
  readonly viewer?: object;
  readonly url?: string;
}

function callEndpoint(
  name: Name,
  body: object,
  { secret = SECRET, viewer = { kind: 'anonymous' }, url }: EndpointRequest = {},
): Promise<Reply> {
  return call('POST /', {
    url: url ?? platform().subgraphUrls[name] ?? '',
    body,
    headers: {
      'x-subgraph-secret': secret,
      'x-viewer': Buffer.from(JSON.stringify(viewer)).toString('base64url'),
      'x-request-id': 'of-the-tests',
    },
  });
}

/** What the gateway would tell of a user. */
const viewerOf = ({ userId, substrateAddress }: SignedIn) => ({
  kind: 'user',
  userId,
  username: 'x',
  substrateAddress,
  tokenId: 'x',
  expiresAt: null,
  roles: [],
});

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  [user, other] = await Promise.all([signInWithNetwork(), signInWithNetwork()]);
  await grant(other, '77');
  await call('POST /register_folder', {
    token: other.token,
    body: { ss58_address: other.substrateAddress, folder_hash: '8ed3f6ad685b959e', label: 'alpha' },
  });
});

/** What `_entities` of the subgraph's own endpoint answers for one user. */
async function entity(name: Name, fields: string, representation: object, viewer: object): Promise<Json> {
  const query = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on User { ${fields} } } }`;
  const variables = { r: [{ __typename: 'User', ...representation }] };
  const { body } = await callEndpoint(name, { query, variables }, { viewer });
  return body.data?.['_entities']?.[0];
}

describe('the public endpoint of a platform in one process', () => {
  it.each(SUBGRAPHS)('lets nobody reach %s without the secret', async (name) => {
    const { status } = await call(`POST /_subgraphs/${name}`, { body: { query: '{ __typename }' } });
    expect(status).toBe(platform().subgraphUrls[name] === undefined ? 404 : 401);
  });

  it('lets nobody reach it with a wrong secret', async () => {
    const headers = { 'x-subgraph-secret': 'wrong' };
    const { status } = await call('POST /_subgraphs/accounts', { body: { query: '{ __typename }' }, headers });
    expect([401, 404]).toContain(status);
  });

  it('answers 404 for a subgraph that is none', async () => {
    const { status } = await call('POST /_subgraphs/nothing', { body: {}, headers: { 'x-subgraph-secret': SECRET } });
    expect(status).toBe(404);
  });
});

if (globalThis.ARRANGEMENT === 'behind HTTP') {
  describe.each(SUBGRAPHS)('the endpoint of %s alone', (name) => {
    it.each([
      ['no secret', ''],
      ['a wrong secret', 'wrong'],
      ['a part of the secret', SECRET.slice(0, -1)],
      ['the secret in other letters', SECRET.toUpperCase()],
    ])('refuses %s with 401', async (_, secret) => {
      const { status, body } = await callEndpoint(name, { query: '{ __typename }' }, { secret });
      // A gateway with a wrong secret would show `errors` to its users.
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } }) },
      });
    });

    it('refuses a request without any header of the gateway', async () => {
      const { status } = await call('POST /', {
        url: platform().subgraphUrls[name] ?? '',
        body: { query: '{ __typename }' },
      });
      expect(status).toBe(401);
    });

    it('refuses to say whether it is ready without the secret', async () => {
      const { status } = await call('GET /', { url: platform().subgraphUrls[name] ?? '' });
      expect(status).toBe(401);
    });

    it('serves whoever knows the secret', async () => {
      const { status, body } = await callEndpoint(name, { query: '{ __typename }' });
      expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
    });

    it('says that it is ready', async () => {
      const { status, body } = await call('GET /', {
        url: platform().subgraphUrls[name] ?? '',
        headers: { 'x-subgraph-secret': SECRET },
      });
      expect({ status, body }).toEqual({ status: 200, body: { status: 'ready' } });
    });
  });

  describe.each(SUBGRAPHS)('a request that %s cannot read', (name) => {
    it.each([
      ['no JSON', 'nonsense'],
      ['an array', '[]'],
      ['null', 'null'],
      ['no query', '{}'],
    ])('is refused with 400: %s', async (_, rawBody) => {
      const { status } = await call('POST /', {
        url: platform().subgraphUrls[name] ?? '',
        rawBody,
        headers: { 'x-subgraph-secret': SECRET, 'x-viewer': Buffer.from('{"kind":"anonymous"}').toString('base64url') },
      });
      expect(status).toBe(400);
    });

    it('is answered when it is a syntax error', async () => {
      const { body } = await callEndpoint(name, { query: '{ broken' });
      expect(body.errors).toEqual(expect.any(Array));
    });
  });

  describe('_entities at the endpoint', () => {
    it.each([
      ['accounts', 'creditBalance { balance }'],
      ['accounts', 'username email substrateAddress roles'],
    ] as const)('of %s tell a user nothing of another: %s', async (name, fields) => {
      expect(await entity(name, fields, { id: other.userId }, viewerOf(user))).toBeNull();
    });

    it("of network do not tell another user's tenant", async () => {
      expect(await entity('network', 'tenant { id }', { id: other.userId }, viewerOf(user))).toEqual({ tenant: null });
    });

    it.each([
      ['under the other id', () => ({ id: other.userId, substrateAddress: other.substrateAddress })],
      ['under the own id', () => ({ id: user.userId, substrateAddress: other.substrateAddress })],
    ])("of sync do not tell another user's folders and storage %s", async (_, representation) => {
      const fields = 'folders { label } storage { fileCount }';
      expect(await entity('sync', fields, representation(), viewerOf(user))).toEqual({ folders: null, storage: null });
    });
  });

  describe('_entities at the endpoint for the owner and for nobody', () => {
    it('of sync tell the owner', async () => {
      const own = { id: other.userId, substrateAddress: other.substrateAddress };
      expect(await entity('sync', 'folders { label } storage { ownerAddress }', own, viewerOf(other))).toEqual({
        folders: [{ label: 'alpha' }],
        storage: { ownerAddress: other.substrateAddress },
      });
    });

    it('of network tell the owner', async () => {
      const seen = await entity('network', 'tenant { status }', { id: other.userId }, viewerOf(other));
      expect(seen).toEqual({ tenant: { status: 'active' } });
    });

    it.each(['accounts', 'network', 'sync'] as const)('of %s tell anonymous nothing', async (name) => {
      const id = { id: other.userId, substrateAddress: other.substrateAddress };
      expect((await entity(name, 'id', id, { kind: 'anonymous' })) ?? null).toBeNull();
    });

    it.each([{ id: '1' }, { id: null }, {}, { id: [1] }])('of accounts know no user by %j', async (key) => {
      expect((await entity('accounts', 'id', key, viewerOf(user))) ?? null).toBeNull();
    });
  });

  describe('what subgraphs ask each other', () => {
    it('is refused to users: the holder of a token', async () => {
      const query = 'query ($hash: String!) { tokenHolder(hash: $hash) { userId } }';
      const { body } = await callEndpoint('accounts', { query, variables: { hash: 'x' } }, { viewer: viewerOf(user) });
      expect(codeOf(body)).toBe('FORBIDDEN');
    });

    it('is refused to users: the storage of an account', async () => {
      const query = `mutation {
        recordStorageUsage(accountSs58: "${other.substrateAddress}", periodStart: "2026-01-01T00:00:00Z", periodEnd: "2026-01-02T00:00:00Z", storageBytes: 1, credits: "1", reference: "x") { id }
      }`;
      const { body } = await callEndpoint(
        'accounts',
        { query },
        { viewer: { ...viewerOf(user), roles: ['SUPERUSER'] } },
      );
      expect(codeOf(body)).toBe('FORBIDDEN');
    });

    it('is refused to users: the balance of a user', async () => {
      const query = `{ creditBalanceOfUser(userId: ${other.userId}) { balance } }`;
      const { body } = await callEndpoint('accounts', { query }, { viewer: viewerOf(user) });
      expect(codeOf(body)).toBe('FORBIDDEN');
    });
  });

  describe('the way of one subgraph to another', () => {
    it('gives infrastructure the balance that accounts keeps', async () => {
      const rich = await signIn();
      await grant(rich, '100');
      const { data } = await graphql('{ vmFlavors { affordableHours } }', { token: rich.token });
      expect(data.vmFlavors[0].affordableHours).toBeGreaterThan(0);
    });
  });
}
