import { beforeEach, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { formOf, send, type Part } from '../../kit/files/bytes.js';
import { call, graphql } from '../../kit/platform.js';
import { foldersOf, postForm, uploadPlain } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const BYTES = randomBytes(300);
const idOf = (name: string) => Buffer.from(blake3(Buffer.from(name))).toString('hex');
const form = (parts: Part[], token: string) =>
  postForm(
    formOf(parts.map((part) => (part.name === 'file' ? { type: 'application/octet-stream', ...part } : part))),
    token,
  );

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const download = (fileId: string) => send(`GET /download/${user.substrateAddress}/${fileId}`, undefined, user);
const found = async (query = '') =>
  (await call(`GET /search_files/${user.substrateAddress}${query}`, { token: user.token })).body.Success.files;

describe('the gateway form of /upload', () => {
  it('answers at the top level and in the envelope', async () => {
    const { status, body } = await uploadPlain(user, 'pictures/cat.png', BYTES);
    const { Success, ...flat } = body;
    expect({ status, flat }).toEqual({
      status: 200,
      flat: { file_id: idOf('pictures/cat.png'), upload_id: expect.stringMatching(/./), timestamp: expect.any(Number) },
    });
    expect(Success).toEqual(flat);
  });

  it('is in the audit log of its owner with the ids of the file and the upload', async () => {
    const { body } = await uploadPlain(user, 'audited.png', BYTES);
    const ids = 'argumentIds { name value } resultIds { name value }';
    const { data } = await graphql(`{ me { syncAuditLog { results { mutation ${ids} } } } }`, user);
    expect(data.me.syncAuditLog.results).toEqual([
      {
        mutation: 'uploadPlainFile',
        argumentIds: [{ name: 'ownerAddress', value: user.substrateAddress }],
        resultIds: [
          { name: 'fileId', value: body.file_id },
          { name: 'uploadId', value: body.upload_id },
        ],
      },
    ]);
  });

  it('stores the bytes as they are', async () => {
    const { body } = await uploadPlain(user, 'cat.png', BYTES);
    const { status, bytes, headers } = await download(body.file_id);
    expect({ status, isKept: bytes.equals(BYTES) }).toEqual({ status: 200, isKept: true });
    expect(headers).toMatchObject({ 'x-size-bytes': '300', 'x-file-id': body.file_id, 'x-folder-hash': '' });
  });

  it('takes a name of 64 hex digits for the id', async () => {
    const name = randomBytes(32).toString('hex');
    const { body } = await uploadPlain(user, name, BYTES);
    expect(body.file_id).toBe(name);
  });

  it('replaces what has the name', async () => {
    const first = await uploadPlain(user, 'cat.png', BYTES);
    const second = await uploadPlain(user, 'cat.png', Buffer.from('another'));
    expect(second.body.file_id).toBe(first.body.file_id);
    const { bytes, headers } = await download(first.body.file_id);
    expect([bytes.toString(), headers['x-revision-seq']]).toEqual(['another', '2']);
  });

  it('keeps one of twenty at once and refuses none', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => uploadPlain(user, 'cat.png', Buffer.of(at))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await found()).toHaveLength(1);
  });

  it('is found by its name, in no folder', async () => {
    await uploadPlain(user, 'pictures/cat.png', BYTES);
    expect(await found('?q=CAT&file_type=image')).toMatchObject([
      { folder_hash: '', folder_label: '', file_name: 'cat.png', relative_path: 'pictures/cat.png', size_bytes: 300 },
    ]);
    expect(await foldersOf(user)).toEqual([]);
  });

  it('is deleted by its id, with an empty folder', async () => {
    const { body } = await uploadPlain(user, 'cat.png', BYTES);
    const path = `DELETE /delete/${user.substrateAddress}/${body.file_id}`;
    const first = await call(path, { token: user.token });
    expect(first.body).toEqual({
      Success: { status: 'deleted', file_id: body.file_id, ss58_address: user.substrateAddress, folder_hash: '' },
    });
    expect((await call(path, { token: user.token })).status).toBe(404);
    expect((await download(body.file_id)).status).toBe(404);
  });

  it('takes an empty file', async () => {
    const { body } = await uploadPlain(user, 'empty', Buffer.alloc(0));
    const { status, bytes } = await download(body.file_id);
    expect([status, bytes.length]).toEqual([200, 0]);
  });
});

describe('the name of a file in a gateway form', () => {
  it.each(['photos/', 'a//b', '/a', 'a\\b', '..a', 'a/'.repeat(127) + 'a'])(
    'may be a key such as "%s"',
    async (name) => {
      expect((await uploadPlain(user, name, BYTES)).status).toBe(200);
      expect(await found()).toHaveLength(1);
    },
  );

  it('may have a last segment that is too long for a file name: it is found by its path', async () => {
    const name = `${randomBytes(2600).toString('base64url').slice(0, 3400)}.png`;
    expect((await uploadPlain(user, name, BYTES)).status).toBe(200);
    expect(await found(`?q=${name.slice(3000, 3200).toLowerCase()}&file_type=image&sort_by=file_name`)).toMatchObject([
      { file_name: null, relative_path: name },
    ]);
  });

  it.each(['.', '..', '/', '//', '../a', 'a/./b', 'a/..', 'a/'.repeat(128) + 'a'])(
    'is refused as "%s"',
    async (name) => {
      const { status, body } = await uploadPlain(user, name, BYTES);
      expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
    },
  );
});

describe('a gateway form that is refused', () => {
  const account = () => ({ name: 'account_ss58', bytes: user.substrateAddress });
  const file = { name: 'file', fileName: 'cat.png', bytes: BYTES };

  it.each([
    ['missing_field', 'without a file', () => [account()]],
    ['missing_field', 'with a file of another name', () => [account(), { ...file, name: 'ciphertext' }]],
    ['invalid_manifest', 'with a file that has no name', () => [account(), { name: 'file', bytes: BYTES }]],
    ['invalid_manifest', 'with a file whose name is empty', () => [account(), { ...file, fileName: '' }]],
    ['invalid_manifest', 'with the file first', () => [file, account()]],
  ])('is 400 %s %s', async (word, _, parts) => {
    const { status, body } = await form(parts(), user.token);
    expect({ status, body }).toEqual({ status: 400, body: refused(word) });
  });

  it('is 400 when its file is not among the first 20 parts, unknown ones included', async () => {
    const unknown = (count: number) => Array.from({ length: count }, () => ({ name: 'unknown', bytes: 'x' }));
    expect((await form([account(), ...unknown(18), file], user.token)).status).toBe(200);
    const { status, body } = await form([account(), ...unknown(19), file], user.token);
    const message = 'The first 20 parts of the form lack `file`.';
    expect({ status, body }).toEqual({ status: 400, body: { Error: { error: 'missing_field', message } } });
  });

  it('is 400 with a text in an unknown charset', async () => {
    const { status, body } = await form([{ ...account(), type: 'text/plain; charset=klingon' }, file], user.token);
    const message = 'The charset of `account_ss58` is unknown; send UTF-8.';
    expect({ status, body }).toEqual({ status: 400, body: { Error: { error: 'invalid_manifest', message } } });
  });

  it('is 403 for another owner', async () => {
    const other = await signIn();
    const { status, body } = await uploadPlain(other, 'cat.png', BYTES, user.token);
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
  });

  it.each(['', 'a%b', 'a/b', 'x'.repeat(257)])('is 400 invalid_user_id for the account "%s"', async (bytes) => {
    const { status, body } = await form([{ name: 'account_ss58', bytes }, file], user.token);
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_user_id') });
  });
});
