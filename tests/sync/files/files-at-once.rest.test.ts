import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call, type Json } from '../../kit/platform.js';
import {
  DEFAULT_HASH,
  foldersOf,
  register,
  rename,
  renameOf,
  stateOf,
  store,
  tryUpload,
  uploadPlain,
} from '../../kit/files/sync.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const times = (count: number) => Array.from({ length: count }, (_, at) => at);
const total = (files: readonly Json[]) => files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);

/** What the listings say of the same files. */
async function figures() {
  const { files, total_count } = (await stateOf(user)).body.Success;
  const { body: found } = await call(`GET /search_files/${user.substrateAddress}?limit=1000`, { token: user.token });
  const { body: browsed } = await call(`GET /browse/${user.substrateAddress}/${DEFAULT_HASH}`, { token: user.token });
  const { body: summary } = await call(`GET /get_user_summary/${user.substrateAddress}`, { token: user.token });
  return {
    listed: { count: files.length, bytes: total(files) },
    counts: [total_count, found.Success.total_count, found.Success.files.length, browsed.Success.total_count],
    summary: { count: summary.Success.file_count, bytes: summary.Success.total_bytes },
  };
}

async function expectAgreement(): Promise<void> {
  const { listed, counts, summary } = await figures();
  expect(counts).toEqual([listed.count, listed.count, listed.count, listed.count]);
  expect(summary).toEqual(listed);
}

describe('many changes of a new owner at once', () => {
  it('all come through: uploads, gateway files, sessions and the registration of the folder', async () => {
    const bytes = randomBytes(100);
    const replies = await Promise.all([
      ...times(8).map((at) => tryUpload(user, `${at}.txt`)),
      ...times(8).map((at) => uploadPlain(user, `${at}.bin`, bytes)),
      ...times(4).map(async (at) => {
        const upload = await TestUpload.open({ user, bytes, manifest: { size_bytes: at } });
        await upload.putAll();
        return upload.finalize();
      }),
      register(user, 'default', DEFAULT_HASH),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const { body } = await call(`GET /get_user_summary/${user.substrateAddress}`, { token: user.token });
    expect(body.Success.file_count).toBe(20);
    expect(await foldersOf(user)).toMatchObject([{ file_count: 12 }]);
  });

  it('leave listings, search and counts in agreement', async () => {
    const files = await Promise.all(times(12).map((at) => store(user, `${at}.txt`, { manifest: { size_bytes: at } })));
    await Promise.all([
      ...files
        .slice(0, 4)
        .map(({ fileId }) =>
          call(`DELETE /delete/${user.substrateAddress}/${DEFAULT_HASH}/${fileId}`, { token: user.token }),
        ),
      ...files.slice(2, 8).map((file) => rename(user, [renameOf(file, `moved-${file.path}`)])),
      ...times(6).map((at) => tryUpload(user, `${at}.txt`, { manifest: { size_bytes: 100 } })),
      ...files.slice(6, 10).map((file) =>
        tryUpload(user, file.path, {
          manifest: { base_revision_id: file.revisionId, revision_seq: 2, size_bytes: 1000 },
        }),
      ),
    ]);
    await expectAgreement();
  });

  it('answer all who ask while files are replaced', async () => {
    const first = await store(user, 'a.txt', { bytes: randomBytes(200_000) });
    let { revisionId } = first;
    const path = `GET /download/${user.substrateAddress}/${DEFAULT_HASH}/${first.fileId}`;
    for (const at of times(5)) {
      const manifest = { base_revision_id: revisionId, revision_seq: at + 2 };
      const [next, ...downloads] = await Promise.all([
        store(user, 'a.txt', { bytes: randomBytes(200_000), manifest }),
        ...times(5).map(() => send(path, undefined, { token: user.token })),
      ]);
      expect(downloads.map(({ status, bytes }) => [status, bytes.length])).toEqual(times(5).map(() => [200, 200_000]));
      ({ revisionId } = next);
    }
  });
});

describe('a folder that is unregistered while files come', () => {
  it('leaves every file either gone or listed', async () => {
    await register(user, 'default', DEFAULT_HASH);
    const body = { ss58_address: user.substrateAddress, folder_hash: DEFAULT_HASH };
    const [gone, ...uploads] = await Promise.all([
      call('DELETE /unregister_folder', { token: user.token, body }),
      ...times(10).map((at) => tryUpload(user, `${at}.txt`)),
    ]);
    expect(uploads.map(({ status }) => status)).toEqual(uploads.map(() => 200));
    const { total_count } = (await stateOf(user)).body.Success;
    expect(gone.body.Success.files_deleted + total_count).toBe(10);
    await expectAgreement();
  });
});
