import { beforeEach, describe, expect, it } from '@jest/globals';
import { groupOf, peerOf, tenantOf } from '../../kit/network/graph.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const PLAN = 'query ($document: NetworkDocument!) { planNetwork(document: $document) { graphRevision } }';
const APPLY = `mutation ($document: NetworkDocument!, $graphRevision: Int!) {
  applyNetwork(document: $document, graphRevision: $graphRevision) { id } }`;

let user: SignedIn;
beforeEach(async () => {
  user = await signInWithNetwork();
  await peerOf(user, { vm_label: 'laptop' });
});

const request = (query: string, variables: object): Promise<Json> =>
  graphql(query, { token: user.token, variables: { ...variables } });
const refusalOf = async (document: object): Promise<string> => (await request(PLAN, { document })).errors[0].message;

describe('a label in a network document', () => {
  it('that two peers have is refused without an id', async () => {
    await peerOf(user, { vm_label: 'laptop' });
    const error = 'More than one peer is named "laptop": give its id too.';
    expect(await refusalOf({ peers: [{ label: 'laptop', groups: ['all'] }] })).toBe(`peers[0]: ${error}`);
    const networks = [{ name: 'default', routers: [{ peer: 'laptop' }] }];
    expect(await refusalOf({ networks })).toBe(`networks[0].routers[0]: ${error}`);
  });

  it('that two peers have names the one with the id', async () => {
    const id = await peerOf(user, { vm_label: 'laptop' });
    const staff = await groupOf(user, 'staff');
    const networks = [{ name: 'default', routers: [{ peer: 'laptop', peerId: id }] }];
    const document = { peers: [{ label: 'laptop', id, groups: ['staff'] }], networks };
    const { data } = await request(PLAN, { document });
    const { graphRevision } = data.planNetwork;
    expect((await request(APPLY, { document, graphRevision })).errors).toBeUndefined();
    const { default_network: network } = await tenantOf(user);
    const { token } = user;
    const { body: routers } = await call(`GET /api/network/networks/${network}/routers/`, { token });
    const { body: peers } = await call('GET /api/network/peers/', { token });
    expect(routers).toMatchObject([{ peer: id }]);
    expect(peers.filter(({ groups }: Json) => groups.includes(staff))).toMatchObject([{ id }]);
  });

  it('is refused with the id of a peer that has another', async () => {
    const id = await peerOf(user, { vm_label: 'server' });
    const peers = [{ label: 'laptop', id, groups: ['all'] }];
    expect(await refusalOf({ peers })).toBe(`peers[0]: There is no peer "laptop" with the id ${id}.`);
  });

  it('is refused for a group that the document removes', async () => {
    await groupOf(user, 'web');
    const refusal = await refusalOf({ groups: [], peers: [{ label: 'laptop', groups: ['web'] }] });
    expect(refusal).toBe('peers[0]: There is no group "web".');
  });
});
