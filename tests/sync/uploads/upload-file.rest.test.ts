import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call } from '../../kit/platform.js';
import {
  ALPHA_HASH,
  DEFAULT_HASH,
  DIALECTS,
  following,
  foldersOf,
  register,
  stateOf,
  store,
  tryUpload,
} from '../../kit/files/sync.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const MIB = 1024 * 1024;

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const downloaded = async (fileId: string, folder = DEFAULT_HASH) =>
  (await send(`GET /download/${user.substrateAddress}/${folder}/${fileId}`, undefined, { token: user.token })).bytes;

describe('POST /upload', () => {
  it('answers the documented upload result', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await tryUpload(user, 'docs/a.txt');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          upload_id: expect.stringMatching(/./),
          timestamp: expect.any(Number),
          revision_id: expect.any(Array),
          created_at: expect.any(Number),
          updated_at: expect.any(Number),
        },
      },
    });
    const { timestamp, created_at, updated_at, revision_id } = body.Success;
    expect(revision_id).toHaveLength(32);
    expect(revision_id.every((byte: unknown) => Number.isInteger(byte))).toBe(true);
    expect([created_at, updated_at]).toEqual([timestamp, timestamp]);
    expect(timestamp).toBeGreaterThanOrEqual(before);
  });

  it.each(DIALECTS)('keeps every byte as %s sends them', async (dialect) => {
    // What is no UTF-8, what looks like a boundary, and what is longer than a piece of the socket.
    const odd = Buffer.from('\r\n--the-boundar\r\n\r\n--the-boundarx\u0000', 'latin1');
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0, 0x0d, 0x0a]),
      randomBytes(200_000),
      odd,
      Buffer.from([0xc3]),
    ]);
    const { fileId } = await store(user, 'a.bin', { bytes, dialect });
    expect((await downloaded(fileId)).equals(bytes)).toBe(true);
  });

  it.each([
    ['nothing', 0],
    ['a byte', 1],
    ['exactly the 8 MiB of a chunk', 8 * MIB],
    ['8 MiB and a byte', 8 * MIB + 1],
    ['20 MiB', 20 * MIB],
  ])('stores a file of %s', async (_, length) => {
    const bytes = randomBytes(length);
    const { fileId } = await store(user, 'a.bin', { bytes });
    expect((await downloaded(fileId)).equals(bytes)).toBe(true);
  });

  it('writes what the manifest says into the state', async () => {
    const { pathHash, revisionId } = await store(user, 'docs/a.txt', {
      bytes: Buffer.from('bytes'),
      manifest: { size_bytes: 12_345, encrypted_path: [4, 5, 6], source: 'desktop' },
    });
    const { body } = await stateOf(user);
    expect(body.Success.files).toEqual([
      {
        path_hash: pathHash,
        salted_hash: expect.any(Array),
        size_bytes: 12_345,
        revision_seq: 1,
        revision_id: revisionId,
        encrypted_path: [4, 5, 6],
        file_name: 'a.txt',
        relative_path: 'docs/a.txt',
        store_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        chunk_hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        uploaded_by: user.substrateAddress,
      },
    ]);
  });

  it.each([0, 1, 7])('takes a new file with sequence %i', async (revision_seq) => {
    const { status } = await tryUpload(user, 'a.txt', { manifest: { revision_seq } });
    expect(status).toBe(200);
  });

  it('lets one of twenty at once be a new file', async () => {
    const replies = await twentyAtOnce(() => tryUpload(user, 'a.txt'));
    expect(tally(replies)).toEqual({ 200: 1, 409: 19 });
    expect(await foldersOf(user)).toEqual([]);
    expect((await stateOf(user)).body.Success.total_count).toBe(1);
  });

  it('lets one of twenty at once replace a revision', async () => {
    const file = await store(user, 'a.txt');
    const replies = await twentyAtOnce(() => tryUpload(user, 'a.txt', { manifest: following(file) }));
    expect(tally(replies)).toEqual({ 200: 1, 409: 19 });
    expect((await stateOf(user)).body.Success.files).toMatchObject([{ revision_seq: 2 }]);
  });

  it('stores twenty different files at once', async () => {
    await register(user, 'default', DEFAULT_HASH);
    let count = 0;
    const replies = await twentyAtOnce(() => tryUpload(user, `${count++}.txt`, { manifest: { size_bytes: 3 } }));
    expect(tally(replies)).toEqual({ 200: 20 });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 20, total_bytes: 60 }]);
  });
});

