import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call, type Json } from '../../kit/platform.js';
import {
  DEFAULT_HASH,
  following,
  foldersOf,
  pathHashOf,
  register,
  rename,
  renameOf,
  stateOf,
  store,
  renaming,
  tryUpload,
  type StoredFile,
} from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let a: StoredFile;
let b: StoredFile;
beforeEach(async () => {
  user = await signIn();
  [a, b] = await Promise.all([store(user, 'a.txt'), store(user, 'b.txt')]);
});

const rows = async (): Promise<Json[]> => (await stateOf(user)).body.Success.files;
const paths = async () => (await rows()).map(({ relative_path }): string => relative_path).toSorted();
const idOf = (path: string) => Buffer.from(pathHashOf(path)).toString('hex');
const download = (path: string) =>
  send(`GET /download/${user.substrateAddress}/${DEFAULT_HASH}/${idOf(path)}`, undefined, { token: user.token });

describe('POST /rename_files', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await rename(user, [renameOf(a, 'c.txt')]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          status: 'ok',
          renamed_count: 1,
          successes: [
            {
              old_path_hash: a.pathHash,
              new_path_hash: pathHashOf('c.txt'),
              new_revision_id: expect.any(Array),
              new_revision_seq: 2,
            },
          ],
          failures: [],
        },
      },
    });
    expect(body.Success.successes[0].new_revision_id).toHaveLength(32);
  });

  it('keeps the ciphertext and frees the old id', async () => {
    const { body } = await rename(user, [renameOf(a, 'c.txt')]);
    const [kept, old] = await Promise.all([download('c.txt'), download('a.txt')]);
    expect([kept.bytes.equals(a.bytes), old.status]).toEqual([true, 404]);
    expect(kept.headers['x-revision-id']).toBe(Buffer.from(body.Success.successes[0].new_revision_id).toString('hex'));
  });

  it('writes what it says of the file', async () => {
    const { body } = await rename(user, [renameOf(a, 'docs/c.png')]);
    const row = (await rows()).find(({ relative_path }) => relative_path === 'docs/c.png');
    expect(row).toMatchObject({
      path_hash: pathHashOf('docs/c.png'),
      file_name: 'c.png',
      encrypted_path: [9, 8, 7],
      revision_seq: 2,
      revision_id: body.Success.successes[0].new_revision_id,
      size_bytes: a.bytes.length,
    });
  });

  it('is followed by search and browse', async () => {
    await rename(user, [renameOf(a, 'docs/c.png')]);
    const find = async (query: string) =>
      (await call(`GET /search_files/${user.substrateAddress}?${query}`, { token: user.token })).body.Success
        .total_count;
    expect([await find('q=a.txt'), await find('q=c.png'), await find('file_type=image')]).toEqual([0, 1, 1]);
    const { body } = await call(`GET /browse/${user.substrateAddress}/${DEFAULT_HASH}`, { token: user.token });
    expect(body.Success.folders).toEqual([{ name: 'docs', file_count: 1, total_bytes: 50 }]);
  });

  it('lets the old path be new again, and the new one be replaced', async () => {
    const { body } = await rename(user, [renameOf(a, 'c.txt')]);
    expect((await tryUpload(user, 'a.txt')).status).toBe(200);
    const base = { ...a, revisionId: body.Success.successes[0].new_revision_id, revisionSeq: 2 };
    expect((await tryUpload(user, 'c.txt', { manifest: following(base) })).status).toBe(200);
  });

  it('is a change of the folder, whose counts stay', async () => {
    await register(user, 'default', DEFAULT_HASH);
    await rename(user, [renameOf(a, 'c.txt')]);
    const updated = (await rows()).find(({ file_name }) => file_name === 'c.txt')?.updated_at;
    expect(await foldersOf(user)).toMatchObject([{ file_count: 2, total_bytes: 100, updated_at: updated }]);
  });

  it('takes null for names that are not told', async () => {
    await rename(user, [
      renameOf(a, 'c.txt', { new_file_name: null, new_relative_path: null, new_encrypted_path: [] }),
    ]);
    expect(await rows()).toContainEqual(
      expect.objectContaining({ path_hash: pathHashOf('c.txt'), file_name: null, relative_path: null }),
    );
  });

  it('takes none', async () => {
    expect((await rename(user, [])).body.Success).toEqual({
      status: 'ok',
      renamed_count: 0,
      successes: [],
      failures: [],
    });
  });

  it('takes a thousand and refuses more', async () => {
    const many = Array.from({ length: 1001 }, (_, at) => renameOf(a, `${at}`, { old_path_hash: pathHashOf(`x${at}`) }));
    const most = await rename(user, many.slice(1));
    expect([most.status, most.body.Success.failures.length]).toEqual([200, 1000]);
    const { status, body } = await rename(user, many);
    expect({ status, body }).toEqual({ status: 400, body: refused('batch_too_large') });
  });
});

