import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { recordAt } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { call, graphql, type Json } from '../../kit/platform.js';
import { ask, end, until } from '../../kit/watch.js';

/** More than are closed in two transactions. */
const OWNERS = 1_100;

describe('a day of many owners that is being closed', () => {
  let dataDir: string;
  let databaseUrl: string;
  let env: Readonly<Record<string, string>>;
  let platform: RunningPlatform;
  let user: SignedIn;
  let lock: Client;
  let run: Promise<unknown>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
    databaseUrl = await newDatabase();
    env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    platform = await startInProcess(env);
    await addOwners();
    user = await signIn(undefined, platform.url);
    await deleteFolder();
    lock = new Client({ connectionString: databaseUrl });
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query(`SELECT FROM sync.owner WHERE address = 'owner ${OWNERS}' FOR UPDATE`);
    // A run of the schedule may have closed the day.
    for (const table of ['storage_day', 'storage_period', 'folder_period']) await sql(`DELETE FROM sync.${table}`);
    await sql(`INSERT INTO sync.storage_day VALUES ((now() AT TIME ZONE 'UTC')::date - 2, now())`);
    // It ends at the lock. Where the machine is busy, it may not get a connection at once.
    const record = () => recordAt(0, platform.url);
    run = record()
      .catch(record)
      .catch(() => undefined);
  }, 120_000);
  afterAll(async () => {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const sql = (text: string) => ask(databaseUrl, text);
  const closed = async (): Promise<number> => Number(await sql('SELECT count(*) FROM sync.storage_period'));

  /** Owners with a folder of five bytes for nine days. */
  async function addOwners(): Promise<void> {
    await sql(`WITH o AS (INSERT INTO sync.owner (address, created_at)
                          SELECT 'owner ' || n, now() - interval '9 days' FROM generate_series(1, ${OWNERS}) n RETURNING id)
      INSERT INTO sync.folder (owner_id, folder_hash, stored_bytes, created_at, updated_at)
      SELECT id, '37a8eec1ce19687d', 5, now() - interval '9 days', now() FROM o`);
  }

  /** The user has a folder that was unregistered three days ago. */
  async function deleteFolder(): Promise<void> {
    const { token, substrateAddress: ss58_address } = user;
    const body = { ss58_address, folder_hash: '37a8eec1ce19687d' };
    await call('POST /register_folder', { token, url: platform.url, body: { ...body, label: 'default' } });
    await storeFile(user, { url: platform.url });
    await call('DELETE /unregister_folder', { token, url: platform.url, body });
    await sql(`UPDATE sync.owner SET created_at = created_at - interval '9 days' WHERE address = '${ss58_address}'`);
    await sql(`UPDATE sync.folder SET created_at = created_at - interval '9 days', deleted_at = deleted_at - interval '3 days'
                WHERE deleted_at IS NOT NULL`);
  }

  async function restore(): Promise<Json> {
    const { token, substrateAddress: owner } = user;
    const list = 'query ($owner: String!) { deletedFolders(ownerAddress: $owner) { folderId } }';
    const { data } = await graphql(list, { token, url: platform.url, variables: { owner } });
    const variables = { owner, id: data.deletedFolders[0].folderId };
    const change =
      'mutation ($owner: String!, $id: ID!) { restoreFolder(ownerAddress: $owner, folderId: $id) { label } }';
    return graphql(change, { token, url: platform.url, variables });
  }

  it('is closed for some of them after the other', async () => {
    await until(async () => (await closed()) > 0, 60_000);
    expect(await closed()).toBeLessThan(OWNERS);
  }, 90_000);

  it('does not keep an owner waiting who restores a folder', async () => {
    expect((await restore()).data.restoreFolder.label).toBe('default');
  });

  it('is closed for the others when the platform was killed with -9 and runs again, and once for each', async () => {
    for (const { child } of platform.processes) await end(child, 'SIGKILL');
    await run;
    expect(await closed()).toBeLessThan(OWNERS);
    await lock.end();
    platform = await startInProcess(env);
    await recordAt(0, platform.url);
    expect(await closed()).toBe(OWNERS);
    const day = `SELECT count(*)::integer FROM sync.storage_day WHERE day = (now() AT TIME ZONE 'UTC')::date - 1`;
    expect(await sql(day)).toBe(1);
  }, 120_000);

  it('costs the owner nothing who had restored a folder that was deleted on this day', async () => {
    const own = `SELECT count(*)::integer FROM sync.storage_period p JOIN sync.owner o ON o.id = p.owner_id`;
    expect(await sql(`${own} WHERE o.address = '${user.substrateAddress}'`)).toBe(0);
  });
});