describe('the counts of a folder', () => {
  beforeEach(async () => {
    await register(user, 'default', DEFAULT_HASH);
  });

  it('grow with a new file by its plaintext', async () => {
    await store(user, 'a.txt', { bytes: randomBytes(500), manifest: { size_bytes: 452 } });
    await store(user, 'b.txt', { manifest: { size_bytes: 1000 } });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 2, total_bytes: 1452 }]);
  });

  it('follow a file that is replaced by a smaller one', async () => {
    const file = await store(user, 'a.txt', { manifest: { size_bytes: 1000 } });
    await store(user, 'a.txt', { manifest: following(file, { size_bytes: 10 }) });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 1, total_bytes: 10 }]);
  });

  it('are not moved by an upload that is refused', async () => {
    await tryUpload(user, 'a.txt', { manifest: { ciphertext_hash: '0'.repeat(64) } });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 0, total_bytes: 0 }]);
  });

  it('hold what a file of any size says', async () => {
    const manifest = { size_bytes: '9223372036854775807' };
    for (const path of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
      await store(user, path, { manifest });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 12, total_bytes: expect.any(Number) }]);
  });

  it('tell when a file last changed', async () => {
    const { body } = await tryUpload(user, 'a.txt');
    expect(await foldersOf(user)).toMatchObject([{ updated_at: body.Success.updated_at }]);
  });
});

describe('a folder that is not registered', () => {
  const found = async () =>
    (await call(`GET /search_files/${user.substrateAddress}`, { token: user.token })).body.Success.files;

  beforeEach(async () => {
    await store(user, 'a.txt', { manifest: { folder_hash: ALPHA_HASH, size_bytes: 7 } });
  });

  it('takes files, which surface with an empty label', async () => {
    expect(await found()).toMatchObject([{ folder_hash: ALPHA_HASH, folder_label: '' }]);
  });

  it('is not on the list of folders', async () => {
    expect(await foldersOf(user)).toEqual([]);
  });

  it('gets its label when it is registered later', async () => {
    const { status } = await register(user, 'alpha', ALPHA_HASH);
    expect(status).toBe(200);
    expect(await found()).toMatchObject([{ folder_hash: ALPHA_HASH, folder_label: 'alpha' }]);
    expect(await foldersOf(user)).toMatchObject([{ label: 'alpha', file_count: 1, total_bytes: 7 }]);
  });

  it('cannot be unregistered', async () => {
    const body = { ss58_address: user.substrateAddress, folder_hash: ALPHA_HASH };
    const { status } = await call('DELETE /unregister_folder', { token: user.token, body });
    expect(status).toBe(404);
  });

  it('keeps files of the same name apart from those of another folder', async () => {
    await store(user, 'a.txt');
    const [first, second] = await Promise.all([stateOf(user), stateOf(user, '', ALPHA_HASH)]);
    expect([first.body.Success.total_count, second.body.Success.total_count]).toEqual([1, 1]);
  });
});

describe('a folder that is unregistered', () => {
  let other: SignedIn;
  beforeAll(async () => {
    other = await signIn();
  });

  it('takes its files with it, from every listing, and no other owner loses any', async () => {
    await register(user, 'default', DEFAULT_HASH);
    const { fileId } = await store(user, 'a.txt');
    await store(other, 'a.txt');
    const body = { ss58_address: user.substrateAddress, folder_hash: DEFAULT_HASH };
    const { body: answer } = await call('DELETE /unregister_folder', { token: user.token, body });
    expect(answer).toEqual({ Success: { status: 'unregistered', files_deleted: 1 } });
    const { status } = await send(`GET /download/${user.substrateAddress}/${DEFAULT_HASH}/${fileId}`, undefined, user);
    expect(status).toBe(404);
    expect((await stateOf(user)).body.Success.files).toEqual([]);
    const { body: search } = await call(`GET /search_files/${user.substrateAddress}?q=a`, { token: user.token });
    expect(search.Success).toMatchObject({ files: [], total_count: 0, has_more: false });
    expect((await stateOf(other)).body.Success.total_count).toBe(1);
  });

  it('can be filled again', async () => {
    await register(user, 'default', DEFAULT_HASH);
    await store(user, 'a.txt');
    const body = { ss58_address: user.substrateAddress, folder_hash: DEFAULT_HASH };
    await call('DELETE /unregister_folder', { token: user.token, body });
    expect((await tryUpload(user, 'a.txt')).status).toBe(200);
  });
});
