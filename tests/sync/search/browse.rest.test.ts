import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { ALPHA_HASH, DEFAULT_HASH, namesIn, store } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
  const files: readonly (readonly [string, number])[] = [
    ['b.txt', 1],
    ['A.png', 2],
    ['c.PNG', 3],
    ['noext', 4],
    ['docs/z.txt', 10],
    ['docs/deep/deeper/y.txt', 20],
    ['docs/deep/x.txt', 30],
    ['Ärzte/a.txt', 40],
    ['Beta/a.txt', 50],
    ['alpha/a.txt', 60],
    ['docs2/a.txt', 70],
    ['100%_/a.txt', 80],
  ];
  await Promise.all(files.map(([path, size_bytes]) => store(user, path, { manifest: { size_bytes } })));
  await store(user, 'hidden', { manifest: { relative_path: null, file_name: 'hidden' } });
  await store(user, 'docs/nameless.txt', { manifest: { file_name: null, size_bytes: 5 } });
  await store(user, 'elsewhere.txt', { manifest: { folder_hash: ALPHA_HASH } });
});

const browse = (query: Record<string, string> = {}, folder = DEFAULT_HASH) =>
  call(`GET /browse/${user.substrateAddress}/${folder}?${new URLSearchParams(query).toString()}`, {
    token: user.token,
  });
const listing = async (query: Record<string, string> = {}): Promise<Json> => (await browse(query)).body.Success;
const foldersIn = ({ folders }: Json) => folders.map(({ name }: Json) => name);
const ROOT_FOLDERS = ['100%_', 'alpha', 'Beta', 'docs', 'docs2', 'Ärzte'];
const ROOT_FILES = ['A.png', 'b.txt', 'c.PNG', 'noext'];

describe('GET /browse/{ss58}/{folder_hash}', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await browse({ path: 'docs' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          ss58_address: user.substrateAddress,
          folder_hash: DEFAULT_HASH,
          path: 'docs',
          folders: [{ name: 'deep', file_count: 2, total_bytes: 50 }],
          files: [expect.any(Object), expect.any(Object)],
          total_count: 3,
          has_more: false,
          offset: 0,
          limit: 50,
        },
      },
    });
  });

  it('lists folders by name whatever their case, then files', async () => {
    const root = await listing();
    expect([foldersIn(root), namesIn(root.files)]).toEqual([ROOT_FOLDERS, ROOT_FILES]);
  });

  it('counts folders with all below', async () => {
    const { folders } = await listing();
    expect(folders).toContainEqual({ name: 'docs', file_count: 4, total_bytes: 65 });
    expect(folders).toContainEqual({ name: 'docs2', file_count: 1, total_bytes: 70 });
  });

  it('answers files as the state does', async () => {
    const [file] = (await listing()).files;
    const { files } = (await call(`GET /get_state/${user.substrateAddress}/${DEFAULT_HASH}`, { token: user.token }))
      .body.Success;
    expect(files).toContainEqual(file);
  });

  it.each(['docs/', '/docs', '/docs/', 'docs'])('takes the path "%s"', async (path) => {
    expect(await listing({ path })).toMatchObject({ total_count: 3 });
  });

  it.each(['', '/'])('takes "%s" for the root', async (path) => {
    expect(await listing({ path })).toMatchObject({ path: '', total_count: 10 });
  });

  it('goes down', async () => {
    const deep = await listing({ path: 'docs/deep' });
    expect([foldersIn(deep), namesIn(deep.files)]).toEqual([['deeper'], ['x.txt']]);
  });

  it.each(['nowhere', 'doc', 'docs/z.txt', '100%', 'DOCS', '.'])('is empty at "%s"', async (path) => {
    const { status, body } = await browse({ path });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { Success: { folders: [], files: [], total_count: 0 } },
    });
  });

  it('is empty for a folder that nobody knows', async () => {
    expect((await browse({}, '0'.repeat(16))).body.Success).toMatchObject({ folders: [], files: [], total_count: 0 });
  });

  it('hides files whose path is not known', async () => {
    expect(namesIn((await listing()).files)).not.toContain('hidden');
  });

  it('shows files without a name among the others', async () => {
    const { files } = await listing({ path: 'docs' });
    expect(files.map(({ relative_path }: Json) => relative_path)).toEqual(['docs/nameless.txt', 'docs/z.txt']);
  });

  it.each(['..', '../x', 'docs/..', 'docs/../docs', 'a\\b', '\\', '..\\x'])('refuses the path "%s"', async (path) => {
    const { status, body } = await browse({ path });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it.each(['..a', 'a..', '...'])('takes "%s" for a name', async (path) => {
    expect((await browse({ path })).status).toBe(200);
  });

  it.each(['xyz', '0'.repeat(15), '0'.repeat(17)])('refuses the folder hash "%s"', async (folder) => {
    expect((await browse({}, folder)).body).toEqual(refused('invalid_manifest'));
  });
});

