import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { manifestFor } from '../../kit/files/bytes.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import {
  DEFAULT_HASH,
  renameOf,
  renaming,
  stateOf,
  store,
  tryUpload,
  uploadPlain,
  type StoredFile,
} from '../../kit/files/sync.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

/** Paths with the owner in the path: `OWNER`, and `FILE` for a file of that owner. */
const BY_PATH = [
  'GET /list_folders/OWNER',
  `GET /get_state/OWNER/${DEFAULT_HASH}`,
  `GET /browse/OWNER/${DEFAULT_HASH}`,
  'GET /search_files/OWNER',
  `GET /download/OWNER/${DEFAULT_HASH}/FILE`,
  'GET /download/OWNER/FILE',
  `DELETE /delete/OWNER/${DEFAULT_HASH}/FILE`,
  'DELETE /delete/OWNER/FILE',
  `POST /register_relative_paths/OWNER/${DEFAULT_HASH}`,
  `GET /list_folder_entries/OWNER/${DEFAULT_HASH}`,
  'GET /get_user_summary/OWNER',
  'GET /get_file_type_summary/OWNER',
  'GET /get_source_summary/OWNER',
] as const;

const PATHS = { entries: [] };
const FORBIDDEN = { status: 403, body: refused('forbidden') };

let owner: SignedIn;
let other: SignedIn;
let file: StoredFile;
let before: Json;
beforeAll(async () => {
  [owner, other] = await Promise.all([signIn(), signIn()]);
  file = await store(owner, 'docs/a.txt');
  before = (await stateOf(owner)).body;
});

async function request(target: string, address: string, token: string | undefined = other.token) {
  const path = target.replace('OWNER', address).replace('FILE', file.fileId);
  const body = target.startsWith('POST') ? { body: PATHS } : {};
  const reply = await call(path, { ...(token !== '' && { token }), ...body });
  return { status: reply.status, body: reply.body };
}

describe('a path of another owner', () => {
  it.each(BY_PATH)('%s is forbidden, and nothing changes', async (target) => {
    expect(await request(target, owner.substrateAddress)).toEqual(FORBIDDEN);
    expect((await stateOf(owner)).body).toEqual(before);
  });

  it.each(BY_PATH)('%s is forbidden for an address nobody has', async (target) => {
    expect(await request(target, newWallet().substrateAddress)).toEqual(FORBIDDEN);
  });

  it.each(BY_PATH)('%s asks for a token', async (target) => {
    expect(await request(target, owner.substrateAddress, '')).toEqual({ status: 401, body: refused('unauthorized') });
  });

  it.each(BY_PATH)('%s does not take the address for a token', async (target) => {
    expect(await request(target, owner.substrateAddress, owner.substrateAddress)).toMatchObject({ status: 401 });
  });

  it.each([
    ['/delete_files', () => ({ folder_hash: DEFAULT_HASH, file_ids: [file.fileId] })],
    ['/rename_files', () => renaming(owner, [renameOf(file, 'stolen.txt')])],
    ['/can_upload', () => ({ size_bytes: 5 })],
    [
      '/upload/session',
      () => ({ manifest: manifestFor(owner, 'x'), chunk_count: 1, chunk_size: 5, ciphertext_size: 5 }),
    ],
  ])('POST %s is forbidden, and nothing changes', async (path, bodyOf) => {
    const body = { ss58_address: owner.substrateAddress, ...bodyOf() };
    const reply = await call(`POST ${path}`, { token: other.token, body });
    expect({ status: reply.status, body: reply.body }).toEqual(FORBIDDEN);
    expect((await stateOf(owner)).body).toEqual(before);
  });

  it('POST /upload is forbidden, in both forms', async () => {
    const replies = [
      await tryUpload(owner, 'docs/b.txt', { token: other.token }),
      await uploadPlain(owner, 'b.txt', randomBytes(5), other.token),
    ];
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual([FORBIDDEN, FORBIDDEN]);
    expect((await stateOf(owner)).body).toEqual(before);
  });

  it('a session is forbidden on every verb, and goes on', async () => {
    const upload = await TestUpload.open({ user: owner });
    const replies = [
      await upload.put(0, { token: other.token }),
      await upload.status(other.token),
      await upload.finalize(other.token),
      await upload.delete(other.token),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await upload.status()).body.Success).toMatchObject({ state: 'receiving', chunks_received: [] });
  });

  it('tells nothing of whether a file is there', async () => {
    const nowhere = `GET /download/${owner.substrateAddress}/${DEFAULT_HASH}/${'0'.repeat(64)}`;
    const { status, body } = await call(nowhere, { token: other.token });
    expect({ status, body }).toEqual(FORBIDDEN);
  });
});

const BAD_ADDRESSES = [
  'a%25b',
  'a%2Fb',
  'a%5Cb',
  '..%2F..%2Fetc',
  '%2e%2e%5c',
  '%2525',
  'x'.repeat(257),
  '%C3%BC'.repeat(129),
  'x'.repeat(5000),
];

