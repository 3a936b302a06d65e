import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { ALPHA_HASH, namesIn, store } from '../../kit/files/sync.js';
import { refused } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

/** Two sizes only: most files have their sort value in common. */
const COUNT = 23;

let user: SignedIn;
beforeAll(async () => {
  user = await signIn();
  const plans = Array.from({ length: COUNT }, (_, at) => ({ path: `${at}.txt`, manifest: { size_bytes: at % 2 } }));
  await Promise.all(plans.map(({ path, manifest }) => store(user, path, { manifest })));
  // The same path hash in another folder.
  await store(user, '0.txt', { manifest: { folder_hash: ALPHA_HASH, size_bytes: 0 } });
});

const search = async (query: string): Promise<Json> =>
  (await call(`GET /search_files/${user.substrateAddress}?${query}`, { token: user.token })).body;
const keyOf = ({ folder_hash, path_hash }: Json) => `${folder_hash} ${Buffer.from(path_hash).toString('hex')}`;

describe('pages of a search', () => {
  it.each(
    ['file_name', 'size_bytes', 'created_at', 'updated_at'].flatMap((by) => [
      `sort_by=${by}&sort_order=asc`,
      `sort_by=${by}&sort_order=desc`,
    ]),
  )('neither drop nor repeat a row: %s', async (order) => {
    const seen: Json[] = [];
    for (let hasMore = true; hasMore;) {
      const { Success } = await search(`${order}&limit=5&offset=${seen.length}`);
      expect(Success).toMatchObject({ total_count: COUNT + 1, offset: seen.length, limit: 5 });
      seen.push(...Success.files);
      hasMore = Success.has_more;
    }
    expect(new Set(seen.map(keyOf)).size).toBe(COUNT + 1);
    expect(seen).toHaveLength(COUNT + 1);
    const whole = await search(`${order}&limit=100`);
    expect(whole.Success.files.map(keyOf)).toEqual(seen.map(keyOf));
  });

  it.each(['asc', 'ASC'])('are ordered by the path hash where the size is the same, %s', async (order) => {
    const { files } = (await search(`sort_by=size_bytes&sort_order=${order}&limit=100`)).Success;
    const keys = files.map(
      ({ size_bytes, path_hash }: Json) => `${size_bytes} ${Buffer.from(path_hash).toString('hex')}`,
    );
    expect(keys).toEqual(keys.toSorted());
  });

  it('are ordered by name', async () => {
    const up = namesIn((await search('sort_by=file_name&sort_order=asc&limit=100')).Success.files);
    const down = namesIn((await search('sort_by=file_name&sort_order=DESC&limit=100')).Success.files);
    expect(up).toEqual(up.toSorted());
    expect(down).toEqual(up.toReversed());
  });

  it.each([
    'sort_by=color',
    'sort_by=',
    'sort_by=path_hash',
    'sort_order=sideways',
    'sort_by=id%3BDROP',
    'sort_by=constructor',
  ])('fall back to the newest first: %s', async (query) => {
    const usual = await search('limit=100');
    const { Success } = await search(`${query}&limit=100`);
    expect(Success.files.map(keyOf)).toEqual(usual.Success.files.map(keyOf));
  });

  it.each([
    ['limit=0', { files: [], limit: 0, has_more: true, total_count: COUNT + 1 }],
    ['limit=10000', { limit: 10_000, has_more: false }],
    ['limit=10001', { limit: 10_000, has_more: false }],
    ['limit=2000000000', { limit: 10_000 }],
    [`offset=${COUNT + 1}`, { files: [], offset: COUNT + 1, has_more: false, total_count: COUNT + 1 }],
    ['offset=2000000000', { files: [], has_more: false, total_count: COUNT + 1 }],
    ['limit=2147483648', { limit: 10_000, has_more: false }],
    ['limit=99999999999999999999', { limit: 10_000, has_more: false }],
    ['offset=2147483648', { files: [], offset: 2_147_483_647, has_more: false, total_count: COUNT + 1 }],
    ['offset=18446744073709551616', { files: [], offset: 2_147_483_647, has_more: false }],
    [`offset=${COUNT}&limit=1`, { has_more: false }],
    [`offset=${COUNT - 1}&limit=1`, { has_more: true }],
    ['size_min=1&limit=3', { total_count: 11, has_more: true }],
    ['q=txt&limit=5', { total_count: COUNT + 1, has_more: true }],
    ['q=1.txt&limit=1&offset=1', { total_count: 3, has_more: true }],
  ])('with %s hold %j', async (query, expected) => {
    expect((await search(query)).Success).toMatchObject(expected);
  });

  it.each([
    'limit=-1',
    'offset=-1',
    'limit=ten',
    'offset=',
    'limit=1.5',
    'limit=-2147483649',
    'offset=-99999999999999999999',
    'limit=3000000000.5',
    'offset=1e10',
  ])('are refused with %s', async (query) => {
    expect(await search(query)).toEqual(refused('invalid_manifest'));
  });
});

