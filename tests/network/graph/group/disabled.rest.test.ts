import { beforeAll, describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../../kit/network/graph.js';
import { configurationOf, enrolledMachine } from '../../../kit/network/network.js';
import { call, graphql, type Json } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let path: string;
let machines: Record<'first' | 'second' | 'other', Json>;
let resource: number;
let routers: Json[];

beforeAll(async () => {
  user = await signInWithNetwork();
  const { default_network: network, default_group: group } = await tenantOf(user);
  path = `/api/network/networks/${network}`;
  machines = {
    first: await enrolledMachine(user),
    second: await enrolledMachine(user),
    other: await enrolledMachine(user),
  };
  const lan = { name: 'lan', address: '10.0.0.0/8', groups: [group], enabled: true };
  resource = (await post('resources', lan)).id;
  routers = [
    await post('routers', { peer: machines.first.peer, metric: 1, enabled: false }),
    await post('routers', { peer: machines.second.peer, metric: 2 }),
  ];
});

const post = async (kind: string, body: object): Promise<Json> =>
  (await call(`POST ${path}/${kind}/`, { token: user.token, body })).body;
const enable = (enabled: boolean | null) =>
  call(`PATCH ${path}/resources/${resource}/`, { token: user.token, body: { enabled } });
const undo = () => graphql('mutation { undoLastChange { id } }', { token: user.token });

/** What reachability says, and the routes that the machine which is no router is given. */
async function outcome(): Promise<{ isReachable: boolean; reason: string; routes: string[] }> {
  const ends = `from: "peer:${machines.other.peer}", to: "resource:${resource}"`;
  const { data } = await graphql(`{ reachability(${ends}) { reachable reason } }`, { token: user.token });
  // Routes are given once the certificates of routers carry them.
  for (const { token } of Object.values(machines)) await configurationOf(token);
  const { text } = await configurationOf(machines.other.token);
  const routes = [...text.matchAll(/route: "10\.0\.0\.0\/8", via: "([^"]+)"/g)].map(([, via = '']) => via);
  return { isReachable: data.reachability.reachable, reason: data.reachability.reason, routes };
}

const configured = async (): Promise<Json> => {
  const { data } = await graphql('{ topology { nodes { id meta { enabled enforced } } edges { id } } }', {
    token: user.token,
  });
  const nodes = data.topology.nodes.map(({ id, meta }: Json) => [id, meta]);
  return { meta: Object.fromEntries(nodes), edges: data.topology.edges.map(({ id }: Json) => id) };
};

describe('a router that is disabled', () => {
  it('leads nowhere: the next by metric does', async () => {
    expect(routers.map(({ enabled }) => enabled)).toEqual([false, true]);
    expect(await outcome()).toMatchObject({ isReachable: true, routes: [machines.second.ip] });
  });
});

describe('a resource that is disabled', () => {
  it('is drawn, and nothing reaches it', async () => {
    expect((await enable(false)).body).toMatchObject({ id: resource, enabled: false });
    expect((await enable(null)).body.enabled).toBe(false);
    expect(await outcome()).toEqual({ isReachable: false, reason: 'The resource is disabled.', routes: [] });
    const { meta, edges } = await configured();
    expect([meta[`resource:${resource}`], meta[`router:${routers[0]?.id}`]]).toEqual([
      { enabled: false, enforced: false },
      { enabled: false, enforced: null },
    ]);
    expect(edges).toContain(`route:${routers[1]?.id}-${resource}`);
  });

  it('is reached again when that is undone', async () => {
    await undo();
    expect(await outcome()).toMatchObject({ isReachable: true, routes: [machines.second.ip] });
  });

  it('is refused where it is neither true nor false', async () => {
    const { status } = await call(`PATCH ${path}/resources/${resource}/`, { token: user.token, body: { enabled: 1 } });
    expect(status).toBe(400);
  });
});
