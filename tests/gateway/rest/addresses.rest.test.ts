import { beforeAll, describe, expect, it } from '@jest/globals';
import { begin, formOf, replyTo } from '../../kit/files/bytes.js';
import { call } from '../../kit/platform.js';
import { DEFAULT_HASH, postForm } from '../../kit/files/sync.js';
import { refused, TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const ID = '0'.repeat(64);

let user: SignedIn;
let upload: TestUpload;
beforeAll(async () => {
  user = await signIn();
  upload = await TestUpload.open({ user });
});

const filled = (target: string) =>
  target.replace('{me}', user.substrateAddress).replace('{folder}', DEFAULT_HASH).replace('{session}', upload.id);

describe('a part of an address that cannot be what it has to be', () => {
  it.each([
    ...['abc', '1.5', '1e0', '-1', '99999999999999999999', '-99999999999999999999', '%00', '%ff', '0x1'].map(
      (index) => [`PUT /upload/session/{session}/chunk/${index}`, 'invalid_manifest'],
    ),
    ['GET /upload/session/%ff/status', 'invalid_manifest'],
    ['GET /upload/session/%00/status', 'invalid_manifest'],
    ['DELETE /upload/session/%', 'invalid_manifest'],
    [`DELETE /delete/{me}/{folder}/%00`, 'invalid_file_id'],
    [`DELETE /delete/{me}/{folder}/%ff`, 'invalid_file_id'],
    [`DELETE /delete/{me}/%zz`, 'invalid_file_id'],
    [`DELETE /delete/{me}/%00/${ID}`, 'invalid_manifest'],
    [`DELETE /delete/%00/{folder}/${ID}`, 'invalid_user_id'],
    [`GET /download/%00/{folder}/${ID}`, 'invalid_user_id'],
    [`GET /download/{me}/{folder}/%00`, 'invalid_file_id'],
    [`GET /download/{me}/%ff/${ID}`, 'invalid_manifest'],
    ['GET /list_folders/%00', 'invalid_user_id'],
    ['GET /list_folders/%ff', 'invalid_user_id'],
    ['GET /search_files/%ff/?q=a', 'invalid_user_id'],
    ['GET /get_state/{me}/%c0', 'invalid_manifest'],
    ['GET /nowhere/%ff', 'invalid_manifest'],
  ])('is 400 at %s: %s', async (target, word) => {
    const { status, body } = await call(filled(target ?? ''), { token: user.token });
    expect({ status, body }).toEqual({ status: 400, body: refused(word ?? '') });
  });

  it('is read up to the length that Node allows, and refused with 431 when it is longer', async () => {
    const search = (length: number) => call(`GET /search_files/${'x'.repeat(length)}/?q=a`, { token: user.token });
    const { status, body } = await search(15_000);
    expect([status, body]).toEqual([400, refused('invalid_user_id')]);
    expect((await search(16_385)).status).toBe(431);
  });

  it('is not found where ids have no word for it', async () => {
    expect((await call('GET /api/billing/transactions/%00/', { token: user.token })).status).toBe(404);
    expect(await call('GET /api/network/%ff/', { token: user.token })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  });
});

describe('a transfer coding other than chunked', () => {
  it.each([
    'POST /register_folder',
    'POST /upload',
    'POST /api/auth/mnemonic/',
    'PUT /upload/session/{session}/chunk/0',
  ])('is refused at %s, and the connection closed', async (target) => {
    const begun = begin(filled(target), {
      token: user.token,
      headers: { 'transfer-encoding': 'gzip, chunked', 'content-type': 'application/json' },
    });
    const reply = replyTo(begun);
    begun.end('{}');
    const { status, body, headers } = await reply;
    const isPlatform = target.includes('/api/');
    expect({ status, body, connection: headers.connection }).toEqual({
      status: 400,
      body: isPlatform ? { error: expect.any(String) } : refused('invalid_manifest'),
      connection: 'close',
    });
  });

  it('is served where it is chunked, whatever its case', async () => {
    const headers = { 'transfer-encoding': 'Chunked', 'content-type': 'application/json' };
    const begun = begin('POST /can_upload', { token: user.token, headers });
    const reply = replyTo(begun);
    begun.end(JSON.stringify({ ss58_address: user.substrateAddress, size_bytes: 1 }));
    expect((await reply).status).toBe(200);
  });
});

describe('a part of a form with a charset that nobody knows', () => {
  it.each(['manifest', 'account_ss58'])('is 400 as `%s`', async (name) => {
    const parts = [{ name, type: 'application/json; charset=bogus-8', bytes: '{}' }];
    const { status, body } = await postForm(
      formOf([...parts, { name: 'ciphertext', fileName: 'c', bytes: 'x' }]),
      user.token,
    );
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });
});
