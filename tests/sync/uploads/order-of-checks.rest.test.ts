import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call, type Json } from '../../kit/platform.js';
import { manifestOf, postForm, renaming, store, tryUpload, uploadForm } from '../../kit/files/sync.js';
import { openSession, refused, TestUpload } from '../../kit/files/upload.js';
import { platform } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let owner: SignedIn;
let session: TestUpload;
beforeAll(async () => {
  [user, owner] = [await signIn(), await signIn()];
  session = await TestUpload.open({ user: owner });
});

const shown = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
const FORBIDDEN = { status: 403, body: refused('forbidden') };
const INVALID = { status: 400, body: refused('invalid_manifest') };
const without = (manifest: Json, field: string): Json =>
  Object.fromEntries(Object.entries(manifest as object).filter(([name]) => name !== field));
const manifest = (of: SignedIn, field: string): Json => without(manifestOf(of, 'a.txt', randomBytes(10)), field);
/** A byte more than a JSON body may have. */
const TOO_LARGE = '"'.padEnd(100 * 1024, 'x') + '"';
const json = (target: string, text: string, token = user.token) =>
  send(target, Buffer.from(text), {
    token,
    headers: { 'content-type': 'application/json', 'content-length': text.length },
  });

describe('what belongs to another is forbidden before anything else is wrong with the request:', () => {
  it('a page that is none, in the same words as a good request', async () => {
    const state = async (page: string) =>
      (await call(`GET /get_state/${owner.substrateAddress}/37a8eec1ce19687d${page}`, { token: user.token })).body;
    const early = await state('?limit=x');
    expect(early).toEqual(FORBIDDEN.body);
    expect(early).toEqual(await state(''));
  });

  it('a manifest that lacks a field, at /upload', async () => {
    const given = manifest(owner, 'signature');
    expect(shown(await postForm(uploadForm(given, randomBytes(10)), user.token))).toEqual(FORBIDDEN);
    expect(shown(await postForm(uploadForm(given, randomBytes(10)), owner.token))).toEqual(INVALID);
    expect((await postForm(uploadForm(given, randomBytes(10)), undefined)).status).toBe(401);
  });

  it('a manifest that lacks a field, at /upload/session', async () => {
    const body = { manifest: manifest(owner, 'path_hash'), chunk_count: 1, chunk_size: 10, ciphertext_size: 10 };
    expect(shown(await call('POST /upload/session', { token: user.token, body }))).toEqual(FORBIDDEN);
    expect(shown(await call('POST /upload/session', { token: owner.token, body }))).toEqual(INVALID);
  });

  it('a chunk whose index is no number', async () => {
    expect(shown(await session.put('abc', { bytes: randomBytes(4), token: user.token }))).toEqual(FORBIDDEN);
    expect(shown(await session.put('abc', { bytes: randomBytes(4) }))).toEqual(INVALID);
  });

  it.each([
    ['the body of a finalize', (): string => `POST /upload/session/${session.id}/finalize`],
    ['the body of a deletion', (): string => `DELETE /upload/session/${session.id}`],
    ['paths to register', (): string => `POST /register_relative_paths/${owner.substrateAddress}/37a8eec1ce19687d`],
  ])('%s that is no JSON', async (_what, target) => {
    expect(shown(await json(target(), '{"a":'))).toEqual(FORBIDDEN);
  });

  it.each(['POST /finalize', 'DELETE '])('a body that is too large, at %s of a session', async (target) => {
    const [method = '', action = ''] = target.split(' ');
    const address = `${method} /upload/session/${session.id}${action}`;
    expect(shown(await json(address, TOO_LARGE))).toEqual(FORBIDDEN);
    expect((await json(address, TOO_LARGE, owner.token)).status).toBe(413);
  });

  it('but a session that is not there is not missed by a deletion, which is idempotent', async () => {
    const target = `DELETE /upload/session/${'0'.repeat(32)}`;
    expect((await call(target, { token: owner.token })).status).toBe(200);
    expect(shown(await json(target, '{"a":', owner.token))).toEqual(INVALID);
  });

  it('but the owner of a session is told what is wrong with the body', async () => {
    for (const target of ['POST /finalize', 'DELETE ']) {
      const [method = '', action = ''] = target.split(' ');
      expect(shown(await json(`${method} /upload/session/${session.id}${action}`, '{"a":', owner.token))).toEqual(
        INVALID,
      );
    }
  });

  it('a field of the wrong kind in a body that names the owner', async () => {
    const body = { ss58_address: owner.substrateAddress, folder_hash: 7, label: [] };
    expect(shown(await call('POST /register_folder', { token: user.token, body }))).toEqual(FORBIDDEN);
    expect(shown(await call('POST /register_folder', { token: owner.token, body }))).toEqual(INVALID);
  });

  it('but an address that is none is called so', async () => {
    const body = { ss58_address: 'a/b', folder_hash: 7, label: 'x' };
    expect((await call('POST /register_folder', { token: user.token, body })).status).toBe(400);
  });
});

describe('a file name', () => {
  it.each(['a/b.txt', '..', '.', 'a\nb', 'a\u007Fb', '\u0001'])(
    'is refused that is not one segment of a path: %j',
    async (file_name) => {
      expect(shown(await tryUpload(owner, 'docs/a.txt', { manifest: { file_name } }))).toEqual(INVALID);
      const named = [{ old_path_hash: [1], new_path_hash: [2], new_file_name: file_name }];
      expect((await call('POST /rename_files', { token: owner.token, body: renaming(owner, named) })).status).toBe(400);
    },
  );

  it.each(['a..b.txt', '...', 'ÜBER größe.txt', 'a b'])('is taken that is one: %j', async (file_name) => {
    expect((await tryUpload(owner, `docs/${file_name}`, { manifest: { file_name } })).status).toBe(200);
  });
});

describe('a number of the layout of an upload', () => {
  it.each([
    [-1, '`chunk_size` must be from 1 to 16777216 bytes.'],
    [0, '`chunk_size` must be from 1 to 16777216 bytes.'],
    ['18446744073709551615', '`chunk_size` must be from 1 to 16777216 bytes.'],
    ['18446744073709551616', '`chunk_size` must be from 1 to 16777216 bytes.'],
    [`-${'9'.repeat(30)}`, '`chunk_size` must be from 1 to 16777216 bytes.'],
    [1.5, '`chunk_size` must be a whole number.'],
    ['1e3', '`chunk_size` must be a whole number.'],
    ['0x10', '`chunk_size` must be a whole number.'],
    ['1_000', '`chunk_size` must be a whole number.'],
    [true, '`chunk_size` must be a whole number.'],
  ])('is refused with the range of the operation: %j', async (chunk_size, message) => {
    const plan = { user: owner, bytes: randomBytes(10), chunkSize: 10, url: platform().url };
    const given = { ...plan, manifest: manifestOf(owner, 'a.txt', plan.bytes) };
    const { status, body } = await openSession(given, { chunk_size });
    expect([status, body.Error.message]).toEqual([400, message]);
  });
});

describe('a finalize whose base is no longer the current revision', () => {
  it('is told so before the chunks that are missing', async () => {
    const bytes = randomBytes(5000);
    const upload = await TestUpload.open({ user, bytes, manifest: manifestOf(user, 'stale.txt', bytes) });
    expect(shown(await upload.finalize())).toEqual(INVALID);
    await store(user, 'stale.txt');
    const { status, body } = await upload.finalize();
    expect([status, body.Error.error]).toEqual([409, 'upload_conflict']);
  });
});
