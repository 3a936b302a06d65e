import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { download, storeFile, type Stored } from '../../kit/files/stored-file.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { twentyAtOnce } from '../../kit/rest/rest-checks.js';

const HASH = '37a8eec1ce19687d'; // of the label `default`; vectors.json, folderHash
const DELETED = `query ($owner: String!) {
  deletedFolders(ownerAddress: $owner) { folderId folderHash label deviceName fileCount totalBytes deletedAt restorableUntil }
}`;
const RESTORE = `mutation ($owner: String!, $id: ID!) {
  restoreFolder(ownerAddress: $owner, folderId: $id) { folderHash label fileCount totalBytes }
}`;
const WEEK_MS = 7 * 24 * 3_600_000;

let user: SignedIn;
let other: SignedIn;
let files: Stored[];
beforeAll(async () => {
  other = await signIn();
});
beforeEach(async () => {
  user = await signIn();
  await register();
  files = [await storeFile(user), await storeFile(user)];
});

const named = () => ({ ss58_address: user.substrateAddress, folder_hash: HASH });
const register = () =>
  call('POST /register_folder', { token: user.token, body: { ...named(), label: 'default', device_name: 'laptop' } });
const unregister = () => call('DELETE /unregister_folder', { token: user.token, body: named() });
const get = async (path: string): Promise<Json> => (await call(`GET ${path}`, { token: user.token })).body.Success;
const deleted = async (token = user.token): Promise<Json> =>
  graphql(DELETED, { token, variables: { owner: user.substrateAddress } });
const restore = (id: string, token = user.token): Promise<Json> =>
  graphql(RESTORE, { token, variables: { owner: user.substrateAddress, id } });
const lastDeleted = async (): Promise<string> => (await deleted()).data.deletedFolders[0].folderId;

/** All that shows files of the folder: how many each of them shows. */
async function shown(): Promise<Json> {
  const owner = user.substrateAddress;
  const [folders, state, browsed, found, summary, types] = await Promise.all([
    get(`/list_folders/${owner}`),
    get(`/get_state/${owner}/${HASH}`),
    get(`/browse/${owner}/${HASH}?path=docs`),
    get(`/search_files/${owner}?q=.txt`),
    get(`/get_user_summary/${owner}`),
    get(`/get_file_type_summary/${owner}`),
  ]);
  const [file] = files;
  return {
    folders: folders.folders.length,
    state: [state.total_count, state.files.length],
    browsed: browsed.total_count,
    found: [found.total_count, found.files.length],
    summary: [summary.file_count, summary.total_bytes],
    documents: types.document,
    download: file && (await download(user, file)).status,
  };
}

const ALL = {
  folders: 1,
  state: [2, 2],
  browsed: 2,
  found: [2, 2],
  summary: [2, 2000],
  documents: 2,
  download: 200,
};
const NOTHING = {
  folders: 0,
  state: [0, 0],
  browsed: 0,
  found: [0, 0],
  summary: [0, 0],
  documents: 0,
  download: 404,
};

