import { beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { DEFAULT_HASH, pathHashOf, stateOf, store, type StoredFile } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const WITHOUT = { file_name: null, relative_path: null };

let user: SignedIn;
let old: StoredFile;
beforeEach(async () => {
  user = await signIn();
  old = await store(user, 'docs/old.png', { manifest: WITHOUT });
});

const idOf = (path: string) => Buffer.from(pathHashOf(path)).toString('hex');
const entry = (path: string, changes: Json = {}) => ({ path_hash: idOf(path), relative_path: path, ...changes });

async function registerPaths(entries: unknown, folder = DEFAULT_HASH) {
  const path = `POST /register_relative_paths/${user.substrateAddress}/${folder}`;
  const { status, body } = await call(path, { token: user.token, body: { entries } });
  return { status, body };
}

describe('POST /register_relative_paths/{ss58}/{folder_hash}', () => {
  it('answers the documented envelope', async () => {
    expect(await registerPaths([entry('docs/old.png')])).toEqual({
      status: 200,
      body: { Success: { updated: 1, skipped: 0, errors: [] } },
    });
  });

  it('makes the file browsed and found', async () => {
    await registerPaths([entry('docs/old.png')]);
    const [found, browsed, [row]] = await Promise.all([
      call(`GET /search_files/${user.substrateAddress}?q=old&file_type=image`, { token: user.token }),
      call(`GET /browse/${user.substrateAddress}/${DEFAULT_HASH}?path=docs`, { token: user.token }),
      stateOf(user).then(({ body }) => body.Success.files),
    ]);
    expect([found.body.Success.total_count, browsed.body.Success.total_count]).toEqual([1, 1]);
    expect(row).toMatchObject({ relative_path: 'docs/old.png', file_name: null, revision_id: old.revisionId });
  });

  it('skips what has the path already, the second time too', async () => {
    await registerPaths([entry('docs/old.png')]);
    const { body } = await registerPaths([entry('docs/old.png'), entry('docs/old.png')]);
    expect(body.Success).toEqual({ updated: 0, skipped: 2, errors: [] });
  });

  it('takes the same entry twice at once', async () => {
    const { body } = await registerPaths([entry('docs/old.png'), entry('docs/old.png')]);
    expect(body.Success).toEqual({ updated: 1, skipped: 1, errors: [] });
  });

  it('takes a hash in upper case', async () => {
    const { body } = await registerPaths([entry('docs/old.png', { path_hash: old.fileId.toUpperCase() })]);
    expect(body.Success.updated).toBe(1);
  });

  it.each([
    ['not_found', entry('docs/nowhere.png')],
    ['not_found', entry('docs/old.png', { path_hash: 'xyz' })],
    ['path_mismatch', entry('docs/old.png', { relative_path: 'docs/other.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: '' })],
    ['invalid_path', entry('docs/old.png', { relative_path: '/docs/old.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: 'docs/' })],
    ['invalid_path', entry('docs/old.png', { relative_path: 'docs//old.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: '../old.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: 'docs/./old.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: 'docs\\old.png' })],
    ['invalid_path', entry('docs/old.png', { relative_path: 'x'.repeat(4097) })],
    ['invalid_path', entry('docs/old.png', { relative_path: `${'a/'.repeat(128)}a` })],
  ])('tells %s of %j', async (reason, sent) => {
    const { status, body } = await registerPaths([sent]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { Success: { updated: 0, skipped: 0, errors: [{ path_hash: sent.path_hash, reason }] } },
    });
  });

  it('overwrites no path', async () => {
    const file = await store(user, 'named.txt', { manifest: { relative_path: 'told/otherwise.txt' } });
    const { body } = await registerPaths([entry('named.txt')]);
    expect(body.Success.errors).toEqual([{ path_hash: file.fileId, reason: 'path_mismatch' }]);
  });

  it('does some and tells the others', async () => {
    const { body } = await registerPaths([entry('nowhere'), entry('docs/old.png'), entry('..')]);
    expect(body.Success).toMatchObject({ updated: 1, errors: [{ reason: 'not_found' }, { reason: 'invalid_path' }] });
  });

  it('takes 500 entries and refuses 501', async () => {
    const entries = Array.from({ length: 501 }, (_, at) => entry(`${at}/${'x'.repeat(4000)}`));
    const most = await registerPaths(entries.slice(1));
    expect([most.status, most.body.Success.errors.length]).toEqual([200, 500]);
    expect(await registerPaths(entries)).toEqual({ status: 400, body: refused('batch_too_large') });
  });

  it('is 413 over 4 MiB', async () => {
    const { status, body } = await registerPaths([entry('x'.repeat(4 * 1024 * 1024))]);
    expect({ status, body }).toEqual({ status: 413, body: refused('payload_too_large') });
  });

  it.each([[undefined], [null], ['x'], [{}], [[7]], [[null]], [[{ path_hash: 'x' }]], [[{ relative_path: 'x' }]]])(
    'refuses entries that are %j',
    async (entries) => {
      expect(await registerPaths(entries)).toEqual({ status: 400, body: refused('invalid_manifest') });
    },
  );

  it('finds nothing in a folder that is not there', async () => {
    const { body } = await registerPaths([entry('docs/old.png')], '8ed3f6ad685b959e');
    expect(body.Success.errors).toMatchObject([{ reason: 'not_found' }]);
  });
});