describe('entries of a renaming', () => {
  const outcome = async (renames: Json[]) => {
    const { status, body } = await rename(user, renames);
    const { renamed_count, failures } = body.Success;
    return { status, renamed_count, reasons: failures.map(({ reason }: Json) => reason) };
  };

  it.each([
    ['not_found', () => renameOf(a, 'c.txt', { old_path_hash: pathHashOf('nowhere') })],
    ['target_exists', () => renameOf(a, 'b.txt')],
    ['revision_mismatch', () => renameOf(a, 'c.txt', { base_revision_id: [...randomBytes(32)] })],
    ['revision_mismatch', () => renameOf(a, 'c.txt', { base_revision_id: null })],
    ['revision_mismatch', () => renameOf(a, 'c.txt', { base_revision_id: undefined })],
  ])('fail with %s, and nothing changes', async (reason, entry) => {
    expect(await outcome([entry()])).toEqual({ status: 200, renamed_count: 0, reasons: [reason] });
    expect(await paths()).toEqual(['a.txt', 'b.txt']);
  });

  it('succeed and fail one by one', async () => {
    const entries = [renameOf(a, 'c.txt', { base_revision_id: null }), renameOf(b, 'd.txt')];
    expect(await outcome(entries)).toEqual({ status: 200, renamed_count: 1, reasons: ['revision_mismatch'] });
    expect(await paths()).toEqual(['a.txt', 'd.txt']);
  });

  it('may take the path that an earlier one left', async () => {
    expect(await outcome([renameOf(b, 'c.txt'), renameOf(a, 'b.txt')])).toMatchObject({ renamed_count: 2 });
    const [first, second] = await Promise.all([download('b.txt'), download('c.txt')]);
    expect([first.bytes.equals(a.bytes), second.bytes.equals(b.bytes)]).toEqual([true, true]);
  });

  it('may not take the path that a later one leaves', async () => {
    const reply = await outcome([renameOf(a, 'b.txt'), renameOf(b, 'c.txt')]);
    expect(reply).toEqual({ status: 200, renamed_count: 1, reasons: ['target_exists'] });
    expect(await paths()).toEqual(['a.txt', 'c.txt']);
  });

  it('swap two files by a third path, with the revisions that came of it', async () => {
    expect(await outcome([renameOf(a, 'b.txt'), renameOf(b, 'a.txt')])).toMatchObject({ renamed_count: 0 });
    const { body } = await rename(user, [renameOf(a, 'aside'), renameOf(b, 'a.txt')]);
    const aside = { ...a, pathHash: pathHashOf('aside'), revisionId: body.Success.successes[0].new_revision_id };
    expect(await outcome([renameOf(aside, 'b.txt')])).toMatchObject({ renamed_count: 1 });
    expect((await download('b.txt')).bytes.equals(a.bytes)).toBe(true);
    expect((await download('a.txt')).bytes.equals(b.bytes)).toBe(true);
  });

  it('fail where there is no higher sequence, alone', async () => {
    const last = await store(user, 'a.txt', { manifest: following(a, { revision_seq: '18446744073709551615' }) });
    expect(await outcome([renameOf(last, 'c.txt'), renameOf(b, 'd.txt')])).toEqual({
      status: 200,
      renamed_count: 1,
      reasons: ['database_error'],
    });
  });

  it('let one of twenty at once take a path', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => rename(user, [renameOf(a, 'c.txt')])));
    expect(replies.reduce((sum, { body }) => sum + body.Success.renamed_count, 0)).toBe(1);
    expect(await paths()).toEqual(['b.txt', 'c.txt']);
  });

  it('are not found in a folder that is not there', async () => {
    const { body } = await rename(user, [renameOf(a, 'c.txt')], { folder_hash: '8ed3f6ad685b959e' });
    expect(body.Success.failures).toEqual([{ old_path_hash: a.pathHash, reason: 'not_found' }]);
  });
});

describe('a renaming that is refused', () => {
  const INVALID = { status: 400, body: refused('invalid_manifest') };
  const send400 = async (changes: Json, entry: Json = {}) => {
    const body = { ...renaming(user, [renameOf(a, 'c.txt')]), ...changes };
    body.renames = body.renames?.map?.((one: Json) => ({ ...one, ...entry })) ?? body.renames;
    const reply = await call('POST /rename_files', { token: user.token, body });
    return { status: reply.status, body: reply.body };
  };

  it.each(['ss58_address', 'folder_hash', 'renames', 'signature', 'signing_key'])('lacks %s', async (field) => {
    expect(await send400({ [field]: undefined })).toEqual(INVALID);
    expect(await send400({ [field]: null })).toEqual(INVALID);
  });

  it('is larger than 8 MiB', async () => {
    expect(await send400({ color: 'x'.repeat(8 * 1024 * 1024) })).toEqual({
      status: 413,
      body: refused('payload_too_large'),
    });
  });

  it.each([
    ['signature', [...randomBytes(64)]],
    ['signature', [1, 2]],
    ['signing_key', [...randomBytes(32)]],
    ['signing_key', []],
    ['folder_hash', 'xyz'],
    ['folder_hash', ''],
    ['renames', {}],
    ['renames', [null]],
    ['renames', [7]],
  ])('has a `%s` of %j', async (field, value) => {
    expect(await send400({ [field]: value })).toEqual(INVALID);
  });

  it.each([
    ['old_path_hash', undefined],
    ['old_path_hash', [1]],
    ['new_path_hash', null],
    ['new_path_hash', [...randomBytes(32)]],
    ['base_revision_id', [1]],
    ['new_encrypted_path', [256]],
    ...['..', 'a/../b', './a', 'a//b', '/a', 'a/', 'a\\b', 'a\0b', 'x'.repeat(5000)].map((path): [string, string] => [
      'new_relative_path',
      path,
    ]),
    ['new_file_name', 7],
  ])('has an entry with a `%s` of %j', async (field, value) => {
    expect(await send400({}, { [field]: value })).toEqual(INVALID);
    expect(await paths()).toEqual(['a.txt', 'b.txt']);
  });
});
