import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asAdmin, call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

const folder_hash = '37a8eec1ce19687d'; // of the label `default`; vectors.json, folderHash
const DELETED = 'query ($owner: String!) { deletedFolders(ownerAddress: $owner) { folderId } }';
const RESTORE =
  'mutation ($owner: String!, $id: ID!) { restoreFolder(ownerAddress: $owner, folderId: $id) { fileCount } }';

let platform: PaidPlatform;
let user: SignedIn;
let id: string;
beforeAll(async () => {
  platform = await startPlatform('in process');
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  const { url } = platform;
  user = await signIn(undefined, url);
  const body = { ss58_address: user.substrateAddress, folder_hash };
  await call('POST /register_folder', { token: user.token, url, body: { ...body, label: 'default' } });
  await storeFile(user, { url });
  await call('DELETE /unregister_folder', { token: user.token, url, body });
  id = (await deleted())[0].folderId;
});

const variables = () => ({ owner: user.substrateAddress, id });
const deleted = async (): Promise<Json> =>
  (await graphql(DELETED, { token: user.token, url: platform.url, variables: variables() })).data.deletedFolders;
const restore = (): Promise<Json> => graphql(RESTORE, { token: user.token, url: platform.url, variables: variables() });
const purge = (): Promise<Json> => asAdmin('mutation { adminRunStorageCollection { purgedFiles } }', {}, platform.url);
const age = (interval: string) =>
  ask(
    platform.databaseUrls.sync,
    `UPDATE sync.folder SET deleted_at = deleted_at - interval '${interval}' WHERE id = ${id}`,
  );

describe('a folder that was unregistered', () => {
  it('six days ago comes back, also after a purge', async () => {
    await age('6 days 23 hours');
    await purge();
    expect((await restore()).data.restoreFolder.fileCount).toBe(1);
  });

  it('seven days ago is neither listed nor comes back, even before it is purged', async () => {
    await age('7 days');
    expect(await deleted()).toEqual([]);
    expect(codeOf(await restore())).toBe('NOT_FOUND');
    await purge();
    expect(codeOf(await restore())).toBe('NOT_FOUND');
  });

  it('takes its directories with it when it is purged', async () => {
    const entry = `INSERT INTO sync.folder_entry (owner_id, folder_id, path_hash, relative_path, created_at)
      SELECT owner_id, id, sha256('a'), 'a', now() FROM sync.folder WHERE id = ${id}`;
    await ask(platform.databaseUrls.sync, entry);
    await age('8 days');
    await purge();
    expect(
      await ask(platform.databaseUrls.sync, `SELECT count(*) FROM sync.folder_entry WHERE folder_id = ${id}`),
    ).toBe('0');
  });
});
