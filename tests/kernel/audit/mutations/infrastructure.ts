import { randomUUID } from 'node:crypto';
import { LLAMA, modelPack, notifyModels, push, sendEvents } from '../../../kit/models/artifacts.js';
import { newPublicKey } from '../../../kit/network/network.js';
import { machineIn, spawn, SSH_KEY } from '../../../kit/machines/machine.js';
import { bucketOf, newBucketName, subTokenOf } from '../../../kit/storage/sub-token.js';
import type { Json } from '../../../kit/platform.js';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { sentOf, type AuditCases, type World } from './world.js';

const FLAVOR = { cpuCores: 1, memoryMb: 1024, dataDiskGb: 10, creditsPerHour: '1', displayName: 'Audited' };
const some = (word: string) => `${word}-${randomUUID().slice(0, 8)}`;
const bucket = async ({ user }: World) => ({ name: await bucketOf(user) });

/** Saves a part of the catalogue. Returns its id. */
async function saved(world: World, mutation: string, args: string): Promise<Json> {
  const answer = await world.ask(`mutation { ${mutation}(${args}) { id } }`, {}, ADMIN_TOKEN);
  return { id: answer[mutation].id };
}

/** The machine of the cases below, in this state. */
async function machine({ user }: World, state: string): Promise<Json> {
  const known = machines.get(user.userId) ?? (await spawn(user, { body: { join_network: true } })).body.id;
  machines.set(user.userId, known);
  await machineIn(state, known, user);
  return { id: String(known) };
}
const machines = new Map<number, number>();

async function certificate(world: World): Promise<Json> {
  const { overlayCertificates } = await world.ask('{ overlayCertificates { certificateId } }');
  return { certificateId: overlayCertificates[0].certificateId };
}

/** Machines, certificates, models and buckets. */
export const INFRASTRUCTURE: AuditCases = {
  adminAssignBucket: {
    by: 'administrator',
    args: async ({ user: { substrateAddress } }: World) => ({ name: newBucketName(), substrateAddress }),
    refused: { name: 'X' },
    ids: ['substrateAddress', 'id userId'],
    isShown: true,
  },
  adminCrawlModels: { by: 'administrator', ids: ['', ''] },
  adminSaveVmApplication: {
    by: 'administrator',
    args: async () => ({ name: 'audited', slug: some('app'), description: 'a test' }),
    refused: { slug: 'NOT A SLUG' },
    ids: ['', 'id'],
  },
  adminSaveVmFlavor: {
    by: 'administrator',
    args: async () => ({ ...FLAVOR, name: some('flavor') }),
    refused: { cpuCores: 0 },
    ids: ['', 'id'],
  },
  adminSaveVmImage: {
    by: 'administrator',
    args: async () => ({ name: 'audited', slug: some('image'), description: 'a test' }),
    refused: { slug: 'NOT A SLUG' },
    ids: ['', 'id'],
  },
  adminRetireVmApplication: {
    by: 'administrator',
    args: (world: World) =>
      saved(world, 'adminSaveVmApplication', `name: "a", slug: "${some('app')}", description: "b"`),
    refused: { id: 2_147_483_647 },
    ids: ['id', 'id'],
  },
  adminRetireVmFlavor: {
    by: 'administrator',
    args: (world: World) =>
      saved(
        world,
        'adminSaveVmFlavor',
        `name: "${some('flavor')}", cpuCores: 1, memoryMb: 1024, dataDiskGb: 10, creditsPerHour: "1", displayName: "A"`,
      ),
    refused: { id: 2_147_483_647 },
    ids: ['id', 'id'],
  },
  adminRetireVmImage: {
    by: 'administrator',
    args: (world: World) => saved(world, 'adminSaveVmImage', `name: "a", slug: "${some('image')}", description: "b"`),
    refused: { id: 2_147_483_647 },
    ids: ['id', 'id'],
  },
  adminSetModelProject: {
    by: 'administrator',
    args: async ({ user: { substrateAddress } }: World) => ({ project: 'audited', isPublic: true, substrateAddress }),
    refused: { project: 'NOT A PROJECT' },
    ids: ['substrateAddress', 'id owned.ownerId userId'],
    isShown: true,
  },
  'adminSetModelProject without its owner': {
    by: 'administrator',
    args: { project: 'audited', isPublic: true },
    ids: ['', 'id userId'],
    isShown: true,
  },
  createBucket: { args: async () => ({ name: newBucketName() }), refused: { name: 'X' }, ids: ['', 'id userId'] },
  checkBucketPolicy: { args: bucket, ids: ['', 'id'] },
  restoreBucketPolicy: { args: bucket, ids: ['', 'id'] },
  deleteBucket: { args: bucket, isSilent: true, ids: ['', 'id'] },
  createSubToken: {
    args: { name: 'audited', scopeType: 'all_buckets', actions: ['read'] },
    refused: { actions: [] },
    ids: ['', 'accessKeyId id'],
  },
  revokeSubToken: { args: async ({ user }: World) => ({ id: (await subTokenOf(user)).id }), ids: ['id', ''] },
  receiveRegistryEvents: {
    by: 'nobody',
    args: async () => ({ name: `${some('t')}-open/llama` }),
    refused: { isForged: true },
    send: async ({ url }, { name, isForged }) => {
      const digest = await push(name, 'v1', modelPack(LLAMA));
      const forged = { events: [{ id: 'x', action: 'push', target: { repository: name, digest } }] };
      return sentOf(
        await (isForged ? sendEvents(forged, 'another token', url) : notifyModels(name, { tag: 'v1', digest })),
      );
    },
    ids: ['', ''],
  },
  requestOverlayCertificate: {
    refused: { publicKey: 'x' },
    ids: ['', 'id reference userId'],
    calls: ['network.certifyHolder'],
  },
  renewOverlayCertificate: {
    args: async () => ({ publicKey: newPublicKey().toString('base64') }),
    ids: ['', 'id'],
    calls: ['network.certifyHolder'],
  },
  revokeOverlayCertificate: { args: certificate, ids: ['certificateId', ''], calls: ['network.endHolder'] },
  spawnVm: {
    args: { flavorId: 1, imageId: 3, name: 'audited', sshPublicKey: SSH_KEY },
    refused: { flavorId: 2_147_483_647 },
    ids: ['flavorId imageId', 'id'],
  },
  setVmWarning: {
    args: async (world: World) => ({ ...(await machine(world, 'running')), minutes: 30 }),
    ids: ['id', ''],
  },
  rebootVm: { args: (world: World) => machine(world, 'running'), ids: ['id', ''] },
  stopVm: { args: (world: World) => machine(world, 'running'), ids: ['id', ''] },
  startVm: { args: (world: World) => machine(world, 'stopped'), ids: ['id', ''] },
  terminateVm: { args: (world: World) => machine(world, 'running'), ids: ['id', ''] },
};
