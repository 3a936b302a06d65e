import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { manifestFor } from '../../../kit/files/bytes.js';
import { asAdmin, type Json } from '../../../kit/platform.js';
import {
  DEFAULT_HASH,
  foldersOf,
  register,
  rename,
  renameOf,
  store,
  tryUpload,
  uploadPlain,
} from '../../../kit/files/sync.js';
import { openSession, TestUpload } from '../../../kit/files/upload.js';
import { sentOf, type AuditCases, type Sender, type World } from './world.js';

const hash = () => randomUUID().replaceAll('-', '').slice(0, 16);
const ownerOf = ({ user }: World) => ({ ownerAddress: user.substrateAddress });

/** A registered folder of the user. */
async function folder(world: World): Promise<Json> {
  const folderHash = hash();
  await register(world.user, folderHash, folderHash);
  return { ...ownerOf(world), folderHash };
}

/** A folder with a file that was unregistered. */
async function deletedFolder(world: World): Promise<Json> {
  const { folderHash } = await folder(world);
  await store(world.user, 'kept.txt', { manifest: { folder_hash: folderHash } });
  await world.send('user', 'unregisterFolder', { ...ownerOf(world), folderHash });
  const list = 'query ($ownerAddress: String!) { deletedFolders(ownerAddress: $ownerAddress) { folderId folderHash } }';
  const { deletedFolders } = await world.ask(list, ownerOf(world));
  const { folderId } = deletedFolders.find((deleted: Json) => deleted.folderHash === folderHash);
  return { ...ownerOf(world), folderId };
}

async function entries(world: World): Promise<Json> {
  const args = { ...(await folder(world)), relativePaths: ['a', 'a/b'] };
  await world.send('user', 'registerFolderEntries', args);
  return args;
}

async function file(world: World): Promise<Json> {
  await register(world.user, 'default', DEFAULT_HASH);
  const { fileId } = await store(world.user, `${randomUUID()}.txt`);
  return { ...ownerOf(world), folderHash: DEFAULT_HASH, fileId };
}

async function upload({ user }: World): Promise<Json> {
  const open = await TestUpload.open({ user });
  await open.putAll();
  return { sessionId: open.id };
}

const senderOf = (world: World, sender: Sender) => (sender === 'stranger' ? world.stranger : world.user);

/** Folders and files. */
export const SYNC: AuditCases = {
  // Before a folder is purged, which closes the days too.
  adminRunStorageUsage: { by: 'administrator', ids: ['', ''] },
  registerFolder: {
    args: async (world: World) => ({ ...ownerOf(world), folderHash: hash(), label: 'audited' }),
    ids: ['folderHash ownerAddress', ''],
  },
  registerFolderEntries: {
    args: async (world: World) => ({ ...(await folder(world)), relativePaths: ['a'] }),
    ids: ['folderHash ownerAddress', ''],
  },
  removeFolderEntries: { args: entries, ids: ['folderHash ownerAddress', ''] },
  unregisterFolder: { args: folder, ids: ['folderHash ownerAddress', '', 'folder.folderHash folder.id'] },
  restoreFolder: { args: deletedFolder, ids: ['folderId ownerAddress', 'folderHash id'] },
  purgeFolder: { args: deletedFolder, ids: ['folderId ownerAddress', 'folderHash id'] },
  openUploadSession: {
    args: async ({ user }: World) => {
      const bytes = randomBytes(100);
      return { plan: { user, bytes, chunkSize: 1024, manifest: manifestFor(user, randomUUID(), blake3(bytes)) } };
    },
    send: async (world, { plan }, sender) =>
      sentOf(await openSession({ ...plan, user: senderOf(world, sender), url: world.url })),
    ids: ['', 'sessionId'],
  },
  finalizeUpload: { args: upload, ids: ['sessionId', 'revisionId uploadId'] },
  deleteUploadSession: { args: upload, ids: ['sessionId', ''] },
  uploadFile: {
    args: async () => ({ path: `${randomUUID()}.txt` }),
    send: async (world, { path }, sender) =>
      sentOf(await tryUpload(world.user, path, { token: senderOf(world, sender).token })),
    ids: ['', 'fileId uploadId'],
  },
  uploadPlainFile: {
    args: async () => ({ name: `${randomUUID()}.txt` }),
    send: async (world, { name }, sender) =>
      sentOf(await uploadPlain(world.user, name, randomBytes(9), senderOf(world, sender).token)),
    ids: ['ownerAddress', 'fileId uploadId'],
  },
  renameFiles: {
    args: async ({ user }: World) => ({ renames: [renameOf(await store(user, randomUUID()), randomUUID())] }),
    send: async (world, { renames }, sender) =>
      sentOf(await rename({ ...world.user, token: senderOf(world, sender).token }, renames)),
    ids: ['folderHash ownerAddress', ''],
  },
  registerRelativePaths: {
    args: async (world: World) => {
      await register(world.user, 'default', DEFAULT_HASH);
      const relativePath = `${randomUUID()}.txt`;
      const { fileId } = await store(world.user, relativePath, { manifest: { file_name: null, relative_path: null } });
      return { ...ownerOf(world), folderHash: DEFAULT_HASH, entries: [{ pathHash: fileId, relativePath }] };
    },
    ids: ['folderHash ownerAddress', ''],
  },
  deleteFile: { args: file, ids: ['fileId folderHash ownerAddress', ''] },
  deleteFiles: {
    args: async (world: World) => {
      const { fileId, ...rest } = await file(world);
      return { ...rest, fileIds: [fileId] };
    },
    ids: ['fileIds folderHash ownerAddress', ''],
  },
  adminSetStoragePrice: {
    by: 'administrator',
    args: { creditsPerGibMonth: '1' },
    refused: { creditsPerGibMonth: '-1' },
    ids: ['', ''],
  },
  adminRunStorageCheck: { by: 'administrator', ids: ['', ''] },
  adminRunStorageCollection: {
    by: 'administrator',
    args: async (world: World) => {
      await asAdmin('mutation { adminSetStoragePrice { changedAt } }');
      await world.send('user', 'purgeFolder', await deletedFolder(world));
      return { folders: await foldersOf(world.user) };
    },
    ids: ['', ''],
  },
};
