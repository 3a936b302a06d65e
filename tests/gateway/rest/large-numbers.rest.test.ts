import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call, codeOf, graphql } from '../../kit/platform.js';
import {
  DEFAULT_HASH,
  following,
  foldersOf,
  manifestOf,
  postForm,
  register,
  rename,
  renameOf,
  stateOf,
  store,
  tryUpload,
  uploadForm,
} from '../../kit/files/sync.js';
import { openSession, refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const ODD = '9007199254740993';
const SIGNED = '9223372036854775808';
const LARGEST = '18446744073709551615';
const BEYOND = '18446744073709551616';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

/** JSON with these digits as the number that the field holds. */
const withDigits = (value: object, field: string, digits: string) =>
  JSON.stringify({ ...value, [field]: null }).replace(`"${field}":null`, () => `"${field}":${digits}`);

const upload = async (path: string, field: string, digits: string) => {
  const bytes = randomBytes(50);
  const manifest = withDigits(manifestOf(user, path, bytes), field, digits);
  return postForm(uploadForm(manifest, bytes), user.token);
};

describe('a whole number of 64 bits', () => {
  it.each([ODD, '9223372036854775807', SIGNED, LARGEST])(
    '%s is taken as a sequence and told as a JSON number',
    async (digits) => {
      expect(await upload('a.txt', 'revision_seq', digits)).toMatchObject({ status: 200 });
      const listings = await Promise.all([
        stateOf(user),
        call(`GET /search_files/${user.substrateAddress}`, { token: user.token }),
        call(`GET /browse/${user.substrateAddress}/${DEFAULT_HASH}`, { token: user.token }),
      ]);
      for (const { text } of listings) expect(text).toContain(`"revision_seq":${digits},`);
    },
  );

  it.each([ODD, '9223372036854775807'])('%s is taken as a size, and told and added up exactly', async (digits) => {
    await register(user, 'default', DEFAULT_HASH);
    expect(await upload('docs/a.png', 'size_bytes', digits)).toMatchObject({ status: 200 });
    const expectField = async (path: string, field: string) =>
      expect((await call(`GET ${path}`, { token: user.token })).text).toContain(`"${field}":${digits}`);
    await expectField(`/get_state/${user.substrateAddress}/${DEFAULT_HASH}`, 'size_bytes');
    await expectField(`/list_folders/${user.substrateAddress}`, 'total_bytes');
    await expectField(`/browse/${user.substrateAddress}/${DEFAULT_HASH}`, 'total_bytes');
    await expectField(`/get_user_summary/${user.substrateAddress}`, 'total_bytes');
    await expectField(`/get_file_type_summary/${user.substrateAddress}`, 'image_bytes');
    await expectField(`/get_source_summary/${user.substrateAddress}`, 'other_bytes');
    await expectField(`/search_files/${user.substrateAddress}?size_min=${digits}&size_max=${digits}`, 'size_bytes');
  });

  it('is told in a refusal, too', async () => {
    expect(await upload('a.txt', 'revision_seq', LARGEST)).toMatchObject({ status: 200 });
    const { status, bytes } = await tryUpload(user, 'a.txt');
    expect([status, bytes.toString()]).toEqual([409, expect.stringContaining(`"current_revision_seq":${LARGEST}`)]);
  });

  it.each([
    ['revision_seq', BEYOND],
    ['revision_seq', '9007199254740993.5'],
    ['revision_seq', '1e30'],
    ['size_bytes', SIGNED],
    ['size_bytes', BEYOND],
    ['size_bytes', '-9007199254740993'],
  ])('is refused as `%s` at %s, never rounded', async (field, digits) => {
    const { status, body } = await upload('a.txt', field, digits);
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
    expect(body.Error.message).toMatch(new RegExp(`${field}.* must be .*\\d`));
  });

  it.each([LARGEST, BEYOND])('is refused as a layout at %s', async (digits) => {
    const { plan } = await TestUpload.open({ user });
    for (const field of ['chunk_count', 'chunk_size', 'ciphertext_size']) {
      const { status, body } = await openSession(plan, { [field]: digits });
      expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
    }
  });

  it.each(['1', ODD, `-${ODD}`, BEYOND, '1e30'])('is no text at %s', async (digits) => {
    const { token } = await signInWithNetwork();
    const { status, body } = await call('POST /api/network/groups/', { token, rawBody: `{"label":${digits}}` });
    expect({ status, body }).toEqual({ status: 400, body: { error: '`label` must be a string.' } });
    const create = 'mutation ($label: String!) { createGroup(label: $label) { label } }';
    const rawBody = withDigits({ query: create, variables: null }, 'variables', `{"label":${digits}}`);
    expect((await call('POST /graphql', { token, rawBody })).body.errors[0].extensions.code).toBe('BAD_REQUEST');
  });

  it('is an id of nothing, and one without a sign in GraphQL', async () => {
    const { token } = await signInWithNetwork();
    const attached = withDigits({ name: 'a' }, 'vm_instance', ODD);
    expect((await call('POST /api/network/infra/enroll/', { token, rawBody: attached })).status).toBe(400);
    const can = `query ($of: String!, $size: UInt64!) { canUpload(ownerAddress: $of, sizeBytes: $size) { result } }`;
    const variables = withDigits({ of: user.substrateAddress }, 'size', LARGEST);
    const rawBody = withDigits({ query: can }, 'variables', variables);
    expect((await call('POST /graphql', { token: user.token, rawBody })).body.data.canUpload.result).toBe(false);
  });

  it('is more than may be uploaded', async () => {
    const rawBody = withDigits({ ss58_address: user.substrateAddress }, 'size_bytes', '0').replace(':0', `:${LARGEST}`);
    const { status, body } = await call('POST /can_upload', { token: user.token, rawBody });
    expect([status, body.result]).toEqual([200, false]);
  });

  it('is the end of what renames count', async () => {
    const before = '18446744073709551614';
    const file = await store(user, 'a.txt', { manifest: { revision_seq: before } });
    const { text } = await rename(user, [renameOf(file, 'b.txt')]);
    expect(text).toContain(`"new_revision_seq":${LARGEST}`);
    const [row] = (await stateOf(user)).body.Success.files;
    const again = await rename(user, [
      renameOf({ ...file, pathHash: row.path_hash, revisionId: row.revision_id }, 'c'),
    ]);
    expect(again.body.Success.failures).toMatchObject([{ reason: 'database_error' }]);
    const { status, body } = await tryUpload(user, 'b.txt', {
      manifest: { ...following(file), base_revision_id: row.revision_id, revision_seq: LARGEST },
    });
    expect({ status, body }).toEqual({ status: 400, body: refused('stale_sequence') });
  });

  it('is a string in GraphQL where a client could not hold it', async () => {
    await store(user, 'a.txt', { manifest: { revision_seq: LARGEST } });
    const files = `query ($owner: String!, $folder: String!) {
      files(ownerAddress: $owner, folderHash: $folder) { files { revisionSeq sizeBytes } } }`;
    const variables = { owner: user.substrateAddress, folder: DEFAULT_HASH };
    const { data } = await graphql(files, { token: user.token, variables });
    expect(data.files.files).toEqual([{ revisionSeq: LARGEST, sizeBytes: 50 }]);
    const can = `query ($owner: String!, $size: UInt64!) { canUpload(ownerAddress: $owner, sizeBytes: $size) { result } }`;
    const ask = (size: unknown) => graphql(can, { token: user.token, variables: { ...variables, size } });
    expect((await ask('5')).data.canUpload.result).toBe(true);
    for (const size of [-1, BEYOND, 1.5, 'many']) expect(codeOf(await ask(size))).toBe('BAD_REQUEST');
  });

  it('stops a total where 64 bits do', async () => {
    for (const path of ['a', 'b', 'c']) await upload(path, 'size_bytes', '9223372036854775807');
    await register(user, 'default', DEFAULT_HASH);
    const listed = await send(`GET /list_folders/${user.substrateAddress}`, undefined, { token: user.token });
    expect(listed.bytes.toString()).toContain(`"total_bytes":${LARGEST}`);
    expect(await foldersOf(user)).toMatchObject([{ file_count: 3 }]);
    const summary = await call(`GET /get_source_summary/${user.substrateAddress}`, { token: user.token });
    expect(summary.text).toContain(`"other_bytes":${LARGEST}`);
  });
});
