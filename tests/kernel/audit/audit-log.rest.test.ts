import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';
import { enroll, join } from '../../kit/network/network.js';
import { beginSession, refresh } from '../../kit/accounts/session.js';
import { TestSocket } from '../../kit/socket.js';
import { serviceToken, setRoles, signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const FIELDS =
  'results { id createdAt mutation caller actor actorId tokenId requestId clientAddress userAgent argumentIds { name value } resultIds { name value } } nextCursor';
const NETWORK_LOG = `query ($first: Int, $after: String, $since: DateTimeISO, $until: DateTimeISO, $mutation: String) {
  me { networkAuditLog(first: $first, after: $after, since: $since, until: $until, mutation: $mutation) { ${FIELDS} } } }`;

let user: SignedIn;
beforeAll(async () => {
  user = await signInWithNetwork();
});

const logOf = async (token: string, variables: object = {}): Promise<Json> =>
  (await graphql(NETWORK_LOG, { token, variables: { ...variables } })).data.me.networkAuditLog;
const entriesOf = async (token: string, variables?: object): Promise<Json[]> => (await logOf(token, variables)).results;
const createGroup = (label: string, { token }: SignedIn, headers: Record<string, string> = {}) =>
  call('POST /api/network/groups/', { token, headers, body: { label } });

describe('a mutation', () => {
  it('over REST is in the log of its caller, with who, from where and what', async () => {
    const headers = { 'user-agent': `the-tests/${'1'.repeat(300)}` };
    const { body, headers: answered } = await createGroup('audited', user, headers);
    const [entry] = await entriesOf(user.token);
    expect(entry).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      createdAt: expect.stringMatching(ISO_TIME),
      mutation: 'createGroup',
      caller: 'API_TOKEN',
      actor: null,
      actorId: null,
      tokenId: expect.any(String),
      requestId: answered.get('x-request-id'),
      clientAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      userAgent: headers['user-agent'].slice(0, 200),
      argumentIds: [],
      resultIds: [{ name: 'id', value: String(body.id) }],
    });
  });

  it('over a websocket has the User-Agent header of its request', async () => {
    const socket = await TestSocket.open(user.token, undefined, { 'user-agent': 'a-websocket-client/1.0' });
    socket.subscribe('1', 'mutation { createGroup(label: "over-a-socket") { id } }');
    const { data } = await socket.result('1', 1);
    socket.close();
    const [entry] = await entriesOf(user.token);
    expect(entry).toMatchObject({
      userAgent: 'a-websocket-client/1.0',
      clientAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      resultIds: [{ name: 'id', value: String(data.createGroup.id) }],
    });
  });

  it('names the ids in its arguments, and no texts', async () => {
    const { body } = await createGroup('short-lived', user);
    await call(`DELETE /api/network/groups/${body.id}/`, { token: user.token });
    const [entry] = await entriesOf(user.token);
    expect(entry).toMatchObject({ mutation: 'deleteGroup', argumentIds: [{ name: 'id', value: String(body.id) }] });
    expect(JSON.stringify(await entriesOf(user.token))).not.toContain('short-lived');
  });

  it('has the address that the gateway knows, not one that a client sends', async () => {
    await createGroup('from-elsewhere', user, {
      'x-client-address': '203.0.113.9',
      'x-client-agent': 'forged',
      'x-forwarded-for': '203.0.113.9',
      'x-viewer': 'e30',
    });
    const [entry] = await entriesOf(user.token);
    expect([entry.mutation, entry.clientAddress]).toEqual(['createGroup', expect.not.stringContaining('203.0.113.9')]);
    expect(entry.userAgent).not.toBe('forged');
  });

  it('that is refused, or writes nothing, has no entry', async () => {
    const before = await entriesOf(user.token);
    expect((await createGroup('audited', user)).status).toBe(409);
    expect((await createGroup('NOT A LABEL', user)).status).toBe(400);
    expect((await call('DELETE /api/network/groups/2147483647/', { token: user.token })).status).toBe(404);
    const { data } = await graphql('mutation { markAllNotificationsRead }', user);
    expect(data).toEqual({ markAllNotificationsRead: 0 });
    expect(await entriesOf(user.token)).toEqual(before);
    const log = await graphql(
      '{ me { accountsAuditLog(mutation: "markAllNotificationsRead") { results { id } } } }',
      user,
    );
    expect(log.data.me.accountsAuditLog.results).toEqual([]);
  });

  it('that runs one SQL statement is logged', async () => {
    await graphql('mutation { updateNotificationPreferences(emailEnabled: false) { emailEnabled } }', user);
    const { data } = await graphql('{ me { accountsAuditLog(first: 1) { results { mutation caller } } } }', user);
    expect(data.me.accountsAuditLog.results).toEqual([
      { mutation: 'updateNotificationPreferences', caller: 'API_TOKEN' },
    ]);
  });

  it('of a joining machine is in the log of the owner of its setup key, with what it joined', async () => {
    const owner = await signInWithNetwork();
    const { setup_key, peer } = await enroll(owner, {});
    const { status, body } = await join(setup_key);
    expect(status).toBe(201);
    const [key] = (await call('GET /api/network/enroll-keys/', { token: owner.token })).body;
    const entries = await entriesOf(owner.token, { mutation: 'joinNetwork' });
    expect(entries).toMatchObject([
      {
        caller: 'ANONYMOUS',
        tokenId: null,
        argumentIds: [],
        resultIds: [
          { name: 'userId', value: String(owner.userId) },
          { name: 'peerId', value: String(peer) },
          { name: 'setupKeyId', value: String(key.id) },
        ],
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(body.token);
    expect(JSON.stringify(entries)).not.toContain(setup_key);
  });

  it('that joins with a used setup key has no entry', async () => {
    const owner = await signInWithNetwork();
    const { setup_key } = await enroll(owner, {});
    await join(setup_key);
    expect((await join(setup_key)).status).toBe(409);
    expect(await entriesOf(owner.token, { mutation: 'joinNetwork' })).toHaveLength(1);
  });

  it('with a session token has the caller SESSION', async () => {
    const session = await beginSession();
    const authorization = `Bearer ${session.access}`;
    await call('POST /api/network/provision/', { headers: { authorization } });
    const { token } = session.user;
    expect((await entriesOf(token))[0]).toMatchObject({ mutation: 'provisionTenant', caller: 'SESSION' });
  });

  it('is logged by the subgraph that ran it', async () => {
    const { token, substrateAddress } = await signIn();
    const folderHash = createHash('sha256').update('docs').digest('hex').slice(0, 16);
    const folder = { ownerAddress: substrateAddress, folderHash, label: 'docs' };
    const register =
      'mutation ($ownerAddress: String!, $folderHash: String!, $label: String!) { registerFolder(ownerAddress: $ownerAddress, folderHash: $folderHash, label: $label) { status } }';
    const registered = await graphql(register, { token, variables: folder });
    expect(registered.errors).toBeUndefined();
    const entry = 'results { mutation caller argumentIds { name value } }';
    const { data, errors } = await graphql(
      `{ me { accountsAuditLog { ${entry} } infrastructureAuditLog { ${entry} } syncAuditLog { ${entry} } } }`,
      { token },
    );
    expect(errors).toBeUndefined();
    expect(data.me.accountsAuditLog.results).toEqual([
      {
        mutation: 'signIn',
        caller: 'ANONYMOUS',
        argumentIds: [{ name: 'substrateAddress', value: substrateAddress }],
      },
    ]);
    expect(data.me.infrastructureAuditLog.results).toEqual([]);
    expect(data.me.syncAuditLog.results).toEqual([
      {
        mutation: 'registerFolder',
        caller: 'API_TOKEN',
        argumentIds: [
          { name: 'ownerAddress', value: substrateAddress },
          { name: 'folderHash', value: folderHash },
        ],
      },
    ]);
  });
});

describe('an audit log', () => {
  let owner: SignedIn;
  beforeAll(async () => {
    owner = await signInWithNetwork();
    for (const label of ['a', 'b', 'c']) await createGroup(label, owner);
  });

  it('has pages, newest first', async () => {
    const all = await entriesOf(owner.token);
    expect(all.map(({ mutation }) => mutation)).toEqual([
      'createGroup',
      'createGroup',
      'createGroup',
      'provisionTenant',
    ]);
    const first = await logOf(owner.token, { first: 3 });
    const second = await logOf(owner.token, { first: 3, after: first.nextCursor });
    expect([...first.results, ...second.results]).toEqual(all);
    expect(second.nextCursor).toBeNull();
  });

  it('is filtered by time and mutation', async () => {
    const all = await entriesOf(owner.token);
    const [newest, , third, oldest] = all;
    expect(await entriesOf(owner.token, { mutation: 'provisionTenant' })).toEqual([oldest]);
    expect(await entriesOf(owner.token, { until: oldest.createdAt })).toEqual([]);
    expect(await entriesOf(owner.token, { since: oldest.createdAt })).toEqual(all);
    expect(await entriesOf(owner.token, { since: third.createdAt, until: newest.createdAt })).toEqual(
      all.filter(({ createdAt }) => createdAt >= third.createdAt && createdAt < newest.createdAt),
    );
  });

  it('leaves out the mutation named by `except`', async () => {
    const session = await beginSession();
    await refresh(session.refresh);
    const read = (filter: string) =>
      graphql(`{ me { log: accountsAuditLog${filter} { results { mutation } } } }`, { token: session.user.token });
    expect((await read('')).data.me.log.results[0].mutation).toBe('refreshMasterToken');
    expect((await read('(except: "refreshMasterToken")')).data.me.log.results[0].mutation).toBe('issueMasterToken');
  });

  it.each(['x', '', '1', '019aaaaa-0000-7000-8000-00000000000g'])('refuses the cursor %s', async (after) => {
    const answer = await graphql(NETWORK_LOG, { token: owner.token, variables: { after } });
    expect(codeOf(answer)).toBe('BAD_REQUEST');
  });

  it('is read by administrators, and by no other user', async () => {
    const query = `query ($address: String!) { user(substrateAddress: $address) { networkAuditLog { results { mutation } } } }`;
    const variables = { address: owner.substrateAddress };
    const { user: read } = await asAdmin(query, variables);
    expect(read.networkAuditLog.results).toHaveLength(4);
    expect(codeOf(await graphql(query, { token: user.token, variables }))).toBe('FORBIDDEN');
    const { token, substrateAddress } = await signIn();
    await setRoles(substrateAddress, ['VALIDATOR']);
    expect(codeOf(await graphql(query, { token, variables }))).toBe('FORBIDDEN');
  });

  it('of services is read by administrators', async () => {
    const name = `prices-${user.userId}`;
    const token = await serviceToken('ADMIN');
    const create = `mutation { adminCreateServiceToken(name: "${name}", roles: [MARKETING]) { id token } }`;
    const { data } = await graphql(create, { token });
    const query =
      '{ accountsAuditLog(mutation: "adminCreateServiceToken") { results { caller resultIds { name value } } } }';
    const { accountsAuditLog } = await asAdmin(query);
    expect(accountsAuditLog.results).toContainEqual({
      caller: 'SERVICE_TOKEN',
      resultIds: expect.arrayContaining([{ name: 'id', value: data.adminCreateServiceToken.id }]),
    });
    expect(JSON.stringify(accountsAuditLog)).not.toContain(data.adminCreateServiceToken.token);
    expect(codeOf(await graphql(query, { token: user.token }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(query))).toBe('UNAUTHENTICATED');
  });
});
