import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { call, type Reply } from '../../kit/platform.js';
import { newWallet, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const HASH = '37a8eec1ce19687d'; // of the label `default`; vectors.json, folderHash
const refused = (error: string) => ({ Error: { error, message: expect.stringMatching(/\S/) } });

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  other = await signIn();
});
beforeEach(async () => {
  user = await signIn();
});

const register = (fields: object = {}): Promise<Reply> =>
  call('POST /register_folder', {
    token: user.token,
    body: { ss58_address: user.substrateAddress, folder_hash: HASH, label: 'default', ...fields },
  });
const unregister = (fields: object = {}): Promise<Reply> =>
  call('DELETE /unregister_folder', {
    token: user.token,
    body: { ss58_address: user.substrateAddress, folder_hash: HASH, ...fields },
  });
const list = (address = user.substrateAddress): Promise<Reply> =>
  call(`GET /list_folders/${address}`, { headers: { authorization: `Bearer ${user.token}` } });

describe('POST /register_folder', () => {
  it('answers the documented envelope', async () => {
    const { status, body } = await register();
    expect({ status, body }).toEqual({ status: 200, body: { Success: { status: 'registered' } } });
  });

  it('answers 409 conflict the second time', async () => {
    await register();
    const { status, body } = await register();
    expect({ status, body }).toEqual({ status: 409, body: refused('conflict') });
  });

  it('takes the same hash for two owners', async () => {
    await call('POST /register_folder', {
      token: other.token,
      body: { ss58_address: other.substrateAddress, folder_hash: HASH, label: 'default' },
    });
    const { status } = await register();
    expect(status).toBe(200);
  });

  it('takes `user_id` in the place of `ss58_address`', async () => {
    const { status } = await register({ ss58_address: undefined, user_id: user.substrateAddress });
    expect(status).toBe(200);
  });

  it.each([
    ['', 'e3b0c44298fc1c14'],
    ['alpha', '8ed3f6ad685b959e'],
    ['Über/Δrive', '4f768ad9fa301d1c'],
  ])('keeps the label "%s"', async (label, folder_hash) => {
    await register({ label, folder_hash });
    const { body } = await list();
    expect(body.Success.folders).toMatchObject([{ label, folder_hash }]);
  });

  it.each([
    ['a name', 'laptop', 'laptop'],
    ['null', null, ''],
    ['absent', undefined, ''],
  ])('takes a device_name that is %s', async (_, device_name, kept) => {
    await register({ device_name });
    const { body } = await list();
    expect(body.Success.folders).toMatchObject([{ device_name: kept }]);
  });
});

describe('a folder that cannot be registered', () => {
  it.each([
    ['folder_hash', undefined],
    ['folder_hash', null],
    ['folder_hash', ''],
    ['folder_hash', HASH.slice(1)],
    ['folder_hash', `${HASH}0`],
    ['folder_hash', 'z'.repeat(16)],
    ['folder_hash', `${HASH}\n`],
    ['folder_hash', 7],
    ['label', undefined],
    ['label', null],
    ['label', 7],
    ['label', ['default']],
    ['label', 'a\0b'],
    ['device_name', 7],
    ['device_name', 'a\0b'],
    ['ss58_address', undefined],
    ['ss58_address', null],
    ['ss58_address', 7],
  ])('refuses a `%s` of %j as invalid_manifest', async (field, value) => {
    const { status, body } = await register({ [field]: value });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });

  it('ignores fields it does not know', async () => {
    const { status } = await register({ color: 'blue', file_count: 7 });
    expect(status).toBe(200);
  });

  it("refuses another owner's address as forbidden", async () => {
    const { status, body } = await register({ ss58_address: other.substrateAddress });
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
  });
});

describe('GET /list_folders/{base_address}', () => {
  it('answers an empty list before anything is registered', async () => {
    const { status, body } = await list();
    expect({ status, body }).toEqual({
      status: 200,
      body: { Success: { base_address: user.substrateAddress, folders: [] } },
    });
  });

  it('answers folders with the documented fields', async () => {
    await register({ device_name: 'laptop' });
    const { body } = await list();
    expect(body.Success.folders).toEqual([
      {
        label: 'default',
        folder_hash: HASH,
        file_count: 0,
        total_bytes: 0,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        device_name: 'laptop',
      },
    ]);
  });

  it('tells times in Unix seconds', async () => {
    const before = Math.floor(Date.now() / 1000);
    await register();
    const { created_at } = (await list()).body.Success.folders[0];
    expect(created_at - before).toBeLessThan(60);
    expect(Number.isInteger(created_at)).toBe(true);
  });
});

describe("a list of folders that is not the caller's", () => {
  it.each([
    ['another owner', () => other.substrateAddress],
    ['an address nobody has', () => newWallet().substrateAddress],
    ['no address', () => 'x'],
    ['an address of 256 bytes', () => 'x'.repeat(256)],
  ])('refuses %s as forbidden', async (_, addressOf) => {
    const { status, body } = await list(addressOf());
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
  });

  it.each([
    ['empty', ''],
    ['257 bytes long', 'x'.repeat(257)],
    ['257 bytes of other letters', encodeURIComponent('ü'.repeat(129))],
    ['5000 bytes long', 'x'.repeat(5000)],
    ['one with a percent sign', 'a%25b'],
    ['one with a slash', 'a%2Fb'],
    ['one with a backslash', 'a%5Cb'],
  ])('refuses an address that is %s as invalid_user_id', async (_, address) => {
    const { status, body } = await list(address);
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_user_id') });
  });

  it('is refused to services and administrators, who own no address', async () => {
    const path = `GET /list_folders/${user.substrateAddress}`;
    const tokens = [ADMIN_TOKEN, await serviceToken('SUPERUSER')];
    const replies = await Promise.all(tokens.map((token) => call(path, { token })));
    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
  });
});

describe('DELETE /unregister_folder', () => {
  it('answers the documented envelope', async () => {
    await register();
    const { status, body } = await unregister();
    expect({ status, body }).toEqual({ status: 200, body: { Success: { status: 'unregistered', files_deleted: 0 } } });
  });

  it('takes the folder off the list', async () => {
    await register();
    await unregister();
    expect((await list()).body.Success.folders).toEqual([]);
  });

  it('lets the folder be registered again', async () => {
    await register();
    await unregister();
    const { status } = await register();
    expect(status).toBe(200);
  });

  it('answers 404 not_found for a folder that is not registered', async () => {
    const { status, body } = await unregister();
    expect({ status, body }).toEqual({ status: 404, body: refused('not_found') });
  });

  it("refuses another owner's address as forbidden", async () => {
    const { status, body } = await unregister({ ss58_address: other.substrateAddress });
    expect({ status, body }).toEqual({ status: 403, body: refused('forbidden') });
  });

  it('takes `user_id` in the place of `ss58_address`', async () => {
    await register();
    const { status } = await unregister({ ss58_address: undefined, user_id: user.substrateAddress });
    expect(status).toBe(200);
  });

  it.each([undefined, null, '', 'z'.repeat(16), 7])('refuses a folder_hash of %j as invalid_manifest', async (hash) => {
    const { status, body } = await unregister({ folder_hash: hash });
    expect({ status, body }).toEqual({ status: 400, body: refused('invalid_manifest') });
  });
});
