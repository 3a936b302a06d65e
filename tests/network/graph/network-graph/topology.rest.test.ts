import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, networkOf, peerOf, tenantOf } from '../../../kit/network/graph.js';
import { call, type Json } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { fieldsOf } from '../../../kit/rest/rest-checks.js';

describe('GET /network/topology/', () => {
  let graph: Json;
  let group: Json;
  let policy: Json;
  beforeAll(async () => {
    const [{ token }, other] = await Promise.all([signInWithNetwork(), signInWithNetwork()]);
    await call('POST /api/network/groups/', { token: other.token, body: { label: 'theirs' } });
    ({ body: group } = await call('POST /api/network/groups/', { token, body: { label: 'web' } }));
    const ends = { source_group: group.id, dest_group: group.id };
    ({ body: policy } = await call('POST /api/network/policies/', { token, body: { ...ends, action: 'drop' } }));
    ({ body: graph } = await call('GET /api/network/topology', { token }));
  });

  it('answers nodes and edges', () => {
    expect(fieldsOf(graph)).toEqual(['edges', 'nodes']);
  });

  it('has a node for each group of the caller and no other', () => {
    expect(graph.nodes.map(({ label }: Json) => label)).toEqual(['all', 'web']);
  });

  it('has nodes with the documented fields', () => {
    expect(graph.nodes[1]).toEqual({ id: `group:${group.id}`, type: 'group', label: 'web', meta: expect.any(Object) });
  });

  it('has edges with the documented fields', () => {
    expect(graph.edges[1]).toEqual({
      id: `policy:${policy.id}`,
      type: 'policy',
      source: `group:${group.id}`,
      target: `group:${group.id}`,
      meta: expect.objectContaining({ policy_id: policy.id, is_managed: false }),
    });
  });

  it('marks the managed policy as read-only', () => {
    expect(graph.edges[0].meta.is_managed).toBe(true);
  });

  it('has both ends of every edge among its nodes', () => {
    const ids = graph.nodes.map(({ id }: Json) => id);
    expect(graph.edges.every(({ source, target }: Json) => ids.includes(source) && ids.includes(target))).toBe(true);
  });
});

describe('the graph of a network with peers and what lies behind them', () => {
  let graph: Json;
  let ids: Record<'peer' | 'group' | 'network' | 'resource' | 'router', number>;
  beforeAll(async () => {
    const user = await signInWithNetwork();
    const [group, network] = [await groupOf(user, 'web'), await networkOf(user, 'office')];
    const peer = await peerOf(user, { vm_label: 'gateway', group });
    const post = async (path: string, body: object): Promise<number> =>
      (await call(`POST /api/network/networks/${network}/${path}/`, { token: user.token, body })).body.id;
    const resource = await post('resources', { name: 'db', address: '10.1.2.0/24', groups: [group] });
    const router = await post('routers', { peer, metric: 7, masquerade: false });
    ids = { peer, group, network, resource, router };
    ({ body: graph } = await call('GET /api/network/topology/', { token: user.token }));
  });

  it('has a node for the peer, with its groups', () => {
    expect(graph.nodes).toContainEqual({
      id: `peer:${ids.peer}`,
      type: 'peer',
      label: 'gateway',
      meta: { peer_id: ids.peer, ip: expect.stringMatching(/^100\./), status: 'never_seen', groups: [ids.group] },
    });
  });

  it('has a node for the resource, with its groups', () => {
    expect(graph.nodes).toContainEqual({
      id: `resource:${ids.resource}`,
      type: 'resource',
      label: 'db',
      meta: {
        resource_id: ids.resource,
        network_id: ids.network,
        address: '10.1.2.0/24',
        kind: 'subnet',
        enabled: true,
        groups: [ids.group],
      },
    });
  });

  it('has a node for the router, bound to its peer', () => {
    const { peer: peer_id, router: router_id, network: network_id } = ids;
    expect(graph.nodes).toContainEqual({
      id: `router:${router_id}`,
      type: 'router',
      label: 'gateway',
      meta: { router_id, network_id, peer_id, metric: 7, masquerade: false, enabled: true },
    });
    expect(graph.edges).toContainEqual({
      id: `router-binding:${router_id}`,
      type: 'router-binding',
      source: `peer:${peer_id}`,
      target: `router:${router_id}`,
      meta: { is_managed: true, router_id, network_id, peer_id },
    });
  });

  it('has a route from the router to the resource', () => {
    const { resource: resource_id, router: router_id, network: network_id } = ids;
    expect(graph.edges).toContainEqual({
      id: `route:${router_id}-${resource_id}`,
      type: 'route',
      source: `router:${router_id}`,
      target: `resource:${resource_id}`,
      meta: { is_managed: true, router_id, network_id, resource_id },
    });
  });
});

describe('the ETag of a graph', () => {
  let user: SignedIn;
  beforeEach(async () => {
    user = await signInWithNetwork();
  });
  const read = (headers: Record<string, string> = {}) =>
    call('GET /api/network/topology/', { token: user.token, headers });

  it('names the tenant and the revision', async () => {
    const { id } = await tenantOf(user);
    expect((await read()).headers.get('etag')).toBe(`"${id}-0"`);
  });

  it('changes with each mutation', async () => {
    const { id } = await tenantOf(user);
    const group = await groupOf(user, 'web');
    await call(`DELETE /api/network/groups/${group}/`, { token: user.token });
    expect((await read()).headers.get('etag')).toBe(`"${id}-2"`);
  });

  it('stays with a mutation that is refused', async () => {
    const before = (await read()).headers.get('etag');
    await call('POST /api/network/groups/', { token: user.token, body: { label: 'all' } });
    expect((await read()).headers.get('etag')).toBe(before);
  });

  it.each(['%', 'W/%', '"other", %', '*'])('answers 304 without a body to who sends %s', async (pattern) => {
    const etag = (await read()).headers.get('etag') ?? '';
    const { status, text, headers } = await read({ 'if-none-match': pattern.replace('%', etag) });
    expect({ status, text, etag: headers.get('etag') }).toEqual({ status: 304, text: '', etag });
  });

  it('answers 200 to who has an older one', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    await groupOf(user, 'web');
    const { status, body } = await read({ 'if-none-match': etag });
    expect({ status, labels: body.nodes.map(({ label }: Json) => label) }).toEqual({
      status: 200,
      labels: ['all', 'web'],
    });
  });

  it("is of no use with another tenant's", async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    const other = await signInWithNetwork();
    const headers = { 'if-none-match': etag };
    expect((await call('GET /api/network/topology/', { token: other.token, headers })).status).toBe(200);
  });
});
