import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, type Json, type Reply } from '../../kit/platform.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { twentyAtOnce } from '../../kit/rest/rest-checks.js';

const HASH = '37a8eec1ce19687d'; // of the label `default`; vectors.json, folderHash
const mutation = (name: string) => `mutation ($owner: String!, $hash: String!, $paths: [String!]!) {
  ${name}(ownerAddress: $owner, folderHash: $hash, relativePaths: $paths) { changedCount }
}`;

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  other = await signIn();
});
beforeEach(async () => {
  user = await signIn();
  await call('POST /register_folder', { token: user.token, body: { ...named(), label: 'default' } });
});

const named = () => ({ ss58_address: user.substrateAddress, folder_hash: HASH });
const change = (name: string, paths: readonly string[], { token = user.token, hash = HASH } = {}): Promise<Json> =>
  graphql(mutation(name), { token, variables: { owner: user.substrateAddress, hash, paths } });
const register = (...paths: string[]): Promise<Json> => change('registerFolderEntries', paths);
const remove = (...paths: string[]): Promise<Json> => change('removeFolderEntries', paths);
const list = (token = user.token): Promise<Reply> =>
  call(`GET /list_folder_entries/${user.substrateAddress}/${HASH}`, { token });
const listed = async (): Promise<Json> => (await list()).body.relative_paths;

describe('GET /list_folder_entries', () => {
  it('answers flat and in the envelope, nothing at first', async () => {
    const { status, body } = await list();
    expect({ status, body }).toEqual({
      status: 200,
      body: { relative_paths: [], Success: { relative_paths: [] } },
    });
  });

  it('answers the registered directories in order', async () => {
    expect((await register('b', 'a/c', 'Ü ber/x')).data.registerFolderEntries).toEqual({ changedCount: 3 });
    const { body } = await list();
    const relative_paths = ['a/c', 'b', 'Ü ber/x'];
    expect(body).toEqual({ relative_paths, Success: { relative_paths } });
  });

  it('answers nothing of a folder that is not there', async () => {
    const { body } = await call(`GET /list_folder_entries/${user.substrateAddress}/8ed3f6ad685b959e`, {
      token: user.token,
    });
    expect(body.relative_paths).toEqual([]);
  });

  it('leaves out directories that hold files, below too, until they hold none', async () => {
    await register('docs', 'docs/old', 'docsx', 'pictures');
    const { manifest } = await storeFile(user, { path: 'docs/old/a.txt' });
    expect(await listed()).toEqual(['docsx', 'pictures']);
    const id = Buffer.from(manifest.path_hash).toString('hex');
    await call(`DELETE /delete/${user.substrateAddress}/${HASH}/${id}`, { token: user.token });
    expect(await listed()).toEqual(['docs', 'docs/old', 'docsx', 'pictures']);
  });

  it('is refused to others and to nobody', async () => {
    const [forbidden, anonymous] = [await list(other.token), await list('')];
    expect([forbidden.status, forbidden.body, anonymous.status]).toEqual([403, refused('forbidden'), 401]);
  });
});

describe('directories', () => {
  it('are registered once', async () => {
    await register('a', 'a/', 'b');
    expect((await register('a', 'c')).data.registerFolderEntries.changedCount).toBe(1);
    expect(await listed()).toEqual(['a', 'b', 'c']);
  });

  it('are registered once by twenty at once', async () => {
    const answers = await twentyAtOnce(() => register('a', 'b'));
    const counts = answers.map(({ data }) => data.registerFolderEntries.changedCount);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(2);
  });

  it('are removed, whatever is not registered left out', async () => {
    await register('a', 'b');
    expect((await remove('a', 'x')).data.removeFolderEntries.changedCount).toBe(1);
    expect(await listed()).toEqual(['b']);
  });

  it('of 4096 bytes are kept', async () => {
    const path = `${'x'.repeat(4094)}/y`;
    await register(path);
    expect(await listed()).toEqual([path]);
  });

  it('vanish with their folder and come back with it', async () => {
    await register('a');
    await call('DELETE /unregister_folder', { token: user.token, body: named() });
    expect(await listed()).toEqual([]);
    const variables = { owner: user.substrateAddress };
    const query = 'query ($owner: String!) { deletedFolders(ownerAddress: $owner) { folderId } }';
    const { data } = await graphql(query, { token: user.token, variables });
    const restore =
      'mutation ($owner: String!, $id: ID!) { restoreFolder(ownerAddress: $owner, folderId: $id) { label } }';
    await graphql(restore, { token: user.token, variables: { ...variables, id: data.deletedFolders[0].folderId } });
    expect(await listed()).toEqual(['a']);
  });
});

describe('what cannot be registered', () => {
  it.each(['', '/', '/a', 'a//b', '.', 'a/..', '../a', 'a\\b', `${'x'.repeat(4096)}y`])('the path %j', async (path) => {
    const answer = await register('fine', path);
    expect([codeOf(answer), answer.errors[0].extensions.reason]).toEqual(['BAD_REQUEST', 'invalid_path']);
    expect(await listed()).toEqual([]);
  });

  it('more than 500 at once', async () => {
    const paths = Array.from({ length: 501 }, (_, i) => `d${i}`);
    const answer = await register(...paths);
    expect([codeOf(answer), answer.errors[0].extensions.reason]).toEqual(['BAD_REQUEST', 'batch_too_large']);
    expect((await register(...paths.slice(1))).data.registerFolderEntries.changedCount).toBe(500);
  });

  it('anything in a folder that is not there', async () => {
    const hash = '8ed3f6ad685b959e';
    const [added, removed] = [
      await change('registerFolderEntries', ['a'], { hash }),
      await change('removeFolderEntries', ['a'], { hash }),
    ];
    expect([codeOf(added), codeOf(removed)]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  it.each(['registerFolderEntries', 'removeFolderEntries'])('anything by another user: %s', async (name) => {
    await register('a');
    const [theirs, nobodys] = [
      await change(name, ['a'], { token: other.token }),
      await change(name, ['a'], { token: '' }),
    ];
    expect([codeOf(theirs), codeOf(nobodys)]).toEqual(['FORBIDDEN', 'UNAUTHENTICATED']);
    expect(await listed()).toEqual(['a']);
  });
});
