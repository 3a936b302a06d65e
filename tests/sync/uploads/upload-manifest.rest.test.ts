import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { begin, FORM_TYPE, formOf, replyTo, send } from '../../kit/files/bytes.js';
import { type Json } from '../../kit/platform.js';
import { DEFAULT_HASH, manifestOf, postForm, stateOf, tryUpload, uploadForm } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { newWallet, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const BYTES = randomBytes(100);
const zeros = (length: number) => Array.from({ length }, () => 0);

let user: SignedIn;
let other: SignedIn;
let manifest: Json;
beforeAll(async () => {
  user = await signIn();
  other = await signIn();
});
beforeEach(() => {
  manifest = manifestOf(user, randomBytes(8).toString('hex'), BYTES);
});

async function post(changes: Json, token = user.token) {
  const { status, body } = await postForm(uploadForm({ ...manifest, ...changes }, BYTES), token);
  return { status, body };
}

const INVALID = { status: 400, body: refused('invalid_manifest') };

describe('a manifest at /upload', () => {
  it.each([
    'ss58_address',
    'folder_hash',
    'ciphertext_hash',
    'size_bytes',
    'timestamp',
    'signature',
    'signing_key',
    'path_hash',
    'salted_hash',
    'revision_seq',
    'encrypted_path',
  ])('is refused without %s, and with null', async (field) => {
    expect(await post({ [field]: undefined })).toEqual(INVALID);
    expect(await post({ [field]: null })).toEqual(INVALID);
  });

  it.each([
    { file_name: null, relative_path: null, source: null, base_revision_id: null },
    { relative_path: '' },
    { relative_path: '..a/b..' },
    { base_revision_id: undefined, file_name: undefined, relative_path: undefined, source: undefined },
  ])('is taken with its optional fields as %j', async (changes) => {
    expect(await post(changes)).toMatchObject({ status: 200 });
  });

  it('is taken with fields that nobody knows', async () => {
    const changes = { revision_id: zeros(32), color: 'blue', nested: { a: [1, null] }, member_count: null };
    expect(await post(changes)).toMatchObject({ status: 200 });
  });

  it('is taken with `user_id` in the place of `ss58_address`', async () => {
    expect(await post({ ss58_address: undefined, user_id: user.substrateAddress })).toMatchObject({ status: 200 });
  });

  it('is taken with numbers as text and bytes as hex', async () => {
    const changes = {
      size_bytes: '100',
      revision_seq: '1',
      path_hash: Buffer.from(manifest.path_hash).toString('hex'),
    };
    expect(await post(changes)).toMatchObject({ status: 200 });
  });

  it.each([
    ['folder_hash', DEFAULT_HASH.slice(1)],
    ['folder_hash', `${DEFAULT_HASH}0`],
    ['folder_hash', 'z'.repeat(16)],
    ['folder_hash', ''],
    ['folder_hash', 7],
    ['ciphertext_hash', '0'.repeat(63)],
    ['ciphertext_hash', '0'.repeat(65)],
    ['ciphertext_hash', 'g'.repeat(64)],
    ['ciphertext_hash', zeros(32)],
    ...['..', '.', '../a', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a\\b', 'a\0b', 'x'.repeat(4097)].map(
      (path): [string, string] => ['relative_path', path],
    ),
    ['size_bytes', -1],
    ['size_bytes', 1.5],
    ['size_bytes', 1e300],
    ['size_bytes', '18446744073709551616'],
    ['size_bytes', '9223372036854775808'],
    ['size_bytes', 'many'],
    ['size_bytes', [5]],
    ['revision_seq', -1],
    ['revision_seq', 0.5],
    ['revision_seq', '18446744073709551616'],
    ['timestamp', 'now'],
    ['timestamp', 1.5],
    ['signature', zeros(63)],
    ['signature', zeros(65)],
    ['signature', []],
    ['signature', 'sixty-four'],
    ['signing_key', zeros(31)],
    ['signing_key', zeros(33)],
    ['path_hash', zeros(31)],
    ['path_hash', zeros(33)],
    ['path_hash', [...zeros(31), 256]],
    ['path_hash', [...zeros(31), -1]],
    ['path_hash', [...zeros(31), 0.5]],
    ['path_hash', [...zeros(31), '1']],
    ['path_hash', [...zeros(31), null]],
    ['path_hash', {}],
    ['salted_hash', zeros(31)],
    ['base_revision_id', zeros(31)],
    ['base_revision_id', []],
    ['encrypted_path', [256]],
    ['encrypted_path', [-1]],
    ['encrypted_path', 'path'],
    ['encrypted_path', zeros(6000)],
    ['file_name', 7],
    ['file_name', 'a\0b'],
    ['file_name', 'x'.repeat(5000)],
    ['relative_path', ['a']],
    ['relative_path', `${'a/'.repeat(128)}a`],
    ['relative_path', 'x'.repeat(5000)],
    ['source', {}],
    ['ss58_address', 7],
  ])('is refused with a `%s` of %j', async (field, value) => {
    expect(await post({ [field]: value })).toEqual(INVALID);
  });

  it.each([
    ['another hash was signed', { ciphertext_hash: '0'.repeat(64) }],
    ['another key signed', { signing_key: zeros(32) }],
    ['the signature is made up', { signature: zeros(64) }],
  ])('is refused when %s', async (_, changes) => {
    expect(await post(changes)).toEqual(INVALID);
  });

  it.each(['[]', '7', 'null', '"text"', '{"ss58_address": ', ''])('is refused when it is %s', async (text) => {
    const { status, body } = await postForm(uploadForm(text, BYTES), user.token);
    expect({ status, body }).toEqual(INVALID);
  });

  it.each([
    ['another owner', () => other.substrateAddress],
    ['an address nobody has', () => newWallet().substrateAddress],
  ])('is refused as forbidden for %s, and nothing is stored', async (_, addressOf) => {
    const { status, body } = await post({ ss58_address: addressOf() });
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
    expect((await stateOf(other)).body.Success.files).toEqual([]);
  });

  it.each(['', 'a/b', 'a%b', 'a\\b', 'x'.repeat(257), 'ü'.repeat(129)])(
    'is refused for the address "%s" as invalid_user_id',
    async (ss58_address) => {
      expect(await post({ ss58_address })).toEqual({ status: 400, body: refused('invalid_user_id') });
    },
  );
});

describe('bytes at /upload', () => {
  it('that have another hash than the manifest says are refused', async () => {
    const { status, body } = await postForm(uploadForm(manifest, randomBytes(100)), user.token);
    expect({ status, body }).toEqual(INVALID);
  });

  it.each([
    ['one byte less', BYTES.subarray(1)],
    ['one byte more', Buffer.concat([BYTES, Buffer.of(0)])],
    ['none', Buffer.alloc(0)],
  ])('are refused with %s', async (_, bytes) => {
    const { status, body } = await postForm(uploadForm(manifest, bytes), user.token);
    expect({ status, body }).toEqual(INVALID);
  });

  it('that break off are refused, and leave no file', async () => {
    const mine = await signIn();
    const bytes = randomBytes(100_000);
    const parts = [
      { name: 'manifest', bytes: JSON.stringify(manifestOf(mine, 'a', bytes)) },
      { name: 'ciphertext', type: 'application/octet-stream', bytes },
    ];
    const { status, body } = await postForm(formOf(parts, false), mine.token);
    expect({ status, body }).toEqual(INVALID);
    expect((await stateOf(mine)).body.Success.files).toEqual([]);
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data'])('that come as %s are refused', async (type) => {
    const form = uploadForm(manifest, BYTES);
    const { status, body } = await send('POST /upload', form, { token: user.token, headers: { 'content-type': type } });
    expect({ status, body }).toEqual(INVALID);
  });

  it.each([
    ['ciphertext', 'ciphertext'],
    ['something', 'else'],
    ['file', 'account_ss58'],
  ])('are refused after a first part that is `%s`', async (first, second) => {
    const parts = [
      { name: first, fileName: 'x', type: 'application/octet-stream', bytes: BYTES },
      { name: second, bytes: JSON.stringify(manifest) },
    ];
    const { status, body } = await postForm(formOf(parts), user.token);
    expect({ status, body }).toEqual(INVALID);
  });

  it('may come without a Content-Length', async () => {
    const begun = begin('POST /upload', {
      token: user.token,
      headers: { 'content-type': FORM_TYPE, 'transfer-encoding': 'chunked' },
    });
    const reply = replyTo(begun);
    const form = uploadForm(manifest, BYTES);
    // Split within the manifest and within the last boundary.
    for (const [start, end] of [
      [0, 200],
      [200, form.length - 7],
      [form.length - 7, form.length],
    ]) {
      begun.write(form.subarray(start, end));
    }
    begun.end();
    expect((await reply).status).toBe(200);
  });

  it.each(['text', 'a file'])('are refused after a manifest of over 1 MiB that comes as %s', async (kind) => {
    const text = JSON.stringify({ ...manifest, color: 'x'.repeat(1024 * 1024) });
    const form = uploadForm(text, BYTES, kind === 'text' ? 'FormData' : 'curl');
    const { status, body } = await postForm(form, user.token);
    expect({ status, body }).toEqual({ status: 413, body: refused('payload_too_large') });
  });

  it('are refused without a token', async () => {
    const { status, body } = await send('POST /upload', uploadForm(manifest, BYTES), {
      headers: { 'content-type': FORM_TYPE },
    });
    expect({ status, body }).toEqual({ status: 401, body: refused('unauthorized') });
  });

  it("are refused with the owner's address in the place of a token", async () => {
    const { status } = await tryUpload(user, 'a.txt', { token: user.substrateAddress });
    expect(status).toBe(401);
  });
});