const PAGE = `query ($owner: String!, $after: String, $by: String, $order: String, $limit: Int) {
  searchFiles(ownerAddress: $owner, after: $after, sortBy: $by, sortOrder: $order, limit: $limit) {
    files { fileName fileId folderHash } endCursor hasMore totalCount
  }
}`;

describe('the cursor of a search', () => {
  const page = (variables: Json, owner = user) =>
    graphql(PAGE, { token: owner.token, variables: { owner: owner.substrateAddress, limit: 4, ...variables } });

  it.each(
    ['file_name', 'size_bytes', 'created_at', 'updated_at'].flatMap((by) => [
      { by, order: 'asc' },
      { by, order: 'desc' },
    ]),
  )('leads through all files in the order %j', async (order) => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { searchFiles }: Json = (await page({ ...order, after })).data;
      seen.push(...searchFiles.files.map(({ fileId, folderHash }: Json) => `${folderHash} ${fileId}`));
      expect(searchFiles.hasMore).toBe(searchFiles.endCursor !== null);
      after = searchFiles.endCursor;
    } while (after !== null);
    expect([seen.length, new Set(seen).size]).toEqual([COUNT + 1, COUNT + 1]);
  });

  it('skips and repeats nothing while files come and go', async () => {
    const mine = await signIn();
    const names = ['b', 'd', 'f', 'h', 'j', 'l'];
    for (const name of names) await store(mine, name);
    const order = { by: 'file_name', order: 'asc', limit: 2 };
    const first = (await page(order, mine)).data.searchFiles;
    const gone = first.files[0].fileId;
    await call(`DELETE /delete/${mine.substrateAddress}/37a8eec1ce19687d/${gone}`, { token: mine.token });
    await store(mine, 'a');
    await store(mine, 'g');
    const second = (await page({ ...order, after: first.endCursor }, mine)).data.searchFiles;
    const third = (await page({ ...order, after: second.endCursor }, mine)).data.searchFiles;
    const fourth = (await page({ ...order, after: third.endCursor }, mine)).data.searchFiles;
    const shown = [first, second, third, fourth].flatMap(({ files }) => files.map(({ fileName }: Json) => fileName));
    expect(shown).toEqual(['b', 'd', 'f', 'g', 'h', 'j', 'l']);
    expect(fourth.endCursor).toBeNull();
  });

  it.each([
    '',
    'x',
    'W10',
    Buffer.from('["created_at",true,"1","zz","1"]').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ])('is refused as "%s"', async (after) => {
    expect(codeOf(await page({ after }))).toBe('BAD_REQUEST');
  });

  it('is refused in another order than it came from', async () => {
    const { endCursor } = (await page({ by: 'size_bytes' })).data.searchFiles;
    expect(codeOf(await page({ by: 'created_at', after: endCursor }))).toBe('BAD_REQUEST');
  });
});
