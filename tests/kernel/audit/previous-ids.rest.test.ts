import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestCertificate, signInWithCredits } from '../../kit/network/certificate.js';
import { groupOf, networkOf, peerOf, tenantOf } from '../../kit/network/graph.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';
import { bucketOf, revokeSubToken, subTokenOf } from '../../kit/storage/sub-token.js';

const MAX_IDS = 100;

let user: SignedIn;
beforeAll(async () => {
  user = await signInWithNetwork();
});

const send = async (route: string, body?: Json): Promise<Json> => {
  const answer = await call(route, { token: user.token, ...(body && { body }) });
  if (answer.status >= 400) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};

/** The former ids in the newest entry of the mutation, as `name=value`. */
async function previousIds(mutation: string, { log = 'networkAuditLog', token = user.token } = {}): Promise<string[]> {
  const query = `query ($mutation: String!) { me { log: ${log}(first: 1, mutation: $mutation) { results { previousIds { name value } } } } }`;
  const { data } = await graphql(query, { token, variables: { mutation } });
  return data.me.log.results[0].previousIds.map(({ name, value }: Json) => `${name}=${value}`);
}

async function policyBetween(source: number, dest: number): Promise<number> {
  return (await send('POST /api/network/policies/', { source_group: source, dest_group: dest })).id;
}

describe('an entry names the ids that a row had', () => {
  it('before a policy got another destination', async () => {
    const [source, dest, other] = [await groupOf(user, 's'), await groupOf(user, 'd'), await groupOf(user, 'o')];
    const id = await policyBetween(source, dest);
    expect(await previousIds('createPolicy')).toEqual([]);
    await send(`PATCH /api/network/policies/${id}/`, { name: 'renamed' });
    expect(await previousIds('updatePolicy')).toEqual([]);
    const policy = [`policy.id=${id}`, `policy.sourceGroupId=${source}`];
    await send(`PATCH /api/network/policies/${id}/`, { dest_group: other });
    expect(await previousIds('updatePolicy')).toEqual([...policy, `policy.destGroupId=${dest}`]);
    await send(`DELETE /api/network/policies/${id}/`);
    expect(await previousIds('deletePolicy')).toEqual([...policy, `policy.destGroupId=${other}`]);
  });

  it('before a peer left a group, and before the peer was deleted with what named it', async () => {
    const [former, current] = [await groupOf(user, 'former'), await groupOf(user, 'current')];
    const peer = await peerOf(user, { group: former });
    const network = await networkOf(user, 'routed');
    const router = await send(`POST /api/network/networks/${network}/routers/`, { peer });
    await send(`PATCH /api/network/peers/${peer}/`, { groups: [current] });
    expect(await previousIds('updatePeer')).toEqual([`member.groupId=${former}`, `member.peerId=${peer}`]);
    const [key] = (await send('GET /api/network/enroll-keys/')).filter((one: Json) => one.peer === peer);
    await send(`DELETE /api/network/peers/${peer}/`);
    const found = await previousIds('deletePeer');
    expect(found.join(' ')).toContain(`member.groupId=${current} member.peerId=${peer}`);
    expect(found.join(' ')).toContain(`router.id=${router.id} router.peerId=${peer} router.networkId=${network}`);
    expect(found.join(' ')).toContain(`setupKey.id=${key.id} setupKey.peerId=${peer} setupKey.groupId=${former}`);
    expect(found).toContain(`peer.id=${peer}`);
  });

  it('before a network was deleted with its resources, but not those of a change that was undone before', async () => {
    const [network, group] = [await networkOf(user, 'office'), await groupOf(user, 'printers')];
    const body = { name: 'printer', address: '10.0.0.7', groups: [group] };
    const resource = await send(`POST /api/network/networks/${network}/resources/`, body);
    await send(`DELETE /api/network/networks/${network}/`);
    const ids = [
      `resourceGroup.groupId=${group}`,
      `resourceGroup.resourceId=${resource.id}`,
      `resource.id=${resource.id}`,
      `resource.networkId=${network}`,
      `network.id=${network}`,
    ];
    expect((await previousIds('deleteNetwork')).toSorted()).toEqual(ids.toSorted());
    await graphql('mutation { undoLastChange { id } }', { token: user.token });
    expect(await previousIds('undoLastChange')).toEqual([]);
  });

  it('but not of the group of the machines of the platform, which is never shown', async () => {
    const named = await groupOf(user, 'machines');
    const infra = await send('POST /api/network/infra/enroll/', { name: 'gateway', group: named });
    await send(`DELETE /api/network/infra/enrollments/${infra.id}/`);
    const found = await previousIds('deleteInfraEnrollment');
    expect(found.filter((id) => id.includes('groupId='))).toEqual([
      `infraEnrollment.groupId=${named}`,
      `member.groupId=${named}`,
    ]);
    expect(found).toContain(`infraEnrollment.peerId=${infra.peer}`);
  });

  it(`at most ${MAX_IDS}`, async () => {
    const network = await networkOf(user, 'large');
    for (let number = 1; number <= MAX_IDS / 2 + 1; number += 1)
      await send(`POST /api/network/networks/${network}/resources/`, {
        name: `r${number}`,
        address: `10.9.0.${number}`,
      });
    await send(`DELETE /api/network/networks/${network}/`);
    expect(await previousIds('deleteNetwork')).toHaveLength(MAX_IDS);
  });

  it('before the holder of a certificate lost its peer', async () => {
    const { token } = await signInWithCredits();
    expect((await requestCertificate({ token })).status).toBe(200);
    const [peer] = (await call('GET /api/network/peers/', { token })).body;
    await call(`DELETE /api/network/peers/${peer.id}/`, { token });
    const found = await previousIds('deletePeer', { token });
    expect(found).toContainEqual(expect.stringMatching(/^certificateHolder\.reference=[\da-f-]{36}$/));
    expect(found).toContain(`certificateHolder.peerId=${peer.id}`);
  });

  it('before a bucket was deleted with the sub-tokens that named it', async () => {
    const name = await bucketOf(user);
    const { id } = await subTokenOf(user, { scopeType: 'single_bucket', bucketNames: [name] });
    await revokeSubToken(user, id);
    await graphql('mutation ($name: String!) { deleteBucket(name: $name) }', {
      token: user.token,
      variables: { name },
    });
    expect(await previousIds('deleteBucket', { log: 'infrastructureAuditLog' })).toEqual([
      `subTokenBucket.subTokenId=${id}`,
    ]);
  });

  it('only in its own transaction', async () => {
    const { default_group: all } = await tenantOf(user);
    const id = await policyBetween(all, all);
    await send(`DELETE /api/network/policies/${id}/`);
    await groupOf(user, 'later');
    expect(await previousIds('createGroup')).toEqual([]);
  });
});
