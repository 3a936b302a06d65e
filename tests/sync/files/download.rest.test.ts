import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { send } from '../../kit/files/bytes.js';
import { call } from '../../kit/platform.js';
import { DEFAULT_HASH, following, store, type StoredFile } from '../../kit/files/sync.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;
const BYTES = randomBytes(5000);
const LONG = randomBytes(8 * MIB + 1000);

let user: SignedIn;
let file: StoredFile;
let empty: StoredFile;
let long: StoredFile;
/** In chunks of 1024 bytes. */
let chunked: string;
beforeAll(async () => {
  user = await signIn();
  file = await store(user, 'a.bin', { bytes: BYTES, manifest: { size_bytes: 4952 } });
  empty = await store(user, 'empty', { bytes: Buffer.alloc(0) });
  long = await store(user, 'long', { bytes: LONG });
  const upload = await TestUpload.open({ user, bytes: BYTES });
  await upload.putAll();
  await upload.finalize();
  chunked = Buffer.from(upload.plan.manifest.path_hash).toString('hex');
});

const get = (fileId: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(`${method} /download/${user.substrateAddress}/${DEFAULT_HASH}/${fileId}`, undefined, { ...user, headers });

describe('GET /download/{ss58}/{folder_hash}/{file_id}', () => {
  it('answers the ciphertext with the documented headers', async () => {
    const { status, bytes, headers } = await get(file.fileId);
    expect({ status, isKept: bytes.equals(BYTES) }).toEqual({ status: 200, isKept: true });
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'x-size-bytes': '4952',
      'x-revision-id': Buffer.from(file.revisionId).toString('hex'),
      'x-revision-seq': '1',
      'x-file-id': file.fileId,
      'x-ss58-address': user.substrateAddress,
      'x-folder-hash': DEFAULT_HASH,
    });
  });

  it('takes a file id in upper case', async () => {
    const { status, headers } = await get(file.fileId.toUpperCase());
    expect([status, headers['x-file-id']]).toEqual([200, file.fileId]);
  });

  it('answers HEAD with the same headers and no byte', async () => {
    const { status, bytes, headers } = await get(file.fileId, {}, 'HEAD');
    expect([status, bytes.length, headers['content-length'], headers['x-size-bytes']]).toEqual([
      200,
      0,
      '5000',
      '4952',
    ]);
  });

  it('answers an empty file with 200 and no byte', async () => {
    const { status, bytes, headers } = await get(empty.fileId);
    expect([status, bytes.length, headers['content-length']]).toEqual([200, 0, '0']);
  });

  it('joins the chunks of a session', async () => {
    const { bytes } = await get(chunked);
    expect(bytes.equals(BYTES)).toBe(true);
  });

  it('answers twenty at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => get(long.fileId)));
    expect(replies.map(({ status, bytes }) => [status, bytes.equals(LONG)])).toEqual(replies.map(() => [200, true]));
  });

  it('shows the headers of a file to scripts of other origins', async () => {
    const { headers } = await get(file.fileId, { origin: 'tauri://localhost' });
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    const ofTheFile = Object.keys(headers).filter((name) => name.startsWith('x-') && name !== 'x-content-type-options');
    expect(exposed).toEqual(expect.arrayContaining([...ofTheFile, 'x-folder-hash', 'content-range']));
  });
});

describe('a Range', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-4999', 0, 5000],
    ['bytes=0-', 0, 5000],
    ['bytes=1-1023', 1, 1024],
    ['bytes=1023-1024', 1023, 1025],
    ['bytes=1000-3500', 1000, 3501],
    ['bytes=4999-', 4999, 5000],
    ['bytes=4000-999999', 4000, 5000],
    ['bytes=-1', 4999, 5000],
    ['bytes=-2000', 3000, 5000],
    ['bytes=-999999', 0, 5000],
  ])('%s is answered with 206 and just these bytes', async (range, start, end) => {
    for (const fileId of [file.fileId, chunked]) {
      const { status, bytes, headers } = await get(fileId, { range });
      expect({ status, isKept: bytes.equals(BYTES.subarray(start, end)) }).toEqual({ status: 206, isKept: true });
      expect(headers).toMatchObject({
        'content-range': `bytes ${start}-${end - 1}/5000`,
        'content-length': `${end - start}`,
        'x-size-bytes': expect.any(String),
      });
    }
  });

  it('goes across the border of what the server cuts by itself', async () => {
    const { bytes } = await get(long.fileId, { range: `bytes=${8 * MIB - 10}-${8 * MIB + 9}` });
    expect(bytes.equals(LONG.subarray(8 * MIB - 10, 8 * MIB + 10))).toBe(true);
  });

  it.each(['bytes=5000-', 'bytes=9999-10000', 'bytes=-0'])('%s lies past the end: 416', async (range) => {
    const { status, headers, body } = await get(file.fileId, { range });
    expect({ status, range: headers['content-range'], type: headers['content-type'], body }).toEqual({
      status: 416,
      range: 'bytes */5000',
      type: expect.stringMatching(/^application\/json/),
      body: refused('range_not_satisfiable'),
    });
  });

  it('of an empty file is 416', async () => {
    expect((await get(empty.fileId, { range: 'bytes=0-' })).status).toBe(416);
  });

  it.each(['bytes=5-1', 'lines=1-2', 'bytes=a-b', 'bytes=0-1,3-4', 'bytes=-', 'bytes'])(
    '%s is passed over',
    async (range) => {
      const { status, bytes } = await get(file.fileId, { range });
      expect([status, bytes.length]).toEqual([200, 5000]);
    },
  );
});

describe('a download that is refused', () => {
  it.each(['xyz', '0'.repeat(63), '0'.repeat(65), 'g'.repeat(64), `${'0'.repeat(64)}%0A`, 'a%2Fb', '%2e%2e%2f', '%25'])(
    'is 400 invalid_file_id for the id "%s"',
    async (fileId) => {
      const { status, body, headers } = await get(fileId);
      expect({ status, body }).toEqual({ status: 400, body: refused('invalid_file_id') });
      expect(headers['content-type']).toMatch(/^application\/json/);
    },
  );

  it('is 404 for a file that is not there', async () => {
    const { status, body } = await get('0'.repeat(64));
    expect({ status, body }).toEqual({ status: 404, body: refused('not_found') });
  });

  it('is 404 in another folder', async () => {
    const path = `GET /download/${user.substrateAddress}/8ed3f6ad685b959e/${file.fileId}`;
    expect((await call(path, { token: user.token })).status).toBe(404);
    const plain = `GET /download/${user.substrateAddress}/${file.fileId}`;
    expect((await call(plain, { token: user.token })).status).toBe(404);
  });

  it('is 400 for a folder hash that is none', async () => {
    const path = `GET /download/${user.substrateAddress}/xyz/${file.fileId}`;
    expect((await call(path, { token: user.token })).body).toEqual(refused('invalid_manifest'));
  });
});

describe('a file that is replaced', () => {
  it('is downloaded at its new revision', async () => {
    const first = await store(user, 'replaced');
    const next = await store(user, 'replaced', { manifest: following(first) });
    const { bytes, headers } = await get(first.fileId);
    expect([bytes.equals(next.bytes), headers['x-revision-seq']]).toEqual([true, '2']);
  });
});