describe('a folder that was unregistered', () => {
  it('is listed with its counts for seven days, and shown nowhere else', async () => {
    expect(await shown()).toEqual(ALL);
    await unregister();
    const [folder] = (await deleted()).data.deletedFolders;
    expect(folder).toEqual({
      folderId: expect.any(String),
      folderHash: HASH,
      label: 'default',
      deviceName: 'laptop',
      fileCount: 2,
      totalBytes: 2000,
      deletedAt: expect.any(String),
      restorableUntil: expect.any(String),
    });
    expect(Date.parse(folder.restorableUntil) - Date.parse(folder.deletedAt)).toBe(WEEK_MS);
    expect(await shown()).toEqual(NOTHING);
  });

  it('comes back with all its files', async () => {
    await unregister();
    const { data } = await restore(await lastDeleted());
    expect(data.restoreFolder).toEqual({ folderHash: HASH, label: 'default', fileCount: 2, totalBytes: 2000 });
    expect(await shown()).toEqual(ALL);
    expect((await deleted()).data.deletedFolders).toEqual([]);
    const [file] = files;
    expect(file && (await download(user, file)).bytes.equals(file.bytes)).toBe(true);
  });

  it('takes files again once it is back', async () => {
    await unregister();
    await restore(await lastDeleted());
    expect((await storeFile(user)).reply.status).toBe(200);
    expect((await get(`/get_state/${user.substrateAddress}/${HASH}`)).total_count).toBe(3);
  });

  it('comes back once, however often it is asked for', async () => {
    await unregister();
    const id = await lastDeleted();
    const answers = await twentyAtOnce(() => restore(id));
    expect(answers.filter(({ data }) => data?.restoreFolder.fileCount === 2)).toHaveLength(20);
    expect(await shown()).toEqual(ALL);
  });

  it('survives a collection of storage', async () => {
    await unregister();
    await asAdmin('mutation { adminRunStorageCollection { purgedFiles } }');
    await restore(await lastDeleted());
    expect(await shown()).toEqual(ALL);
  });
});

describe('a folder of the same hash by now', () => {
  it('that is registered keeps the other from coming back', async () => {
    await unregister();
    await register();
    expect(codeOf(await restore(await lastDeleted()))).toBe('CONFLICT');
  });

  it('that holds a file keeps the other from coming back, until it is registered and unregistered, as the refusal says', async () => {
    await unregister();
    await storeFile(user);
    const first = await lastDeleted();
    const refusal = await restore(first);
    expect([codeOf(refusal), refusal.errors[0].message]).toEqual([
      'CONFLICT',
      expect.stringContaining('If it holds files and is not registered, register it before that.'),
    ]);
    expect((await deleted()).data.deletedFolders).toHaveLength(1);
    expect((await unregister()).status).toBe(404);
    await register();
    await unregister();
    expect((await restore(first)).data.restoreFolder.fileCount).toBe(2);
  });

  it('gives way where nobody registered it and it is empty', async () => {
    await unregister();
    const { manifest } = await storeFile(user);
    const id = Buffer.from(manifest.path_hash).toString('hex');
    await call(`DELETE /delete/${user.substrateAddress}/${HASH}/${id}`, { token: user.token });
    expect((await restore(await lastDeleted())).data.restoreFolder.fileCount).toBe(2);
    expect(await shown()).toEqual(ALL);
  });

  it('and the other can be had back one after the other', async () => {
    await unregister();
    await register();
    await storeFile(user);
    await unregister();
    const [second, first] = (await deleted()).data.deletedFolders;
    expect([first.fileCount, second.fileCount]).toEqual([2, 1]);
    await restore(first.folderId);
    expect(codeOf(await restore(second.folderId))).toBe('CONFLICT');
  });
});

describe('who may have a folder back', () => {
  it.each(['nothing', '-1', '1e3', '99999999999999999999', '999999999999'])(
    'not who names it %j: there is none',
    async (id) => {
      expect(codeOf(await restore(id))).toBe('NOT_FOUND');
    },
  );

  it('not another user by its owner’s address', async () => {
    await unregister();
    const id = await lastDeleted();
    expect([codeOf(await deleted(other.token)), codeOf(await restore(id, other.token))]).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
  });

  it('not another user by an address of their own', async () => {
    await unregister();
    const variables = { owner: other.substrateAddress, id: await lastDeleted() };
    expect(codeOf(await graphql(RESTORE, { token: other.token, variables }))).toBe('NOT_FOUND');
    expect((await graphql(DELETED, { token: other.token, variables })).data.deletedFolders).toEqual([]);
    expect(await shown()).toEqual(NOTHING);
  });

  it('not who is not signed in', async () => {
    expect([codeOf(await deleted('')), codeOf(await restore('1', ''))]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });
});
