import { describe, expect, it } from '@jest/globals';
import { peerOf } from '../../../kit/network/graph.js';
import { call, graphql, type Json } from '../../../kit/platform.js';
import { TestSocket } from '../../../kit/socket.js';
import { setRoles, signIn, signInWithNetwork } from '../../../kit/accounts/wallet.js';

const TOPOLOGY = `subscription {
  topologyChanged { revision isWhole nodes { id label } edges { id source target } removedNodes removedEdges }
}`;

describe('topologyChanged', () => {
  it('gives the whole graph first', async () => {
    const { token } = await signInWithNetwork();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', TOPOLOGY);
    const { data } = await socket.result('1', 1);
    expect(data.topologyChanged).toMatchObject({
      revision: 0,
      isWhole: true,
      nodes: [{ label: 'all' }],
      removedNodes: [],
      removedEdges: [],
    });
    expect(data.topologyChanged.edges).toHaveLength(1);
    socket.close();
  });

  it('gives what a mutation changed after its commit', async () => {
    const { token } = await signInWithNetwork();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', TOPOLOGY);
    await socket.result('1', 1);
    const { body: group } = await call('POST /api/network/groups/', { token, body: { label: 'web' } });
    const added = await socket.result('1', 2);
    expect(added.data.topologyChanged).toMatchObject({
      revision: 1,
      isWhole: false,
      nodes: [{ id: `group:${group.id}`, label: 'web' }],
      edges: [],
    });
    await call(`DELETE /api/network/groups/${group.id}/`, { token });
    const removed = await socket.result('1', 3);
    expect(removed.data.topologyChanged).toMatchObject({ revision: 2, nodes: [], removedNodes: [`group:${group.id}`] });
    socket.close();
  });

  it('gives a burst of mutations in steps that follow each other without a gap', async () => {
    const { token } = await signInWithNetwork();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', 'subscription { topologyChanged { revision from nodes { label } } }');
    const first = await socket.result('1', 1);
    const labels = Array.from({ length: 30 }, (_, number) => `group-${number}`);
    await Promise.all(labels.map((label) => call('POST /api/network/groups/', { token, body: { label } })));
    let [{ revision: known }, seen] = [first.data.topologyChanged, new Set<string>()];
    for (let count = 2; known < labels.length; count++) {
      const { from, revision, nodes } = (await socket.result('1', count)).data.topologyChanged;
      expect(from).toBe(known);
      seen = new Set([...seen, ...nodes.map(({ label }: Json) => label)]);
      known = revision;
    }
    expect(seen).toEqual(new Set(labels));
    socket.close();
  });

  it('gives peers, their state among it, and what is behind them', async () => {
    const user = await signInWithNetwork();
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', 'subscription { topologyChanged { nodes { id meta { status } } removedNodes } }');
    await socket.result('1', 1);
    const peer = await peerOf(user);
    expect((await socket.result('1', 2)).data.topologyChanged.nodes).toEqual([
      { id: `peer:${peer}`, meta: { status: 'never_seen' } },
    ]);
    await call(`DELETE /api/network/peers/${peer}/`, { token: user.token });
    expect((await socket.result('1', 3)).data.topologyChanged.removedNodes).toEqual([`peer:${peer}`]);
    socket.close();
  });

  it('reaches only the sockets of the tenant', async () => {
    const [own, other] = await Promise.all([signInWithNetwork(), signInWithNetwork()]);
    const [ownSocket, otherSocket] = await Promise.all([TestSocket.open(own.token), TestSocket.open(other.token)]);
    for (const socket of [ownSocket, otherSocket]) socket.subscribe('1', TOPOLOGY);
    await Promise.all([ownSocket.result('1', 1), otherSocket.result('1', 1)]);
    await call('POST /api/network/groups/', { token: own.token, body: { label: 'mine' } });
    await ownSocket.result('1', 2);
    await call('POST /api/network/groups/', { token: other.token, body: { label: 'theirs' } });
    const { data } = await otherSocket.result('1', 2);
    expect(data.topologyChanged.nodes).toMatchObject([{ label: 'theirs' }]);
    for (const socket of [ownSocket, otherSocket]) socket.close();
  });

  it('can be watched by a hundred different subscriptions of a user, not more', async () => {
    const { token } = await signInWithNetwork();
    const sockets = await Promise.all(Array.from({ length: 3 }, () => TestSocket.open(token)));
    const [first, second, third] = sockets as [TestSocket, TestSocket, TestSocket];
    const watching = (name: string) => `subscription ${name} { topologyChanged { revision } }`;
    for (let number = 0; number < 50; number++) {
      first.subscribe(`${number}`, watching(`First${number}`));
      second.subscribe(`${number}`, watching(`Second${number}`));
    }
    for (let number = 0; number < 50; number++) {
      const results = await Promise.all([first.result(`${number}`, 1), second.result(`${number}`, 1)]);
      expect(results).toEqual(results.map(() => ({ data: { topologyChanged: { revision: 0 } } })));
    }
    third.subscribe('late', watching('Third'));
    expect((await third.result('late', 1)).errors[0].extensions.code).toBe('RATE_LIMITED');
    for (const socket of sockets) socket.close();
  });

  it('is refused until the network is provisioned', async () => {
    const { token } = await signIn();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', TOPOLOGY);
    const { errors } = await socket.result('1', 1);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    socket.close();
  });
});

describe('a socket', () => {
  it('is closed with 4401 when it does not sign in', async () => {
    const socket = await TestSocket.open(undefined);
    expect(await socket.closing()).toMatchObject({ code: 4401 });
  });

  it('is closed with 4403 as soon as its token is revoked', async () => {
    const { token } = await signIn();
    const socket = await TestSocket.open(token);
    const { data } = await graphql('{ tokens { id } }', { token });
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token, variables: { id: data.tokens[0].id } });
    expect(await socket.closing()).toMatchObject({ code: 4403 });
  });

  it('serves queries too', async () => {
    const { token, userId } = await signIn();
    const socket = await TestSocket.open(token);
    socket.subscribe('1', '{ me { id } }');
    expect(await socket.result('1', 1)).toEqual({ data: { me: { id: userId } } });
    socket.close();
  });

  it('is closed with 1012, so that clients connect again, when its user is given other roles', async () => {
    const { token, substrateAddress } = await signIn();
    const [socket, another] = [await TestSocket.open(token), await TestSocket.open((await signIn()).token)];
    await setRoles(substrateAddress, ['BETA']);
    expect(await socket.closing()).toMatchObject({ code: 1012 });
    another.subscribe('1', '{ me { id } }');
    await another.result('1', 1);
    expect(another.closed).toBeUndefined();
    another.close();
  });

  it('stays open when its user is given the roles there were', async () => {
    const { token, substrateAddress } = await signIn();
    const socket = await TestSocket.open(token);
    await setRoles(substrateAddress, []);
    socket.subscribe('1', '{ me { id } }');
    await socket.result('1', 1);
    expect(socket.closed).toBeUndefined();
    socket.close();
  });

  it.each([
    ['an unknown operation', 'query A { __typename }', 'B'],
    ['one of two operations that goes unnamed', 'query A { __typename } query B { __typename }', undefined],
  ])('refuses %s as the fault of the caller', async (_, query, operationName) => {
    const { token } = await signIn();
    const socket = await TestSocket.open(token);
    socket.send({ id: '1', type: 'subscribe', payload: { query, ...(operationName && { operationName }) } });
    expect((await socket.failure('1'))[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    socket.close();
  });
});