describe('pages of a directory', () => {
  it('have one row of places for folders and files', async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 10; offset += 3) {
      const page = await listing({ offset: `${offset}`, limit: '3' });
      expect(page).toMatchObject({ total_count: 10, has_more: offset < 9, offset, limit: 3 });
      seen.push(...foldersIn(page), ...namesIn(page.files));
    }
    expect(seen).toEqual([...ROOT_FOLDERS, ...ROOT_FILES]);
  });

  it.each([
    [{ limit: '1000' }, { limit: 200 }],
    [{ limit: '2147483648' }, { limit: 200 }],
    [{ offset: '2147483648' }, { folders: [], files: [], has_more: false, total_count: 10 }],
    [{ limit: '0' }, { limit: 0, folders: [], files: [], has_more: true }],
    [{ offset: '10' }, { folders: [], files: [], has_more: false, total_count: 10 }],
    [{ offset: '1000' }, { folders: [], files: [], has_more: false }],
  ])('with %j hold %j', async (query, expected) => {
    expect(await listing(query as Record<string, string>)).toMatchObject(expected);
  });

  it.each([{ offset: '-1' }, { limit: '-1' }, { limit: 'x' }])('are refused with %j', async (query) => {
    expect((await browse(query as Record<string, string>)).status).toBe(400);
  });
});

describe('the files of a directory', () => {
  it.each([
    ['file_name', 'desc', ['noext', 'c.PNG', 'b.txt', 'A.png']],
    ['size_bytes', 'asc', ['b.txt', 'A.png', 'c.PNG', 'noext']],
    ['size_bytes', 'DESC', ['noext', 'c.PNG', 'A.png', 'b.txt']],
    ['extension', 'asc', ['noext', 'A.png', 'c.PNG', 'b.txt']],
    ['uploaded_by', 'asc', ROOT_FILES],
    ['color', 'asc', ROOT_FILES],
    ['file_name', 'sideways', ROOT_FILES],
  ])('are ordered by %s %s', async (sort_by, sort_order, names) => {
    const page = await listing({ sort_by, sort_order });
    expect([foldersIn(page), namesIn(page.files)]).toEqual([ROOT_FOLDERS, names]);
  });

  it.each(['created_at', 'updated_at'])('are ordered by %s', async (sort_by) => {
    const times = (await listing({ sort_by })).files.map((file: Json) => file[sort_by]);
    expect(times).toEqual(times.toSorted());
  });

  it.each([
    [{ file_type: 'image' }, ['A.png', 'c.PNG']],
    [{ file_type: '.txt' }, ['b.txt']],
    [{ file_type: '.tar.gz' }, []],
    [{ uploaded_by: 'nobody' }, []],
    [{ file_type: 'image', limit: '1', offset: '1' }, ['c.PNG']],
  ])('are filtered by %j, without folders', async (query, names) => {
    const page = await listing(query);
    expect([page.folders, namesIn(page.files)]).toEqual([[], names]);
  });

  it('are filtered by who uploaded them', async () => {
    const page = await listing({ uploaded_by: user.substrateAddress });
    expect([page.folders, namesIn(page.files), page.total_count]).toEqual([[], ROOT_FILES, 4]);
  });

  it('are not filtered by nothing', async () => {
    expect(await listing({ uploaded_by: '', file_type: '' })).toMatchObject({ total_count: 10 });
  });

  it.each(['other', 'png', '.'])('are refused by the type "%s"', async (file_type) => {
    const { status, body } = await browse({ file_type });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_file_type') });
  });
});
