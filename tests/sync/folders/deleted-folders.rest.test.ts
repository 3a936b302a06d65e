import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { DEFAULT_HASH, register, store } from '../../kit/files/sync.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const DELETED = `query ($owner: String!, $offset: Int, $limit: Int) {
  deletedFolders(ownerAddress: $owner, offset: $offset, limit: $limit) { folderId fileCount }
}`;
const ENTRIES = `mutation ($owner: String!, $hash: String!) {
  registerFolderEntries(ownerAddress: $owner, folderHash: $hash, relativePaths: ["a"]) { changedCount }
}`;

let user: SignedIn;
const ask = (page: Json = {}): Promise<Json> =>
  graphql(DELETED, { token: user.token, variables: { owner: user.substrateAddress, ...page } });
const deleted = async (page: Json = {}): Promise<Json[]> => (await ask(page)).data.deletedFolders;
const unregister = async (): Promise<Json> => {
  const body = { ss58_address: user.substrateAddress, folder_hash: DEFAULT_HASH };
  return (await call('DELETE /unregister_folder', { token: user.token, body })).body.Success;
};

describe('a folder that holds nothing', () => {
  beforeEach(async () => {
    user = await signIn();
    await register(user, 'default', DEFAULT_HASH);
  });

  it('leaves nothing behind that could be had back, however often it is registered and unregistered', async () => {
    for (let time = 0; time < 5; time++) {
      expect(await unregister()).toEqual({ status: 'unregistered', files_deleted: 0 });
      expect((await register(user, 'default', DEFAULT_HASH)).status).toBe(200);
    }
    expect(await deleted()).toEqual([]);
  });

  it('can be had back where directories were registered in it', async () => {
    const variables = { owner: user.substrateAddress, hash: DEFAULT_HASH };
    await graphql(ENTRIES, { token: user.token, variables });
    await unregister();
    expect(await deleted()).toEqual([{ folderId: expect.any(String), fileCount: 0 }]);
  });

  it('keeps a file that comes at the same time', async () => {
    const [file] = await Promise.all([store(user, 'a.txt'), unregister()]);
    const path = `/download/${user.substrateAddress}/${DEFAULT_HASH}/${file.fileId}`;
    const { status } = await call(`GET ${path}`, { token: user.token });
    // Either it was in the folder and went with it, or it made one anew.
    expect([status === 200, (await deleted()).length]).toEqual(status === 200 ? [true, 0] : [false, 1]);
  });
});

describe('the folders that can be had back', () => {
  beforeAll(async () => {
    user = await signIn();
    for (let time = 0; time < 5; time++) {
      await register(user, 'default', DEFAULT_HASH);
      await store(user, `${time}.txt`);
      await unregister();
    }
  });

  it('are listed by the page, each once, latest first', async () => {
    const all = await deleted();
    expect(all).toHaveLength(5);
    const pages = [await deleted({ limit: 2 }), await deleted({ offset: 2, limit: 2 }), await deleted({ offset: 4 })];
    expect(pages.flat()).toEqual(all);
    const ids = all.map(({ folderId }) => Number(folderId));
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  });

  it('are two hundred a page at most, and none beyond the last', async () => {
    expect(await deleted({ limit: 100_000 })).toHaveLength(5);
    expect(await deleted({ offset: 5 })).toEqual([]);
    expect(await deleted({ limit: 0 })).toEqual([]);
  });

  it.each([{ offset: -1 }, { limit: -1 }])('are refused for the page %j', async (page) => {
    expect(codeOf(await ask(page))).toBe('BAD_REQUEST');
  });
});
