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
