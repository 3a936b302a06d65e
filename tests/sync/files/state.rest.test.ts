import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { ALPHA_HASH, stateOf, store } from '../../kit/files/sync.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let ids: string[];
beforeAll(async () => {
  user = await signIn();
  const files = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      store(user, `${at}.txt`, { manifest: at % 2 === 0 ? { file_name: null, relative_path: null } : {} }),
    ),
  );
  ids = files.map(({ fileId }) => fileId).toSorted();
});

const page = async (query: string) => (await stateOf(user, query)).body.Success;
const idsIn = (files: { path_hash: number[] }[]) =>
  files.map(({ path_hash }) => Buffer.from(path_hash).toString('hex'));

describe('GET /get_state/{ss58}/{folder_hash}', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await stateOf(user);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        Success: {
          ss58_address: user.substrateAddress,
          folder_hash: '37a8eec1ce19687d',
          files: expect.any(Array),
          total_count: 12,
          has_more: false,
          offset: 0,
          limit: 1000,
        },
      },
    });
  });

  it('has rows without names too, in an order that stays', async () => {
    expect(idsIn((await page('')).files)).toEqual(ids);
  });

  it('gives pages that neither drop nor repeat a row', async () => {
    const seen: string[] = [];
    for (let hasMore = true; hasMore;) {
      const { files, has_more } = await page(`?offset=${seen.length}&limit=5`);
      seen.push(...idsIn(files));
      hasMore = has_more;
    }
    expect(seen).toEqual(ids);
  });

  it.each([
    ['?limit=6000', { limit: 5000, offset: 0 }],
    ['?limit=4294967296', { limit: 5000, offset: 0 }],
    ['?offset=4294967296', { files: [], has_more: false, total_count: 12, offset: 2_147_483_647 }],
    ['?limit=0', { limit: 0, files: [], has_more: true, total_count: 12 }],
    ['?offset=12', { files: [], has_more: false, total_count: 12, offset: 12 }],
    ['?offset=5000', { files: [], has_more: false, total_count: 12 }],
    ['?offset=11&limit=1', { has_more: false }],
    ['?offset=10&limit=1', { has_more: true }],
  ])('answers %s with %j', async (query, expected) => {
    expect(await page(query)).toMatchObject(expected);
  });

  it.each(['?offset=-1', '?limit=-1', '?limit=many', '?offset=1.5'])('refuses %s', async (query) => {
    const { status, body } = await stateOf(user, query);
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('has the hashes of up to 64 chunks of a file', async () => {
    const folder_hash = '0123456789abcdef';
    for (const chunks of [64, 65]) {
      const bytes = Buffer.alloc(chunks, chunks);
      const upload = await TestUpload.open({
        user,
        bytes,
        chunkSize: 1,
        manifest: { folder_hash, size_bytes: chunks },
      });
      await upload.putAll();
      expect((await upload.finalize()).status).toBe(200);
    }
    const { files } = (await stateOf(user, '', folder_hash)).body.Success;
    const shown = files.map(({ size_bytes, chunk_hashes }: Json) => [size_bytes, chunk_hashes?.length ?? null]);
    expect(new Map(shown)).toEqual(
      new Map([
        [64, 64],
        [65, null],
      ]),
    );
  });

  it('is empty for a folder that nobody knows', async () => {
    const { body } = await stateOf(user, '', ALPHA_HASH);
    expect(body.Success).toMatchObject({ files: [], total_count: 0, has_more: false, folder_hash: ALPHA_HASH });
  });

  it.each(['xyz', '37a8eec1ce19687', 'zzzzzzzzzzzzzzzz', '..', '%2e%2e', 'a%2Fb'])(
    'refuses the folder hash "%s"',
    async (hash) => {
      const { status } = await call(`GET /get_state/${user.substrateAddress}/${hash}`, { token: user.token });
      expect(hash === '..' || hash === '%2e%2e' ? 404 : 400).toBe(status);
    },
  );

  it('takes the header X-Billing-Bypass, which changes nothing', async () => {
    const { status } = await call(`GET /get_state/${user.substrateAddress}/${ALPHA_HASH}`, {
      token: user.token,
      headers: { 'x-billing-bypass': 'whatever' },
    });
    expect(status).toBe(200);
  });

  it.each(['X-API-Key', 'X-Hippius-Bypass-Rate-Limiting', 'X-Billing-Bypass'])(
    'is refused to who has only the header %s',
    async (header) => {
      const path = `GET /get_state/${user.substrateAddress}/${ALPHA_HASH}`;
      const { status } = await call(path, { headers: { [header]: user.token } });
      expect(status).toBe(401);
    },
  );
});
