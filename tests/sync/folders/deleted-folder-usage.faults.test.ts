import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { grantAt, recordAt, setPrice } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, until } from '../../kit/watch.js';

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
    await store(2000);
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
  /** Makes the owner and the folder nine days older. */
  const backdate = () =>
    sql(`WITH o AS (UPDATE sync.owner SET created_at = created_at - interval '9 days'
                     WHERE address = '${user.substrateAddress}' RETURNING id)
      UPDATE sync.folder f SET created_at = f.created_at - interval '9 days' FROM o WHERE f.owner_id = o.id`);

  it('is not charged for from then on', async () => {
    await recordAt(1, url);
    expect(await recorded()).toEqual([]);
  });

  it('is not charged for beside what is stored by now', async () => {
    await store(500);
    await recordAt(1, url);
    expect(await recorded()).toEqual([500]);
  });

  it('is charged for again, once, when it is back', async () => {
    await restore();
    await recordAt(1, url);
    expect(await recorded()).toEqual([2000]);
  });

  it('is charged for up to the day on which it was unregistered, also when that is closed late or it is back later', async () => {
    await backdate();
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date - 2, now())`);
    const { closedDays } = await recordAt(2, url);
    await restore();
    expect([closedDays.length, await recorded()]).toEqual([3, [2000, 2000]]);
  });

  it.each([
    { size: 500, charged: 2000 },
    { size: 2500, charged: 2500 },
  ])('is charged for once on the day on which it is registered again: the most of both', async ({ size, charged }) => {
    await backdate();
    await call('POST /register_folder', { ...who(), body: { ...folder(), label: 'default' } });
    await store(size);
    await recordAt(1, url);
    expect(await recorded()).toEqual([charged]);
  });

  it('is not charged for on days on which it was deleted, when it is restored before they are closed', async () => {
    await backdate();
    await sql(`UPDATE sync.folder SET deleted_at = deleted_at - interval '3 days' WHERE deleted_at IS NOT NULL`);
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date - 3, now())`);
    expect((await restore()).data.restoreFolder.label).toBe('default');
    await recordAt(0, url);
    expect(await recorded()).toEqual([]);
  });

  it('is charged for on a day that ended before it was purged and is closed late', async () => {
    await backdate();
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date - 2, now())`);
    const [{ folderId: id }] = (await shown()).deletedFolders;
    const purge = `mutation ($owner: String!, $id: ID!) { purgeFolder(ownerAddress: $owner, folderId: $id) { purged } }`;
    await graphql(purge, { ...who(), variables: { owner: user.substrateAddress, id } });
    await recordAt(0, url);
    expect(await recorded()).toEqual([2000]);
  });

  it('is told by the summary, apart from what is there', async () => {
    await store(500);
    const { storageSummary } = await shown();
    expect(storageSummary).toMatchObject({ fileCount: 1, chargedBytes: 500, restorableBytes: 2000 });
  });

  it('does not count against what can be uploaded, as it is told before', async () => {
    const body = { ss58_address: user.substrateAddress, size_bytes: 2500 };
    expect((await call('POST /can_upload', { ...who(), body })).body.result).toBe(true);
    expect((await store(2900)).reply.status).toBe(200);
  });

  it('counts once it is as much as the quota, until it is purged, and can be had back', async () => {
    await call('POST /register_folder', { ...who(), body: { ...folder(), label: 'default' } });
    await store(2500);
    await unregister();
    const uploadable = async (size_bytes: number) =>
      (await call('POST /can_upload', { ...who(), body: { ss58_address: user.substrateAddress, size_bytes } })).body;
    expect((await uploadable(1000)).result).toBe(true);
    expect(await uploadable(2000)).toMatchObject({ result: false, error: expect.stringMatching(/purge/) });
    const { status, body } = (await store(2000)).reply;
    expect([status, body.Error.error]).toEqual([402, 'drive_quota_exceeded']);
    const [latest] = (await shown()).deletedFolders;
    const purge = `mutation ($owner: String!, $id: ID!) { purgeFolder(ownerAddress: $owner, folderId: $id) { purged } }`;
    await graphql(purge, { ...who(), variables: { owner: user.substrateAddress, id: latest.folderId } });
    expect((await restore()).data.restoreFolder.label).toBe('default');
    expect((await store(900)).reply.status).toBe(200);
  });

  it('counts again for who has it back', async () => {
    expect((await restore()).data.restoreFolder.label).toBe('default');
    expect((await shown()).storageSummary).toMatchObject({ chargedBytes: 2000, restorableBytes: 0 });
    expect((await store(1500)).reply.status).toBe(402);
  });

  it('cannot be had back beside more than the quota holds, and stays to be had back', async () => {
    await sql(`INSERT INTO sync.folder (owner_id, folder_hash, created_at, updated_at, stored_bytes)
      SELECT id, '8ed3f6ad685b959e', now(), now(), 1500 FROM sync.owner WHERE address = '${user.substrateAddress}'`);
    const refusal = await restore();
    expect([codeOf(refusal), refusal.errors[0].extensions.reason]).toEqual([
      'PAYMENT_REQUIRED',
      'drive_quota_exceeded',
    ]);
    expect((await shown()).deletedFolders).toHaveLength(1);
  });

  it('goes at once when its owner has the folder purged, however often; nobody else can', async () => {
    const [{ folderId: id }] = (await shown()).deletedFolders;
    const purge = (token: string) =>
      graphql('mutation ($owner: String!, $id: ID!) { purgeFolder(ownerAddress: $owner, folderId: $id) { purged } }', {
        token,
        url,
        variables: { owner: user.substrateAddress, id },
      });
    expect(codeOf(await purge((await signIn(undefined, url)).token))).toBe('FORBIDDEN');
    expect((await shown()).deletedFolders).toHaveLength(1);
    const object = `SELECT object_key FROM sync.chunk WHERE blob_id = (SELECT max(id) FROM sync.blob)`;
    const key = String(await sql(object));
    expect((await purge(user.token)).data.purgeFolder).toEqual({ purged: true });
    expect((await shown()).deletedFolders).toEqual([]);
    await until(async () => (await sql(`SELECT count(*)::integer FROM sync.folder WHERE id = ${id}`)) === 0);
    expect(await sql(`SELECT due_at > now() FROM sync.discarded_object WHERE object_key = '${key}'`)).toBe(true);
    expect((await purge(user.token)).data.purgeFolder).toEqual({ purged: true });
  });

  it('stays where the folder is registered: purging is refused', async () => {
    const [{ folderId: id }] = (await shown()).deletedFolders;
    await restore();
    const refusal = await graphql(
      'mutation ($owner: String!, $id: ID!) { purgeFolder(ownerAddress: $owner, folderId: $id) { purged } }',
      { ...who(), variables: { owner: user.substrateAddress, id } },
    );
    expect([codeOf(refusal), (await shown()).storageSummary.fileCount]).toEqual(['CONFLICT', 1]);
  });
});