describe('an address that is none', () => {
  it.each(BY_PATH.flatMap((target) => BAD_ADDRESSES.map((address) => ({ target, address }))))(
    '$address is 400 invalid_user_id at $target',
    async ({ target, address }) => {
      expect(await request(target, address)).toEqual({ status: 400, body: refused('invalid_user_id') });
    },
  );

  it.each(BY_PATH)('is 400 invalid_user_id when it is empty at %s', async (target) => {
    expect(await request(target, '')).toEqual({ status: 400, body: refused('invalid_user_id') });
  });

  it.each(['/delete_files', '/can_upload', '/register_folder'])('is 400 invalid_user_id at POST %s', async (path) => {
    for (const address of ['', 'a%b', 'a/b', 'a\\b', 'x'.repeat(257)]) {
      const body = { ss58_address: address, folder_hash: DEFAULT_HASH, file_ids: [], size_bytes: 1, label: 'default' };
      const reply = await call(`POST ${path}`, { token: owner.token, body });
      expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: refused('invalid_user_id') });
    }
  });
});

const RENAME = `mutation ($owner: String!, $folder: String!, $signature: ByteArray!, $key: ByteArray!, $renames: [RenameInput!]!) {
  renameFiles(ownerAddress: $owner, folderHash: $folder, renames: $renames, signature: $signature, signingKey: $key) { status }
}`;
const OPERATIONS: Readonly<Record<string, string>> = {
  folders: '($owner: String!) { folders(ownerAddress: $owner) { ownerAddress } }',
  files: '($owner: String!, $folder: String!) { files(ownerAddress: $owner, folderHash: $folder) { totalCount } }',
  file: '($owner: String!, $folder: String!, $id: ID!) { file(ownerAddress: $owner, folderHash: $folder, fileId: $id) { fileId } }',
  browseFolder:
    '($owner: String!, $folder: String!) { browseFolder(ownerAddress: $owner, folderHash: $folder) { path } }',
  searchFiles: '($owner: String!) { searchFiles(ownerAddress: $owner) { totalCount } }',
  canUpload: '($owner: String!) { canUpload(ownerAddress: $owner, sizeBytes: 1) { result } }',
  storageSummary: '($owner: String!) { storageSummary(ownerAddress: $owner) { fileCount } }',
  fileTypeSummary: '($owner: String!) { fileTypeSummary(ownerAddress: $owner) { kind } }',
  sourceSummary: '($owner: String!) { sourceSummary(ownerAddress: $owner) { kind } }',
  folderEntries:
    '($owner: String!, $folder: String!) { folderEntries(ownerAddress: $owner, folderHash: $folder) { relativePaths } }',
};
const MUTATIONS: Readonly<Record<string, string>> = {
  deleteFile:
    '($owner: String!, $folder: String!, $id: ID!) { deleteFile(ownerAddress: $owner, folderHash: $folder, fileId: $id) { status } }',
  deleteFiles:
    '($owner: String!, $folder: String!, $id: String!) { deleteFiles(ownerAddress: $owner, folderHash: $folder, fileIds: [$id]) { filesDeleted } }',
  registerRelativePaths:
    '($owner: String!, $folder: String!) { registerRelativePaths(ownerAddress: $owner, folderHash: $folder, entries: []) { updated } }',
  registerFolder:
    '($owner: String!, $folder: String!) { registerFolder(ownerAddress: $owner, folderHash: $folder, label: "x") { status } }',
  unregisterFolder:
    '($owner: String!, $folder: String!) { unregisterFolder(ownerAddress: $owner, folderHash: $folder) { status } }',
};

describe('in GraphQL', () => {
  const ask = (query: string, user: SignedIn, more: Json = {}) =>
    graphql(query, {
      token: user.token,
      variables: { owner: owner.substrateAddress, folder: DEFAULT_HASH, id: file.fileId, ...more },
    });

  it.each(Object.entries(OPERATIONS))('%s is refused to another, not to the owner', async (_, text) => {
    expect(codeOf(await ask(`query ${text}`, other))).toBe('FORBIDDEN');
    expect((await ask(`query ${text}`, owner)).errors).toBeUndefined();
  });

  it.each(Object.entries(MUTATIONS))('%s is refused to another, and nothing changes', async (_, text) => {
    expect(codeOf(await ask(`mutation ${text}`, other))).toBe('FORBIDDEN');
    expect((await stateOf(owner)).body).toEqual(before);
  });

  it('renameFiles is refused to another, and nothing changes', async () => {
    const { signature, signing_key } = renaming(owner, []);
    expect(codeOf(await ask(RENAME, other, { signature, key: signing_key, renames: [] }))).toBe('FORBIDDEN');
    expect((await stateOf(owner)).body).toEqual(before);
  });
});
