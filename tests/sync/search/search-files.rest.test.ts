import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { ALPHA_HASH, DEFAULT_HASH, namesIn, register, store } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let began: number;
beforeAll(async () => {
  user = await signIn();
  began = Math.floor(Date.now() / 1000);
  await register(user, 'default', DEFAULT_HASH);
  const files: readonly (readonly [string, Json])[] = [
    ['photos/Cat.PNG', { size_bytes: 100 }],
    ['photos/über 100%.jpg', { size_bytes: 200 }],
    ['docs/a_b.txt', { size_bytes: 300 }],
    ['docs/axb.txt', { size_bytes: 301 }],
    ['docs/backslash.md', { file_name: 'back\\slash.md', size_bytes: 400 }],
    ['backup.tar.gz', { size_bytes: 500 }],
    ['Straße.pdf', { size_bytes: 600 }],
    ['noextension', { size_bytes: 700 }],
    ['hidden/secret.png', { file_name: null, size_bytes: 800 }],
    ['nameless', { file_name: null, relative_path: null, size_bytes: 900 }],
    ['other/song.mp3', { folder_hash: ALPHA_HASH, size_bytes: 1000 }],
  ];
  await Promise.all(files.map(([path, manifest]) => store(user, path, { manifest })));
});

async function search(query: Record<string, string> | string) {
  const text = typeof query === 'string' ? query : `?${new URLSearchParams(query).toString()}`;
  return call(`GET /search_files/${user.substrateAddress}${text}`, { token: user.token });
}

/** The names found, by the path where a file has no name. */
async function found(query: Record<string, string>): Promise<string[]> {
  const { body } = await search(query);
  return body.Success.files.map((file: Json) => file.file_name ?? file.relative_path).toSorted();
}

describe('GET /search_files/{ss58}', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await search('');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          ss58_address: user.substrateAddress,
          files: expect.any(Array),
          total_count: 11,
          has_more: false,
          offset: 0,
          limit: 25,
        },
      },
    });
  });

  it('answers hits with the documented fields, flat', async () => {
    const { body } = await search({ q: 'cat.png' });
    const before = { created_at: expect.any(Number), updated_at: expect.any(Number) };
    expect(body.Success.files).toEqual([
      {
        folder_hash: DEFAULT_HASH,
        folder_label: 'default',
        path_hash: expect.any(Array),
        salted_hash: expect.any(Array),
        size_bytes: 100,
        revision_seq: 1,
        revision_id: expect.any(Array),
        encrypted_path: [1, 2, 3],
        file_name: 'Cat.PNG',
        relative_path: 'photos/Cat.PNG',
        store_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        chunk_hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)],
        uploaded_by: user.substrateAddress,
        ...before,
      },
    ]);
  });

  it('shows rows without any name when neither text nor type is asked for', async () => {
    const { body } = await search({ size_min: '900', size_max: '900' });
    expect(body.Success.files).toMatchObject([{ file_name: null, relative_path: null }]);
  });

  it('is empty for an owner without files', async () => {
    const nobody = await signIn();
    const { status, body } = await call(`GET /search_files/${nobody.substrateAddress}?q=a`, { token: nobody.token });
    expect([status, body.Success.files, body.Success.total_count, body.Success.has_more]).toEqual([200, [], 0, false]);
  });

  it('finds nothing of another owner', async () => {
    const other = await signIn();
    await store(other, 'photos/Cat.PNG');
    expect(await found({ q: 'Cat' })).toEqual(['Cat.PNG']);
  });
});

describe('the text of a search', () => {
  it.each([
    ['cat', ['Cat.PNG']],
    ['CAT.png', ['Cat.PNG']],
    ['at.p', ['Cat.PNG']],
    ['ÜBER', ['über 100%.jpg']],
    ['u\u0308ber', ['über 100%.jpg']],
    ['STRASSE', ['Straße.pdf']],
    ['ß', ['Straße.pdf']],
    ['%', ['über 100%.jpg']],
    ['100%', ['über 100%.jpg']],
    ['_', ['a_b.txt']],
    ['a_b', ['a_b.txt']],
    ['\\', ['back\\slash.md']],
    ['k\\s', ['back\\slash.md']],
    ["'; DROP TABLE x; --", []],
    ['a', ['Cat.PNG', 'Straße.pdf', 'a_b.txt', 'axb.txt', 'back\\slash.md', 'backup.tar.gz']],
    ['photos', []],
    ['hidden/', ['hidden/secret.png']],
    ['secret', ['hidden/secret.png']],
    ['nameless', []],
    ['no such file', []],
    [' ', ['über 100%.jpg']],
  ])('"%s" finds %j', async (q, names) => {
    expect(await found({ q })).toEqual(names);
  });

  it('is no filter when it is empty', async () => {
    expect(await found({ q: '' })).toHaveLength(11);
  });

  it.each(['x'.repeat(256), 'ü'.repeat(256), '😀'.repeat(256)])('may have 256 characters', async (q) => {
    expect((await search({ q })).status).toBe(200);
  });

  it.each(['x'.repeat(257), '😀'.repeat(257), 'x'.repeat(5000)])('may not have more', async (q) => {
    const { status, body } = await search({ q });
    expect({ status, body }).toEqual({ status: 400, body: refused('q_too_long') });
  });

  it('may not hold U+0000', async () => {
    expect((await search('?q=a%00b')).status).toBe(400);
  });
});

