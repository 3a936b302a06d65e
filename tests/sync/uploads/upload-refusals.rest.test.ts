import { beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { begin, manifestFor, replyTo } from '../../kit/files/bytes.js';
import { call, platform, type Json } from '../../kit/platform.js';
import { openSession, refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { tally } from '../../kit/rest/rest-checks.js';

const MIB = 1024 * 1024;

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  user = await signIn();
  other = await signIn();
});

/** Asks for a session of 5000 bytes in chunks of 1024, with this in the place of what fits. */
async function ask(manifest: Json, layout: Json = {}) {
  const bytes = randomBytes(5000);
  const whole = { ...manifestFor(user, 'a.txt', blake3(bytes)), ...manifest };
  const { status, body } = await openSession(
    { user, bytes, chunkSize: 1024, manifest: whole, url: platform().url },
    layout,
  );
  return { status, body };
}

describe('a layout', () => {
  it.each([
    ['chunk_count', 0],
    ['chunk_count', -1],
    ['chunk_count', 4],
    ['chunk_count', 6],
    ['chunk_count', 4.5],
    ['chunk_count', 4_294_967_295],
    ['chunk_count', '99999999999999999999'],
    ['chunk_count', 'five'],
    ['chunk_count', null],
    ['chunk_size', 0],
    ['chunk_size', -1024],
    ['chunk_size', 1023.5],
    ['chunk_size', 16 * MIB + 1],
    ['chunk_size', '18446744073709551616'],
    ['chunk_size', 1e300],
    ['chunk_size', null],
    ['ciphertext_size', -1],
    ['ciphertext_size', 5000.25],
    ['ciphertext_size', '18446744073709551615'],
    ['ciphertext_size', '9223372036854775807'],
    ['ciphertext_size', {}],
    ['ciphertext_size', null],
  ])('with %s %p is refused', async (field, value) => {
    expect(await ask({}, { [field]: value })).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it.each([
    ['1 TiB and one byte', { chunk_count: 65_536, chunk_size: 16 * MIB, ciphertext_size: 2 ** 40 + 1 }],
    ['65537 chunks', { chunk_count: 65_537, chunk_size: 1024, ciphertext_size: 65_537 * 1024 }],
    ['one chunk of 17 MiB', { chunk_count: 1, chunk_size: 17 * MIB, ciphertext_size: 17 * MIB }],
    ['no byte and no chunk', { chunk_count: 0, chunk_size: 1024, ciphertext_size: 0 }],
  ])('of %s is refused', async (_, layout) => {
    expect(await ask({}, layout)).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('of 1 TiB in 65536 chunks is taken, also as strings', async () => {
    const layout = { chunk_count: '65536', chunk_size: `${16 * MIB}`, ciphertext_size: `${2 ** 40}` };
    expect((await ask({}, layout)).status).toBe(200);
  });
});

describe('a manifest', () => {
  it.each([
    ['folder_hash', 'short'],
    ['ciphertext_hash', 'zz'.repeat(32)],
    ['ciphertext_hash', '00'.repeat(32)],
    ['size_bytes', -1],
    ['size_bytes', 1.5],
    ['size_bytes', '18446744073709551616'],
    ['revision_seq', -1],
    ['revision_seq', 0.5],
    ['signature', [1, 2, 3]],
    ['signature', Array(64).fill(0)],
    ['signature', Array(64).fill(256)],
    ['signing_key', Array(31).fill(1)],
    ['signing_key', Array(32).fill(255)],
    ['path_hash', Array(33).fill(1)],
    ['salted_hash', 'no bytes'],
    ['base_revision_id', [1]],
    ['encrypted_path', [-1]],
    ['file_name', 5],
    ['relative_path', 'a\u0000b'],
  ])('with %s %p is refused', async (field, value) => {
    expect(await ask({ [field]: value })).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it.each(['folder_hash', 'ciphertext_hash', 'size_bytes', 'signature', 'signing_key', 'path_hash', 'salted_hash'])(
    'without %s is refused',
    async (field) => {
      expect(await ask({ [field]: undefined })).toEqual({ status: 400, body: refused('invalid_manifest') });
    },
  );

  it.each([[[]], ['text'], [null], [undefined], [5]])('that is %p is refused', async (manifest) => {
    const layout = { chunk_count: 1, chunk_size: 1024, ciphertext_size: 5 };
    const { status, body } = await call('POST /upload/session', { token: user.token, body: { manifest, ...layout } });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('with unknown fields, with nulls and with `user_id` is taken', async () => {
    const nulls = { file_name: null, relative_path: null, source: null, base_revision_id: null };
    const odd = { ...nulls, colour: 'red', ss58_address: undefined, user_id: user.substrateAddress };
    expect((await ask(odd)).status).toBe(200);
  });

  it.each([
    ['another’s', () => other.substrateAddress, 403, 'forbidden'],
    ['empty', () => '', 400, 'invalid_user_id'],
    ['one with a slash', () => '5G/x', 400, 'invalid_user_id'],
    ['257 bytes long', () => 'x'.repeat(257), 400, 'invalid_user_id'],
  ])('whose address is %s is refused', async (_, address, status, word) => {
    expect(await ask({ ss58_address: address() })).toEqual({ status, body: refused(word) });
  });

  it('of another is refused before its signature is looked at', async () => {
    const { status } = await ask({ ss58_address: other.substrateAddress, signature: Array(64).fill(0) });
    expect(status).toBe(403);
  });
});

describe('another owner’s session', () => {
  it.each([
    ['read', (upload: TestUpload) => upload.status(other.token)],
    ['extended', (upload: TestUpload) => upload.put(0, { token: other.token })],
    ['finalized', (upload: TestUpload) => upload.finalize(other.token)],
    ['deleted', (upload: TestUpload) => upload.delete(other.token)],
  ])('is not to be %s', async (_, act) => {
    const upload = await TestUpload.open({ user });
    await upload.putAll();
    const { status, body } = await act(upload);
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
    expect((await upload.finalize()).status).toBe(200);
    const after = await act(upload);
    expect(after.status).toBe(403);
  });

  it('is as closed to whoever does not sign in', async () => {
    const upload = await TestUpload.open({ user });
    const replies = [upload.status(''), upload.put(0, { token: '' }), upload.finalize(''), upload.delete('')];
    expect(tally(await Promise.all(replies))).toEqual({ 401: 4 });
  });
});

describe('a session that was never there', () => {
  it.each([
    ['GET', '/status'],
    ['POST', '/finalize'],
  ])('is not found by %s %s', async (method, path) => {
    const { status, body } = await call(`${method} /upload/session/${'0'.repeat(32)}${path}`, { token: user.token });
    expect({ status, body }).toEqual({ status: 404, body: refused('not_found') });
  });

  it.each(['a%2Fb', '%25', '..%2F..', 'x'.repeat(257)])('is not found by the name %s', async (name) => {
    const { status } = await call(`GET /upload/session/${name}/status`, { token: user.token });
    expect(status).toBe(404);
  });
});

describe('a chunk', () => {
  it.each(['5', '6', '-1', '65536', '4294967295', '9007199254740993'])('at the place %s is refused', async (index) => {
    const upload = await TestUpload.open({ user });
    const { status, body } = await upload.put(index, { bytes: upload.chunk(0) });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it.each([
    ['one byte short', 0, 1023],
    ['one byte long', 0, 1025],
    ['empty', 0, 0],
    ['the last, as long as the others', 4, 1024],
  ])('that is %s is refused', async (_, index, length) => {
    const upload = await TestUpload.open({ user });
    const { status, body } = await upload.put(index, { bytes: randomBytes(length) });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
    expect((await upload.status()).body.Success.chunks_received).toEqual([]);
  });

  it.each([1000, 1100])('of 1024 bytes that undeclared turns out to have %d is refused', async (length) => {
    const upload = await TestUpload.open({ user });
    const path = `PUT /upload/session/${upload.id}/chunk/0`;
    const begun = begin(path, { token: user.token, headers: { 'transfer-encoding': 'chunked' } });
    const reply = replyTo(begun);
    begun.end(randomBytes(length));
    expect((await reply).status).toBe(400);
    expect((await upload.status()).body.Success.chunks_received).toEqual([]);
  });

  it('that breaks off leaves nothing, not even of the former one', async () => {
    const upload = await TestUpload.open({ user, bytes: randomBytes(3 * MIB), chunkSize: MIB });
    await upload.putAll();
    const path = `PUT /upload/session/${upload.id}/chunk/1`;
    const begun = begin(path, { token: user.token, headers: { 'content-length': MIB } });
    await new Promise((resolve) => begun.write(randomBytes(MIB / 2), resolve));
    begun.destroy();
    expect((await upload.status()).body.Success.chunks_received).toEqual([0, 1, 2]);
    expect((await upload.finalize()).status).toBe(200);
  });
});

describe('the 65th open session', () => {
  it('is refused with session_limit until another is finalized or deleted, also of a hundred at once', async () => {
    const owner = await signIn();
    const plan = { user: owner, bytes: randomBytes(5), chunkSize: 1024, url: platform().url };
    const manifest = manifestFor(owner, 'b.txt', blake3(plan.bytes));
    const again = () => openSession({ ...plan, manifest });
    const replies = await Promise.all(Array.from({ length: 100 }, again));
    expect(tally(replies)).toEqual({ 200: 64, 429: 36 });
    const late = replies.find(({ status }) => status === 429);
    expect(late?.body).toEqual(refused('session_limit'));
    expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0);
    const [open] = replies.filter(({ status }) => status === 200);
    await call(`DELETE /upload/session/${open?.body.Success.session_id}`, { token: owner.token });
    expect((await again()).status).toBe(200);
  });
});
