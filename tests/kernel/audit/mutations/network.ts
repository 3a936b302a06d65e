import { groupOf, networkOf, peerOf, tenantOf } from '../../../kit/network/graph.js';
import { enroll, newPublicKey } from '../../../kit/network/network.js';
import { call, type Json } from '../../../kit/platform.js';
import { renewNewcomer, type AuditCases, type World } from './world.js';

let number = 0;
const some = (word: string) => `${word}-${(number += 1)}`;
const UNKNOWN = 2_147_483_647;

const made = async ({ user: { token } }: World, path: string, body: Json): Promise<Json> =>
  (await call(`POST /api/network/${path}/`, { token, body })).body;
const group = ({ user }: World) => groupOf(user, some('group'));
const network = ({ user }: World) => networkOf(user, some('network'));
const peer = ({ user }: World) => peerOf(user);

async function policy(world: World): Promise<Json> {
  const { default_group: all } = await tenantOf(world.user);
  return { id: (await made(world, 'policies', { source_group: all, dest_group: await group(world) })).id };
}

async function resource(world: World): Promise<Json> {
  const networkId = await network(world);
  const { id } = await made(world, `networks/${networkId}/resources`, { name: 'printer', address: '10.0.0.7' });
  return { networkId, id };
}

async function router(world: World): Promise<Json> {
  const networkId = await network(world);
  return { networkId, id: (await made(world, `networks/${networkId}/routers`, { peer: await peer(world) })).id };
}

const infra = async (world: World) => ({ id: (await made(world, 'infra/enroll', { name: some('gateway') })).id });

async function setupKey(world: World): Promise<Json> {
  await enroll(world.user);
  const { body } = await call('GET /api/network/enroll-keys/', { token: world.user.token });
  return { id: body.at(-1).id };
}

/** Gives the newcomer a network. */
async function newNetwork(world: World): Promise<string> {
  await renewNewcomer(world);
  await world.send('newcomer', 'provisionTenant', {});
  return world.newcomer.token;
}

async function planned(world: World): Promise<Json> {
  const token = await newNetwork(world);
  const document = { groups: ['applied'] };
  const plan = 'query ($document: NetworkDocument!) { planNetwork(document: $document) { graphRevision } }';
  return { document, graphRevision: (await world.ask(plan, { document }, token)).planNetwork.graphRevision };
}

/** The private network. */
export const NETWORK: AuditCases = {
  provisionTenant: { by: 'newcomer', args: renewNewcomer, refused: 'nobody', ids: ['', 'tenantId'] },
  createGroup: { args: { label: 'audited' }, refused: { label: 'NOT A LABEL' }, ids: ['', 'id'] },
  changeMember: {
    args: async (world: World) => ({ groupId: await group(world), peerId: await peer(world) }),
    ids: ['groupId peerId', 'groupId peerId'],
  },
  updateGroup: {
    args: async (world: World) => ({ id: await group(world), label: some('renamed') }),
    ids: ['id', 'id'],
  },
  deleteGroup: { args: async (world: World) => ({ id: await group(world) }), ids: ['id', '', 'group.id'] },
  createNetwork: { args: { name: 'audited' }, refused: { name: '' }, ids: ['', 'id'] },
  deleteNetwork: { args: async (world: World) => ({ id: await network(world) }), ids: ['id', '', 'network.id'] },
  createPolicy: {
    args: async (world: World) => {
      const id = await group(world);
      return { sourceGroupId: id, destGroupId: id };
    },
    ids: ['destGroupId sourceGroupId', 'destGroupId id sourceGroupId'],
  },
  updatePolicy: {
    args: async (world: World) => ({ ...(await policy(world)), name: 'audited' }),
    ids: ['id', 'destGroupId id sourceGroupId'],
  },
  deletePolicy: { args: policy, ids: ['id', '', 'policy.destGroupId policy.id policy.sourceGroupId'] },
  createResource: {
    args: async (world: World) => ({ networkId: await network(world), name: 'printer', address: '10.0.0.8' }),
    ids: ['networkId', 'id networkId'],
  },
  updateResource: {
    args: async (world: World) => ({ ...(await resource(world)), name: 'scanner' }),
    ids: ['id networkId', 'id networkId'],
  },
  deleteResource: { args: resource, ids: ['id networkId', '', 'resource.id resource.networkId'] },
  createRouter: {
    args: async (world: World) => ({ networkId: await network(world), peerId: await peer(world) }),
    ids: ['networkId peerId', 'id networkId peerId'],
  },
  deleteRouter: { args: router, ids: ['id networkId', '', 'router.id router.networkId router.peerId'] },
  enrollPeer: { args: { vmLabel: 'audited' }, refused: { groupId: UNKNOWN }, ids: ['', 'id peer'] },
  joinNetwork: {
    by: 'nobody',
    args: async ({ user }: World) => ({
      setupKey: (await enroll(user)).setup_key,
      publicKey: newPublicKey().toString('base64'),
    }),
    refused: { setupKey: 'unknown' },
    ids: ['', 'peerId setupKeyId userId'],
    log: 'user',
  },
  updatePeer: {
    args: async (world: World) => ({ id: await peer(world), groups: [await group(world)] }),
    ids: ['groups id', 'groups id', 'member.groupId member.peerId'],
  },
  deletePeer: {
    args: async (world: World) => ({ id: await peer(world) }),
    ids: ['id', '', 'member.groupId member.peerId peer.id setupKey.groupId setupKey.id setupKey.peerId'],
  },
  revokeSetupKey: { args: setupKey, ids: ['id', ''] },
  enrollInfra: { args: { name: 'audited' }, refused: { name: '' }, ids: ['', 'id peer'] },
  issueInfraSetupKey: { args: infra, ids: ['id', 'id peer'] },
  deleteInfraEnrollment: { args: infra, ids: ['id', '', 'infraEnrollment.id infraEnrollment.peerId peer.id'] },
  rotateNetworkAuthority: {
    by: 'administrator',
    args: async ({ user }: World) => ({ tenantId: (await tenantOf(user)).id, overlapHours: 1 }),
    ids: ['tenantId', 'tenantId userId'],
    isShown: true,
  },
  storeNodePositions: {
    args: async (world: World) => ({ positions: [{ node: `peer:${await peer(world)}`, x: 1, y: 2 }] }),
    ids: ['', ''],
  },
  applyNetwork: {
    by: 'newcomer',
    args: planned,
    refused: { graphRevision: 1_000 },
    ids: ['', 'byTokenId byUserId id'],
  },
  undoLastChange: {
    by: 'newcomer',
    args: async (world: World) => {
      await newNetwork(world);
      await world.send('newcomer', 'createGroup', { label: 'undone' });
      return {};
    },
    refused: { id: '1' },
    ids: ['', 'byTokenId byUserId id', 'group.id'],
  },
};
