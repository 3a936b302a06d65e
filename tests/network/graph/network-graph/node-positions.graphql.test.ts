import { beforeAll, describe, expect, it } from '@jest/globals';
import { groupOf, networkOf, peerOf } from '../../../kit/network/graph.js';
import { call, codeOf, graphql, type Json } from '../../../kit/platform.js';
import { TestSocket } from '../../../kit/socket.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

const READ = '{ nodePositions { node x y } }';
const STORE = 'mutation ($positions: [NodePositionInput!]!) { storeNodePositions(positions: $positions) }';

let user: SignedIn;
let group: string;
beforeAll(async () => {
  user = await signInWithNetwork();
  group = `group:${await groupOf(user, 'web')}`;
});

const read = async ({ token }: SignedIn): Promise<Json> => (await graphql(READ, { token })).data.nodePositions;
const store = ({ token }: SignedIn, ...positions: Json[]): Promise<Json> =>
  graphql(STORE, { token, variables: { positions } });
const at = (node: string, x = 0, y = 0) => ({ node, x, y });

describe('the positions of nodes', () => {
  it('are kept for every kind of node, and replaced', async () => {
    const owner = await signInWithNetwork();
    expect(await read(owner)).toEqual([]);
    const peer = await peerOf(owner);
    const network = await networkOf(owner, 'office');
    const post = async (kind: string, body: object) =>
      (await call(`POST /api/network/networks/${network}/${kind}/`, { token: owner.token, body })).body.id;
    const nodes = [
      at(`group:${await groupOf(owner, 'db')}`, -1_000_000, 1_000_000),
      at(`peer:${peer}`, 1, 2),
      at(`resource:${await post('resources', { name: 'printer', address: '10.0.0.7' })}`, 3, 4),
      at(`router:${await post('routers', { peer })}`, 5, 6),
    ];
    expect(await store(owner, ...nodes)).toEqual({ data: { storeNodePositions: true } });
    expect(await read(owner)).toEqual(nodes);
    await store(owner, at(`peer:${peer}`, 70, 80));
    expect(await read(owner)).toEqual(
      nodes.map((one) => (one.node === `peer:${peer}` ? { ...one, x: 70, y: 80 } : one)),
    );
  });

  it('are announced to those who watch the topology, as a revision with the same nodes', async () => {
    const owner = await signInWithNetwork();
    const socket = await TestSocket.open(owner.token);
    socket.subscribe('1', 'subscription { topologyChanged { revision from nodes { id } edges { id } removedNodes } }');
    const { revision, nodes } = (await socket.result('1', 1)).data.topologyChanged;
    await store(owner, at(nodes[0].id, 7, 8));
    expect((await socket.result('1', 2)).data.topologyChanged).toEqual({
      revision: revision + 1,
      from: revision,
      nodes: [],
      edges: [],
      removedNodes: [],
    });
    socket.close();
  });

  it('are forgotten with their node', async () => {
    const owner = await signInWithNetwork();
    const [kept, gone] = [await groupOf(owner, 'kept'), await groupOf(owner, 'gone')];
    await store(owner, at(`group:${kept}`), at(`group:${gone}`));
    await call(`DELETE /api/network/groups/${gone}/`, { token: owner.token });
    await store(owner, at(`group:${kept}`, 9, 9));
    expect(await read(owner)).toEqual([at(`group:${kept}`, 9, 9)]);
  });

  it('are those of one user: the nodes of others are unknown, and nothing is stored', async () => {
    const other = await signInWithNetwork();
    const theirs = `group:${await groupOf(other, 'web')}`;
    expect(codeOf(await store(user, at(group, 5, 5), at(theirs)))).toBe('NOT_FOUND');
    expect([await read(user), await read(other)]).toEqual([[], []]);
  });

  it.each([
    ['is unknown', () => [at('group:2147483647')], 'NOT_FOUND'],
    ['is no node', () => [at("group:1' OR true --")], 'NOT_FOUND'],
    ['is named twice', () => [at(group), at(group, 1, 1)], 'BAD_REQUEST'],
    ['is too far to the right', () => [at(group, 1_000_001)], 'BAD_REQUEST'],
    ['is too far up', () => [at(group, 0, -1_000_001)], 'BAD_REQUEST'],
    ['is one of too many', () => Array.from({ length: 1001 }, (_, index) => at(`group:${index + 1}`)), 'BAD_REQUEST'],
  ])('are refused when a node %s', async (_, positions, code) => {
    expect(codeOf(await store(user, ...positions()))).toBe(code);
    expect(await read(user)).toEqual([]);
  });

  it('are refused to anonymous, and until the network is provisioned', async () => {
    expect(codeOf(await graphql(READ))).toBe('UNAUTHENTICATED');
    const { token } = await signIn();
    expect(codeOf(await graphql(READ, { token }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(STORE, { token, variables: { positions: [] } }))).toBe('FORBIDDEN');
  });
});
