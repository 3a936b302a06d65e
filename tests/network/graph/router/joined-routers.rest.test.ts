import { beforeEach, describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../../kit/network/graph.js';
import { configurationOf, enroll, enrolledMachine, join } from '../../../kit/network/network.js';
import { call, graphql, type Json } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

let user: SignedIn;
let path: string;
let client: Json;
let enrolled: Json;
let resource: number;
beforeEach(async () => {
  user = await signInWithNetwork();
  const { default_network: network, default_group: group } = await tenantOf(user);
  path = `/api/network/networks/${network}`;
  client = await enrolledMachine(user);
  enrolled = await enroll(user);
  resource = (await post('resources', { name: 'lan', address: '10.0.0.0/8', groups: [group] })).id;
  await post('routers', { peer: enrolled.peer, metric: 1 });
});

const post = async (kind: string, body: object): Promise<Json> =>
  (await call(`POST ${path}/${kind}/`, { token: user.token, body })).body;
const isReachable = async (): Promise<boolean> => {
  const ends = `from: "peer:${client.peer}", to: "resource:${resource}"`;
  const { data } = await graphql(`{ reachability(${ends}) { reachable } }`, { token: user.token });
  return data.reachability.reachable;
};
/** The overlay addresses to which a machine sends packets for the resource. */
const gateways = async (...routers: Json[]): Promise<string[]> => {
  // Routes are given once the certificates of routers carry them.
  for (const { token } of routers) await configurationOf(token);
  const { text } = await configurationOf(client.token);
  return [...text.matchAll(/route: "10\.0\.0\.0\/8", via: "([^"]+)"/g)].map(([, via = '']) => via);
};

describe('a router whose machine has not joined', () => {
  it('carries no routes until it joins', async () => {
    expect([await isReachable(), await gateways()]).toEqual([false, []]);
    const { body: machine } = await join(enrolled.setup_key);
    expect([await isReachable(), await gateways(machine)]).toEqual([true, [machine.ip]]);
  });

  it('takes no routes from one that has, whose metric is higher', async () => {
    const second = await enrolledMachine(user);
    await post('routers', { peer: second.peer, metric: 2 });
    expect([await isReachable(), await gateways(second)]).toEqual([true, [second.ip]]);
  });
});
