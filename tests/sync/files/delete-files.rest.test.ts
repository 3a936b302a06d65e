import { beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { DEFAULT_HASH, foldersOf, register, stateOf, store, tryUpload, type StoredFile } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../kit/rest/rest-checks.js';

const NOWHERE = '0'.repeat(64);

let user: SignedIn;
let file: StoredFile;
beforeEach(async () => {
  user = await signIn();
  await register(user, 'default', DEFAULT_HASH);
  file = await store(user, 'a.txt', { manifest: { size_bytes: 100 } });
});

const deleteOne = (fileId: string, folder = DEFAULT_HASH) =>
  call(`DELETE /delete/${user.substrateAddress}/${folder}/${fileId}`, { token: user.token });

async function deleteMany(body: Json) {
  const given = { ss58_address: user.substrateAddress, folder_hash: DEFAULT_HASH, file_ids: [], quiet: false };
  const reply = await call('POST /delete_files', { token: user.token, body: { ...given, ...body } });
  return { status: reply.status, body: reply.body };
}

describe('DELETE /delete/{ss58}/{folder_hash}/{file_id}', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await deleteOne(file.fileId);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          status: 'deleted',
          file_id: file.fileId,
          ss58_address: user.substrateAddress,
          folder_hash: DEFAULT_HASH,
        },
      },
    });
  });

  it('takes the file from every listing and from the counts', async () => {
    await store(user, 'b.txt', { manifest: { size_bytes: 11 } });
    await deleteOne(file.fileId);
    expect((await stateOf(user)).body.Success).toMatchObject({ total_count: 1, files: [{ file_name: 'b.txt' }] });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 1, total_bytes: 11 }]);
    const { body } = await call(`GET /search_files/${user.substrateAddress}`, { token: user.token });
    expect(body.Success.total_count).toBe(1);
    const download = `GET /download/${user.substrateAddress}/${DEFAULT_HASH}/${file.fileId}`;
    expect((await call(download, { token: user.token })).status).toBe(404);
  });

  it('lets one of twenty at once delete it', async () => {
    const replies = await twentyAtOnce(() => deleteOne(file.fileId));
    expect(tally(replies)).toEqual({ 200: 1, 404: 19 });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 0, total_bytes: 0 }]);
  });

  it('lets the file be new again', async () => {
    await deleteOne(file.fileId);
    expect((await tryUpload(user, 'a.txt')).status).toBe(200);
  });

  it('is 404 for what is not there', async () => {
    const { status, body } = await deleteOne(NOWHERE);
    expect({ status, body }).toEqual({ status: 404, body: refused('not_found') });
    expect((await deleteOne(file.fileId, '8ed3f6ad685b959e')).status).toBe(404);
  });

  it.each(['xyz', '0'.repeat(63), 'a%2Fb', '%25'])('is 400 for the id "%s"', async (fileId) => {
    const { status, body } = await deleteOne(fileId);
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_file_id') });
  });
});

describe('POST /delete_files', () => {
  it('deletes some and tells what was gone already', async () => {
    const other = await store(user, 'b.txt');
    expect(await deleteMany({ file_ids: [file.fileId, NOWHERE, other.fileId] })).toEqual({
      status: 200,
      body: {
        Success: {
          deleted: [
            { file_id: file.fileId, status: 'deleted' },
            { file_id: NOWHERE, status: 'already_deleted' },
            { file_id: other.fileId, status: 'deleted' },
          ],
          errors: [],
          files_deleted: 2,
        },
      },
    });
    expect(await foldersOf(user)).toMatchObject([{ file_count: 0, total_bytes: 0 }]);
  });

  it('tells each file once that is named twice', async () => {
    const { body } = await deleteMany({ file_ids: [file.fileId, file.fileId.toUpperCase()] });
    expect(body.Success).toMatchObject({
      deleted: [{ status: 'deleted' }, { file_id: file.fileId.toUpperCase(), status: 'already_deleted' }],
      files_deleted: 1,
    });
  });

  it('leaves out what it deleted when it is to be quiet', async () => {
    expect(await deleteMany({ file_ids: [file.fileId, 'xyz'], quiet: true })).toEqual({
      status: 200,
      body: {
        Success: {
          errors: [
            { file_id: 'xyz', code: 'invalid_file_id', error: 'invalid_file_id', message: expect.stringMatching(/\S/) },
          ],
          files_deleted: 1,
        },
      },
    });
  });

  it.each([undefined, null])('is not quiet when it is %p', async (quiet) => {
    const { body } = await deleteMany({ file_ids: [file.fileId], quiet });
    expect(body.Success.deleted).toHaveLength(1);
  });

  it('answers 200 when none could be deleted', async () => {
    const { status, body } = await deleteMany({ file_ids: ['', '../x', '%'] });
    expect([status, body.Success.errors.length, body.Success.files_deleted]).toEqual([200, 3, 0]);
  });

  it('is not 404 in a folder that is not there', async () => {
    const { status, body } = await deleteMany({ folder_hash: '8ed3f6ad685b959e', file_ids: [file.fileId] });
    expect([status, body.Success.deleted[0].status]).toEqual([200, 'already_deleted']);
  });

  it.each(['', null, undefined])('means what a gateway brought when the folder is %j', async (folder_hash) => {
    const { body } = await deleteMany({ folder_hash, file_ids: [file.fileId] });
    expect(body.Success).toMatchObject({ deleted: [{ status: 'already_deleted' }], files_deleted: 0 });
  });

  it('takes 1000 ids and refuses 1001', async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => at.toString(16).padStart(64, '0'));
    const most = await deleteMany({ file_ids: ids.slice(1) });
    expect([most.status, most.body.Success.deleted.length]).toEqual([200, 1000]);
    expect(await deleteMany({ file_ids: ids })).toEqual({ status: 400, body: refused('batch_too_large') });
  });

  it.each([
    ['file_ids', undefined],
    ['file_ids', null],
    ['file_ids', 'xyz'],
    ['file_ids', [7]],
    ['folder_hash', 'xyz'],
    ['quiet', 'loud'],
    ['ss58_address', undefined],
  ])('refuses a `%s` of %j', async (field, value) => {
    expect(await deleteMany({ [field]: value })).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('takes `user_id` in the place of `ss58_address`', async () => {
    const body = { ss58_address: undefined, user_id: user.substrateAddress, file_ids: [file.fileId] };
    expect((await deleteMany(body)).body.Success.files_deleted).toBe(1);
  });
});
