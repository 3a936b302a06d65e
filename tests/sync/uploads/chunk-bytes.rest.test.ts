import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  begin,
  downloadPath,
  FORM_TYPE,
  formOf,
  manifestFor,
  openChunks,
  replyTo,
  send,
} from '../../kit/files/bytes.js';
import type { Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;
const KIB = randomBytes(1024);
const refused = (error: string) => ({ Error: { error, message: expect.stringMatching(/\S/) } });

let user: SignedIn;
let token: string;
beforeAll(async () => {
  user = await signIn();
  ({ token } = user);
});

describe('PUT /upload/session/{session_id}/chunk/{chunk_index}', () => {
  it('takes raw bytes of 16 MiB', async () => {
    const chunks = await openChunks(user);
    const { status, body } = await send(`PUT ${chunks}/0`, randomBytes(16 * MIB), {
      token,
      headers: { 'content-type': 'application/octet-stream', 'content-length': 16 * MIB },
    });
    expect({ status, body }).toEqual({ status: 200, body: { Success: { chunk_index: 0 } } });
  });

  it.each([
    ['without a content type', {}],
    ['as application/json', { 'content-type': 'application/json' }],
  ])('takes bytes that come %s', async (_, headers) => {
    const chunks = await openChunks(user, { chunkSize: 1024 });
    const { status } = await send(`PUT ${chunks}/0`, KIB, { token, headers: { ...headers, 'content-length': 1024 } });
    expect(status).toBe(200);
  });

  it('takes bytes whose number was not declared', async () => {
    const chunks = await openChunks(user, { chunkSize: 1024 });
    const begun = begin(`PUT ${chunks}/0`, { token, headers: { 'transfer-encoding': 'chunked' } });
    const reply = replyTo(begun);
    begun.write(KIB.subarray(0, 1000));
    begun.end(KIB.subarray(1000));
    expect((await reply).status).toBe(200);
  });

  it('refuses more than 16 MiB as invalid_manifest before a byte came', async () => {
    const chunks = await openChunks(user);
    const begun = begin(`PUT ${chunks}/0`, { token, headers: { 'content-length': 17 * MIB } });
    begun.flushHeaders();
    const { status, headers, body } = await replyTo(begun);
    expect({ status, connection: headers.connection, body }).toEqual({
      status: 400,
      connection: 'close',
      body: refused('invalid_manifest'),
    });
  });

  it('refuses more than 16 MiB whose number was not declared', async () => {
    const chunks = await openChunks(user);
    const begun = begin(`PUT ${chunks}/0`, { token });
    const reply = replyTo(begun);
    begun.end(randomBytes(17 * MIB));
    expect((await reply).body).toEqual(refused('invalid_manifest'));
  });

  it.each([
    ['a token', undefined, 401],
    ['a token that is one', 'nobody', 401],
  ])('refuses at once whoever sends no byte and not %s', async (_, bad, status) => {
    const chunks = await openChunks(user);
    const begun = begin(`PUT ${chunks}/0`, { ...(bad && { token: bad }), headers: { 'content-length': MIB } });
    begun.flushHeaders();
    const reply = await replyTo(begun);
    expect([reply.status, reply.headers.connection]).toEqual([status, 'close']);
  });

  it('asks for the bytes when all else is checked', async () => {
    const chunks = await openChunks(user, { chunkSize: 1024 });
    const headers = { expect: '100-continue', 'content-length': 1024 };
    const begun = begin(`PUT ${chunks}/0`, { token, headers });
    const reply = replyTo(begun);
    begun.flushHeaders();
    await once(begun, 'continue');
    begun.end(KIB);
    expect((await reply).status).toBe(200);
  });

  it('does not ask for bytes that it refuses', async () => {
    const chunks = await openChunks(user);
    const headers = { expect: '100-continue', 'content-length': 17 * MIB };
    const begun = begin(`PUT ${chunks}/0`, { token, headers });
    let asked = false;
    begun.once('continue', () => (asked = true));
    begun.flushHeaders();
    const { status } = await replyTo(begun);
    expect({ status, asked }).toEqual({ status: 400, asked: false });
  });
});

describe('the forms of POST /upload', () => {
  const bytes = randomBytes(3 * MIB);
  let manifest: Json;
  beforeEach(() => {
    manifest = manifestFor(user, randomBytes(8).toString('hex'), blake3(bytes));
  });
  const upload = (form: Buffer) => send('POST /upload', form, { token, headers: { 'content-type': FORM_TYPE } });
  const octets = 'application/octet-stream';

  it.each([
    ['the drive SDK', { type: 'application/json' }, { type: octets }],
    ['curl', { fileName: 'm.json', type: 'application/json' }, { fileName: 'c.bin', type: octets }],
    ['FormData', {}, { fileName: 'blob', type: octets }],
  ])('are read as %s sends them, and every byte is kept', async (_, first, second) => {
    const { status } = await upload(
      formOf([
        { name: 'manifest', bytes: JSON.stringify(manifest), ...first },
        { name: 'ciphertext', bytes, ...second },
      ]),
    );
    const kept = await send(`GET ${downloadPath(manifest)}`, undefined, { token });
    expect({ status, isKept: kept.bytes.equals(bytes) }).toEqual({ status: 200, isKept: true });
  });

  it.each([
    ['another first part', [{ name: 'ciphertext', type: octets, bytes: 'x' }]],
    ['a manifest that is no JSON', [{ name: 'manifest', bytes: '{' }]],
    ['no part', []],
    ['a manifest alone', [{ name: 'manifest', bytes: '{}' }]],
    [
      'bytes that come as text',
      [
        { name: 'manifest', bytes: '{}' },
        { name: 'ciphertext', bytes: 'x' },
      ],
    ],
  ])('with %s are refused as invalid_manifest', async (_, parts) => {
    const { status, body } = await upload(formOf(parts));
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('that break off are refused as invalid_manifest', async () => {
    const parts = [
      { name: 'manifest', bytes: JSON.stringify(manifest) },
      { name: 'ciphertext', type: octets, bytes },
    ];
    const { status, body } = await upload(formOf(parts, false));
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it.each([{}, { fileName: 'm.json', type: 'application/json' }])(
    'with a manifest over 1 MiB are refused as payload_too_large (%j)',
    async (kind) => {
      const form = formOf([{ name: 'manifest', bytes: `"${'x'.repeat(MIB)}"`, ...kind }]);
      const { status, body } = await upload(form);
      expect({ status, body }).toEqual({ status: 413, body: refused('payload_too_large') });
    },
  );

  it('are forms: anything else is refused', async () => {
    const { status } = await send('POST /upload', Buffer.from('{}'), { token });
    expect(status).toBe(400);
  });
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
