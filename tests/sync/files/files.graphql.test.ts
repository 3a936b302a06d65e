import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { DEFAULT_HASH, graphqlWithFile, manifestOf, stateOf, store, type StoredFile } from '../../kit/files/sync.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const BYTES = randomBytes(3000);
const UPLOAD = `mutation ($manifest: ManifestInput!, $file: Upload!) {
  uploadFile(manifest: $manifest, bytes: $file) { uploadId timestamp revisionId createdAt updatedAt }
}`;

let user: SignedIn;
let other: SignedIn;
let file: StoredFile;
beforeEach(async () => {
  [user, other] = await Promise.all([signIn(), signIn()]);
  file = await store(user, 'docs/a.txt');
});

const camelCase = (fields: Json): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), value]),
  );
const upload = (changes: Json = {}, { token } = user) =>
  graphqlWithFile(UPLOAD, {
    variables: { manifest: { ...camelCase(manifestOf(user, 'docs/b.txt', BYTES)), ...changes } },
    bytes: BYTES,
    token,
  });
const ask = (query: string, variables: Json = {}, { token } = user) =>
  graphql(query, { token, variables: { owner: user.substrateAddress, folder: DEFAULT_HASH, ...variables } });

describe('uploadFile', () => {
  it('stores a file whose manifest was signed', async () => {
    const { data } = await upload();
    expect(data.uploadFile).toEqual({
      uploadId: expect.any(String),
      timestamp: expect.any(Number),
      revisionId: expect.any(Array),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const path = `/download/${user.substrateAddress}/${DEFAULT_HASH}`;
    const id = Buffer.from(manifestOf(user, 'docs/b.txt', BYTES).path_hash).toString('hex');
    expect((await send(`GET ${path}/${id}`, undefined, { token: user.token })).bytes.equals(BYTES)).toBe(true);
  });

  it('tells the present revision in a conflict', async () => {
    await upload();
    const [row] = (await stateOf(user)).body.Success.files.filter((one: Json) => one.file_name === 'b.txt');
    const { errors } = await upload();
    expect(errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      current_revision_id: row.revision_id,
      current_revision_seq: 1,
    });
  });

  it.each([
    ['another signature', { signature: Array.from({ length: 64 }, () => 0) }],
    ['a hash that is none', { folderHash: 'xyz' }],
    ['a negative size', { sizeBytes: -1 }],
    ['a number that is no byte', { pathHash: [256] }],
  ])('is refused with %s', async (_, changes) => {
    expect(codeOf(await upload(changes))).toBe('BAD_REQUEST');
  });

  it('is refused to another, and to nobody', async () => {
    expect(codeOf(await upload({}, other))).toBe('FORBIDDEN');
    expect((await stateOf(user)).body.Success.total_count).toBe(1);
  });

  it('has its bytes from a form only', async () => {
    const manifest = camelCase(manifestOf(user, 'docs/b.txt', BYTES));
    expect(codeOf(await ask(UPLOAD, { manifest, file: 'text' }))).toBe('BAD_REQUEST');
  });
});

describe('uploadPlainFile', () => {
  it('stores a file as it is, in no folder', async () => {
    const query = `mutation ($owner: String!, $file: Upload!) {
      uploadPlainFile(ownerAddress: $owner, fileName: "pictures/cat.png", bytes: $file) { fileId }
    }`;
    const variables = { owner: user.substrateAddress };
    const { data } = await graphqlWithFile(query, { variables, bytes: BYTES, token: user.token });
    const found = await ask(
      'query ($owner: String!, $id: ID!) { file(ownerAddress: $owner, fileId: $id) { relativePath folderHash } }',
      { id: data.uploadPlainFile.fileId },
    );
    expect(found.data.file).toEqual({ relativePath: 'pictures/cat.png', folderHash: '' });
    expect(codeOf(await graphqlWithFile(query, { variables, bytes: BYTES, token: other.token }))).toBe('FORBIDDEN');
  });
});

describe('file', () => {
  const ONE = `query ($owner: String!, $folder: String, $id: ID!) {
    file(ownerAddress: $owner, folderHash: $folder, fileId: $id) { fileId pathHash sizeBytes revisionSeq fileName folderLabel }
  }`;

  it('is found by its id', async () => {
    const { data } = await ask(ONE, { id: file.fileId });
    expect(data.file).toEqual({
      fileId: file.fileId,
      pathHash: file.pathHash,
      sizeBytes: 50,
      revisionSeq: 1,
      fileName: 'a.txt',
      folderLabel: '',
    });
  });

  it('is NOT_FOUND where it is not', async () => {
    expect(codeOf(await ask(ONE, { id: '0'.repeat(64) }))).toBe('NOT_FOUND');
    expect(codeOf(await ask(ONE, { id: 'xyz' }))).toBe('BAD_REQUEST');
  });

  it('tells numbers beyond 2^53 as text', async () => {
    const large = await store(user, 'large', { manifest: { size_bytes: '9223372036854775807' } });
    const { data } = await ask(ONE, { id: large.fileId });
    expect(data.file.sizeBytes).toBe('9223372036854775807');
  });
});

describe('a text in GraphQL that cannot be kept', () => {
  it.each([
    'query ($owner: String!, $text: String) { searchFiles(ownerAddress: $owner, q: $text) { totalCount } }',
    'query ($owner: String!, $folder: String!, $text: String) { browseFolder(ownerAddress: $owner, folderHash: $folder, path: $text) { path } }',
    'query ($owner: String!, $folder: String!, $text: String) { browseFolder(ownerAddress: $owner, folderHash: $folder, uploadedBy: $text) { path } }',
  ])('is refused, and is no fault of ours', async (query) => {
    const code = codeOf(await ask(query, { text: 'a\0b' }));
    expect(['BAD_REQUEST', 'BAD_USER_INPUT']).toContain(code);
  });
});

describe('pages in GraphQL', () => {
  it.each(['offset: -1', 'limit: -1'])('are refused with %s', async (page) => {
    const files = `query ($owner: String!, $folder: String!) { files(ownerAddress: $owner, folderHash: $folder, ${page}) { totalCount } }`;
    const search = `query ($owner: String!) { searchFiles(ownerAddress: $owner, ${page}) { totalCount } }`;
    expect([codeOf(await ask(files)), codeOf(await ask(search))]).toEqual(['BAD_REQUEST', 'BAD_REQUEST']);
  });
});
