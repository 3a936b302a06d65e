import { beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { downloadPath, FORM_TYPE, formOf, manifestFor, send } from '../../kit/files/bytes.js';

const refused = (error: string) => ({ Error: { error, message: expect.stringMatching(/\S/) } });

let user: SignedIn;
let token: string;
beforeAll(async () => {
  user = await signIn();
  ({ token } = user);
});

describe('GET /download/{ss58}/{folder_hash}/{file_id}', () => {
  const bytes = randomBytes(100_000);
  let path: string;
  beforeAll(async () => {
    const manifest = manifestFor(user, 'a file to download', blake3(bytes));
    path = downloadPath(manifest);
    const parts = [
      { name: 'manifest', bytes: JSON.stringify(manifest) },
      { name: 'ciphertext', type: 'application/octet-stream', bytes },
    ];
    await send('POST /upload', formOf(parts), { token, headers: { 'content-type': FORM_TYPE } });
  });
  const get = (range?: string, method = 'GET', more: Record<string, string> = {}) =>
    send(`${method} ${path}`, undefined, { token, headers: { ...(range !== undefined && { range }), ...more } });

  it('answers all bytes with their number, and says that it knows ranges', async () => {
    const { status, headers, bytes: got } = await get();
    expect({
      status,
      length: headers['content-length'],
      ranges: headers['accept-ranges'],
      same: got.equals(bytes),
    }).toEqual({ status: 200, length: '100000', ranges: 'bytes', same: true });
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-10', 99_990, 100_000],
    ['bytes=-200000', 0, 100_000],
    ['bytes=5-999999', 5, 100_000],
  ])('answers %s as a part', async (range, start, end) => {
    const { status, headers, bytes: got } = await get(range);
    expect({ status, range: headers['content-range'], same: got.equals(bytes.subarray(start, end)) }).toEqual({
      status: 206,
      range: `bytes ${start}-${end - 1}/100000`,
      same: true,
    });
  });

  it.each(['bytes=100000-', 'bytes=-0'])('refuses %s, which is past the end, with 416', async (range) => {
    const { status, headers, body } = await get(range);
    expect({ status, range: headers['content-range'], body }).toEqual({
      status: 416,
      range: 'bytes */100000',
      body: refused('range_not_satisfiable'),
    });
  });

  it.each(['bytes=9-5', 'bytes=a-', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-'])(
    'answers all bytes to %s, which is no single range',
    async (range) => {
      const { status, bytes: got } = await get(range);
      expect([status, got.length]).toEqual([200, 100_000]);
    },
  );

  it('answers all bytes to a range that is conditional', async () => {
    const { status } = await get('bytes=0-1', 'GET', { 'if-range': '"another"' });
    expect(status).toBe(200);
  });

  it('answers HEAD with the headers alone', async () => {
    const { status, headers, bytes: got } = await get(undefined, 'HEAD');
    expect([status, headers['content-length'], got.length]).toEqual([200, '100000', 0]);
  });

  it("refuses another's file as forbidden", async () => {
    const other = await signIn();
    const { status, body } = await send(`GET ${path}`, undefined, { token: other.token });
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
  });

  it('answers 404 not_found, as JSON, for a file that is not there', async () => {
    const { status, headers, body } = await send(`GET ${path.slice(0, -64)}${'0'.repeat(64)}`, undefined, { token });
    expect({ status, type: headers['content-type'], body }).toEqual({
      status: 404,
      type: 'application/json; charset=utf-8',
      body: refused('not_found'),
    });
  });
});