describe('the file type of a search', () => {
  it.each([
    ['image', ['Cat.PNG', 'hidden/secret.png', 'über 100%.jpg']],
    ['video', []],
    ['audio', ['song.mp3']],
    ['document', ['a_b.txt', 'axb.txt']],
    ['pdf', ['Straße.pdf']],
    ['archive', ['backup.tar.gz']],
    ['code', []],
    ['.png', ['Cat.PNG', 'hidden/secret.png']],
    ['.PNG', ['Cat.PNG', 'hidden/secret.png']],
    ['.gz', ['backup.tar.gz']],
    ['.tar.gz', ['backup.tar.gz']],
    ['.md', ['back\\slash.md']],
    ['.xyz', []],
  ])('%s finds %j', async (file_type, names) => {
    expect(await found({ file_type })).toEqual(names);
  });

  it.each([
    'other',
    'OTHER',
    'images',
    'png',
    '.',
    '..',
    '..png',
    '.p ng',
    '.p/ng',
    '.%',
    '.png.',
    'image,video',
    '*',
    ' ',
  ])('is refused as "%s"', async (file_type) => {
    const { status, body } = await search({ file_type });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_file_type') });
  });
});

describe('the bounds of a search', () => {
  it.each([
    [{ size_min: '800' }, ['hidden/secret.png', null, 'song.mp3']],
    [{ size_min: '800.5' }, [null, 'song.mp3']],
    [{ size_max: '100' }, ['Cat.PNG']],
    [{ size_max: '100.9' }, ['Cat.PNG']],
    [{ size_max: '99.999' }, []],
    [{ size_min: '300', size_max: '301' }, ['a_b.txt', 'axb.txt']],
    [{ size_min: '-5', size_max: '100' }, ['Cat.PNG']],
    [{ size_min: '301', size_max: '300' }, []],
    [{ size_min: '9223372036854775807' }, []],
    [{ size_min: '99999999999999999999' }, []],
    [{ size_max: '99999999999999999999', size_min: '1000' }, ['song.mp3']],
    [{ file_type: 'image', size_min: '150', q: 'e' }, ['hidden/secret.png', 'über 100%.jpg']],
  ])('%j hold', async (query, names) => {
    const { body } = await search({ ...query, sort_by: 'size_bytes', sort_order: 'asc' });
    const shown = body.Success.files.map((file: Json) => file.file_name ?? file.relative_path);
    expect(new Set(shown)).toEqual(new Set(names));
    expect(body.Success.total_count).toBe(names.length);
  });

  it('on times include both ends', async () => {
    const [{ created_at }] = (await search({ q: 'cat' })).body.Success.files;
    expect(created_at).toBeGreaterThanOrEqual(began);
    const times = (from: number, to: number) => ({ q: 'cat', date_from: `${from}`, date_to: `${to}` });
    expect(await found(times(created_at, created_at))).toEqual(['Cat.PNG']);
    expect(await found(times(created_at + 1, created_at + 9))).toEqual([]);
    expect(await found(times(0, created_at - 1))).toEqual([]);
    expect(await found({ q: 'cat', date_from: `${created_at}.5` })).toEqual([]);
    expect(await found({ q: 'cat', date_to: `${created_at}.5` })).toEqual(['Cat.PNG']);
  });

  it.each(['size_min', 'size_max', 'date_from', 'date_to'])('are refused when %s is no number', async (name) => {
    const { status, body } = await search({ [name]: 'many' });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('pass over parameters that nobody knows', async () => {
    const { status } = await search({ folder: 'x', uploaded_by: 'y', color: 'blue' });
    expect(status).toBe(200);
  });
});

describe('a file that changes', () => {
  it('is found by its new name and size, and no longer by the old', async () => {
    const mine = await signIn();
    const look = async (q: string) =>
      namesIn(
        (await call(`GET /search_files/${mine.substrateAddress}?q=${q}`, { token: mine.token })).body.Success.files,
      );
    const { revisionId } = await store(mine, 'before.txt');
    await store(mine, 'before.txt', {
      manifest: { file_name: 'after.txt', base_revision_id: revisionId, revision_seq: 2 },
    });
    expect([await look('before'), await look('after')]).toEqual([[], ['after.txt']]);
  });
});
