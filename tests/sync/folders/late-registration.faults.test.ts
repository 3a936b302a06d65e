import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { recordAt } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { ask } from '../../kit/watch.js';

describe('what was stored in a folder days before it is registered', () => {
  let platform: PlatformOnDatabase;
  let url: string;
  let user: SignedIn;
  beforeAll(async () => {
    platform = await startOnDatabase();
    ({ url } = platform);
  }, 120_000);
  afterAll(() => platform.stop());
  beforeEach(async () => {
    user = await signIn(undefined, url);
    for (const table of ['storage_period', 'storage_day']) await sql(`DELETE FROM sync.${table}`);
    await sql('UPDATE sync.folder SET stored_bytes = 0');
    await storeFile(user, { bytes: randomBytes(700), url });
    await sql(`WITH o AS (UPDATE sync.owner SET created_at = created_at - interval '9 days'
                           WHERE address = '${user.substrateAddress}' RETURNING id)
      UPDATE sync.folder f SET created_at = f.created_at - interval '9 days' FROM o WHERE f.owner_id = o.id`);
  });

  const sql = (text: string) => ask(platform.databaseUrl, text);
  const send = (request: string, body: object = {}) =>
    call(request, {
      token: user.token,
      url,
      body: { ss58_address: user.substrateAddress, folder_hash: '37a8eec1ce19687d', ...body },
    });
  const register = () => send('POST /register_folder', { label: 'default' });
  const recorded = async (): Promise<number[]> => {
    const { data } = await graphql('{ usageRecords { results { storageBytes } } }', { token: user.token, url });
    return data.usageRecords.results.map(({ storageBytes }: Json) => storageBytes);
  };

  it('is charged for on days that ended before, and are closed after it is registered', async () => {
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date - 3, now())`);
    await register();
    await recordAt(0, url);
    expect(await recorded()).toEqual([700, 700]);
  });

  it('is charged for on the day on which it is registered and unregistered again', async () => {
    await register();
    await send('DELETE /unregister_folder');
    await recordAt(1, url);
    expect(await recorded()).toEqual([700]);
  });

  it('is shown with the time of the registration', async () => {
    const before = Math.floor(Date.now() / 1000);
    await register();
    const { body } = await call(`GET /list_folders/${user.substrateAddress}`, { token: user.token, url });
    expect(body.Success.folders[0].created_at).toBeGreaterThanOrEqual(before);
  });
});
