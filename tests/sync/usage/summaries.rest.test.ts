import { beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { ALPHA_HASH, store, uploadPlain } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const summary = async (name: string): Promise<Json> =>
  (await call(`GET /get_${name}_summary/${user.substrateAddress}`, { token: user.token })).body.Success;

const TYPES = ['image', 'video', 'audio', 'document', 'pdf', 'archive', 'code', 'other'];
const SOURCES = ['desktop', 'console', 'mobile', 'other'];
const none = (kinds: string[]) =>
  Object.fromEntries(
    kinds.flatMap((kind) => [
      [kind, 0],
      [`${kind}_bytes`, 0],
    ]),
  );

describe('GET /get_user_summary/{ss58}', () => {
  it('sums up all folders', async () => {
    await store(user, 'a.txt', { manifest: { size_bytes: 100 } });
    await store(user, 'b.txt', { manifest: { size_bytes: 20, folder_hash: ALPHA_HASH } });
    await uploadPlain(user, 'c', Buffer.from('abc'));
    expect(await summary('user')).toEqual({
      ss58_address: user.substrateAddress,
      total_bytes: 123,
      file_count: 3,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
  });

  it('is nothing for who has no file', async () => {
    expect(await summary('user')).toMatchObject({ total_bytes: 0, file_count: 0 });
  });
});

describe('GET /get_file_type_summary/{ss58}', () => {
  it('counts nothing for who has no file', async () => {
    expect(await summary('file_type')).toEqual(none(TYPES));
  });

  it('counts files by their names', async () => {
    const files = ['a.png', 'b.JPG', 'c.mp4', 'd.pdf', 'e.tar.gz', 'f.ts', 'g.xyz', 'h'];
    await Promise.all(files.map((path) => store(user, path, { manifest: { size_bytes: 10 } })));
    await store(user, 'i.png', { manifest: { file_name: null, relative_path: null, size_bytes: 10 } });
    expect(await summary('file_type')).toEqual({
      ...none(TYPES),
      image: 2,
      image_bytes: 20,
      video: 1,
      video_bytes: 10,
      pdf: 1,
      pdf_bytes: 10,
      archive: 1,
      archive_bytes: 10,
      code: 1,
      code_bytes: 10,
      other: 3,
      other_bytes: 30,
    });
  });
});

describe('GET /get_source_summary/{ss58}', () => {
  it('counts nothing for who has no file', async () => {
    expect(await summary('source')).toEqual(none(SOURCES));
  });

  it('counts files by the client that brought them', async () => {
    const sources = ['desktop', 'Console', 'mobile', 'python-sdk', null];
    const plans = sources.map((source, at) => ({ path: `${at}`, manifest: { source, size_bytes: 5 } }));
    await Promise.all(plans.map(({ path, manifest }) => store(user, path, { manifest })));
    expect(await summary('source')).toEqual({
      desktop: 1,
      desktop_bytes: 5,
      console: 1,
      console_bytes: 5,
      mobile: 1,
      mobile_bytes: 5,
      other: 2,
      other_bytes: 10,
    });
  });
});

describe('POST /can_upload', () => {
  const ask = async (body: Json) => {
    const given = { ss58_address: user.substrateAddress, size_bytes: 1000 };
    const reply = await call('POST /can_upload', { token: user.token, body: { ...given, ...body } });
    return { status: reply.status, body: reply.body };
  };

  it('answers at the top level and in the envelope', async () => {
    expect(await ask({})).toEqual({ status: 200, body: { result: true, Success: { result: true } } });
  });

  it('takes `user_id` and a folder', async () => {
    const { body } = await ask({ ss58_address: undefined, user_id: user.substrateAddress, folder_hash: ALPHA_HASH });
    expect(body.result).toBe(true);
  });

  it('says no to what no file can be, with 200', async () => {
    // With its frames this is a ciphertext of 1 TiB.
    const largest = 1_099_427_748_048;
    expect((await ask({ size_bytes: largest })).body.result).toBe(true);
    expect(await ask({ size_bytes: largest + 1 })).toEqual({
      status: 200,
      body: { result: false, error: expect.any(String), Success: { result: false, error: expect.any(String) } },
    });
  });

  it.each([
    ['size_bytes', -1],
    ['size_bytes', 1.5],
    ['size_bytes', undefined],
    ['size_bytes', null],
    ['size_bytes', 'x'],
    ['size_bytes', '18446744073709551616'],
    ['ss58_address', undefined],
    ['folder_hash', 'xyz'],
  ])('refuses a `%s` of %j', async (field, value) => {
    expect(await ask({ [field]: value })).toEqual({ status: 400, body: refused('invalid_manifest') });
  });
});

describe('GET /list_folder_entries/{ss58}/{folder_hash}', () => {
  it('answers at the top level and in the envelope', async () => {
    const path = `GET /list_folder_entries/${user.substrateAddress}/${ALPHA_HASH}`;
    const { status, body } = await call(path, { token: user.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: { relative_paths: [], Success: { relative_paths: [] } },
    });
  });
});
