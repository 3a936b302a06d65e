import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { startOnDatabase, type PlatformOnDatabase } from '../kit/own-database.js';
import { call, codeOf, graphql, type Json } from '../kit/platform.js';
import { grantAt, recordAt, setPrice } from '../kit/storage-price.js';
import { storeFile, type Stored } from '../kit/stored-file.js';
import { signIn, type SignedIn } from '../kit/wallet.js';
import { ask } from './watch.js';

/** At this price a thousand bytes cost a credit a month. */
const CREDIT_FOR_1000 = `${2 ** 30 / 1000}`;
const SHOWN = `query ($owner: String!) {
  storageSummary(ownerAddress: $owner) { totalBytes fileCount chargedBytes restorableBytes }
  deletedFolders(ownerAddress: $owner) { folderId }
  usageRecords { results { storageBytes } }
}`;
const RESTORE = 'mutation ($owner: String!, $id: ID!) { restoreFolder(ownerAddress: $owner, folderId: $id) { label } }';

describe('what is stored of a folder that was unregistered', () => {
  let platform: PlatformOnDatabase;
  let url: string;
  let user: SignedIn;
  let file: Stored;
  beforeAll(async () => {
    platform = await startOnDatabase();
    ({ url } = platform);
  }, 120_000);
  afterAll(() => platform.stop());
  beforeEach(async () => {
    user = await signIn(undefined, url);
    // Each test closes this very day, with nobody but its own user.
    for (const table of ['storage_period', 'storage_day']) await sql(`DELETE FROM sync.${table}`);
    await sql('UPDATE sync.folder SET stored_bytes = 0');
    await setPrice(CREDIT_FOR_1000, url);
    await grantAt(user, '3', url);
    await call('POST /register_folder', { ...who(), body: { ...folder(), label: 'default' } });
    file = await store(2000);
    await unregister();
  });

  const who = () => ({ token: user.token, url });
  const folder = () => ({ ss58_address: user.substrateAddress, folder_hash: '37a8eec1ce19687d' });
  const store = (size: number) => storeFile(user, { bytes: randomBytes(size), url });
  const unregister = () => call('DELETE /unregister_folder', { ...who(), body: folder() });
  const shown = async (): Promise<Json> =>
    (await graphql(SHOWN, { ...who(), variables: { owner: user.substrateAddress } })).data;
  const restore = async (): Promise<Json> => {
    const [deleted] = (await shown()).deletedFolders;
    return graphql(RESTORE, { ...who(), variables: { owner: user.substrateAddress, id: deleted.folderId } });
  };
  const recorded = async (): Promise<number[]> =>
    (await shown()).usageRecords.results.map(({ storageBytes }: Json) => storageBytes);
  const sql = (text: string) => ask(platform.databaseUrl, text);
  const age = (interval: string) =>
    sql(
      `UPDATE sync.folder SET deleted_at = deleted_at - interval '${interval}'
        WHERE owner_id = (SELECT id FROM sync.owner WHERE address = '${user.substrateAddress}')`,
    );

  it('is charged for when the day closes, so that nobody pays nothing who has it back after midnight', async () => {
    await recordAt(1, url);
    await restore();
    expect(await recorded()).toEqual([2000]);
  });

  it('is charged for beside what is stored by now', async () => {
    await store(500);
    await recordAt(1, url);
    expect(await recorded()).toEqual([2500]);
  });

  it('is charged for once when it is back', async () => {
    await restore();
    await recordAt(1, url);
    expect(await recorded()).toEqual([2000]);
  });

  it('is charged for on days that were missed, as long as it could be had back on them', async () => {
    await age('5 days');
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date, now())`);
    const { closedDays } = await recordAt(4, url);
    // It can be had back for two days more: past the end of the first of these three.
    expect([closedDays.length, await recorded()]).toEqual([3, [2000]]);
  });

  it('is not charged for once nobody can have it back, purged or not', async () => {
    await age('8 days');
    await recordAt(1, url);
    expect(await recorded()).toEqual([]);
    expect((await shown()).storageSummary).toMatchObject({ chargedBytes: 0, restorableBytes: 0 });
  });

  it('is not charged for where its files were deleted before: nobody can have those back', async () => {
    await restore();
    const id = Buffer.from(file.manifest.path_hash).toString('hex');
    await call(`DELETE /delete/${user.substrateAddress}/${file.manifest.folder_hash}/${id}`, who());
    await unregister();
    await recordAt(1, url);
    expect(await recorded()).toEqual([]);
  });

  it('is told by the summary, apart from what is there', async () => {
    await store(500);
    const { storageSummary } = await shown();
    expect(storageSummary).toMatchObject({ fileCount: 1, chargedBytes: 2500, restorableBytes: 2000 });
    await restore();
  });

  it('counts against what can be uploaded, as it is told before', async () => {
    const body = { ss58_address: user.substrateAddress, size_bytes: 1500 };
    expect((await call('POST /can_upload', { ...who(), body })).body.result).toBe(false);
    expect((await store(1500)).reply.status).toBe(402);
    expect((await store(1000)).reply.status).toBe(200);
  });

  it('counts once for who has it back with no credit to spare', async () => {
    await setPrice(`${(2 ** 30 / 1000) * 1.5}`, url);
    expect((await restore()).data.restoreFolder.label).toBe('default');
    expect((await shown()).storageSummary).toMatchObject({ chargedBytes: 2000, restorableBytes: 0 });
  });

  it('cannot be had back by who could not pay for a month of all', async () => {
    await setPrice(`${2 ** 30 / 500}`, url);
    expect(codeOf(await restore())).toBe('PAYMENT_REQUIRED');
    expect((await shown()).deletedFolders).toHaveLength(1);
  });
});
