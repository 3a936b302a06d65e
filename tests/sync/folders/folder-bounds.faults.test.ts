import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json, type Reply } from '../../kit/platform.js';
import { refused } from '../../kit/files/upload.js';
import { ask, until } from '../../kit/watch.js';

const HASH = '37a8eec1ce19687d';

let platform: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  user = await signIn(undefined, platform.url);
}, 60_000);
afterAll(async () => {
  await sql.end();
  await platform.stop();
});

function send(request: string, folder_hash: string, body: object): Promise<Reply> {
  const { token, substrateAddress: ss58_address } = user;
  return call(request, { token, url: platform.url, body: { ss58_address, folder_hash, ...body } });
}

const register = (hash: string) => send('POST /register_folder', hash, { label: hash });

function add(path: string): Promise<Json> {
  const { token, substrateAddress: owner } = user;
  const variables = { owner, hash: HASH, paths: [path] };
  return graphql(
    `
      mutation ($owner: String!, $hash: String!, $paths: [String!]!) {
        registerFolderEntries(ownerAddress: $owner, folderHash: $hash, relativePaths: $paths) {
          changedCount
        }
      }
    `,
    { token, url: platform.url, variables },
  );
}

it('an owner can register 10,000 folders, and another one after one is gone', async () => {
  await register(HASH);
  await sql.query(`INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at)
    SELECT owner_id, lpad(n::text, 16, '0'), n, now(), now() FROM sync.folder, generate_series(1, 9999) n`);
  const { status, body } = await register('a'.repeat(16));
  expect([status, body]).toEqual([400, refused('too_many_folders')]);
  await send('DELETE /unregister_folder', '1'.padStart(16, '0'), {});
  expect((await register('a'.repeat(16))).status).toBe(200);
});

it('of folders that are registered at once, only so many are that there are 10,000', async () => {
  for (const hash of ['2', '3']) await send('DELETE /unregister_folder', hash.padStart(16, '0'), {});
  const lock = new Client({ connectionString: platform.databaseUrl });
  await lock.connect();
  await lock.query('BEGIN');
  // All that got as far as they get before a folder is added go on together.
  await lock.query('LOCK TABLE sync.folder IN SHARE MODE');
  const answers = Promise.all(Array.from({ length: 6 }, (_, n) => register(`c${n}`.padEnd(16, '0'))));
  const waiting = `SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => Number(await ask(platform.databaseUrl, waiting)) >= 4);
  await lock.query('COMMIT');
  await lock.end();
  const statuses = (await answers).map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, 200, 400, 400, 400, 400]);
});

it('an owner who has 10,000 folders can restore none', async () => {
  const { token, substrateAddress: owner } = user;
  await sql.query(`INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at, deleted_at)
    SELECT owner_id, '${'b'.repeat(16)}', 'gone', now(), now(), now() FROM sync.folder LIMIT 1`);
  const ids = '{ deletedFolders(ownerAddress: "OWNER") { folderId folderHash } }'.replace('OWNER', owner);
  const { data } = await graphql(ids, { token, url: platform.url });
  const { folderId } = data.deletedFolders.find(({ folderHash }: Json) => folderHash === 'b'.repeat(16));
  const restore =
    'mutation ($owner: String!, $id: ID!) { restoreFolder(ownerAddress: $owner, folderId: $id) { label } }';
  const answer = await graphql(restore, { token, url: platform.url, variables: { owner, id: folderId } });
  expect([codeOf(answer), answer.data?.restoreFolder ?? null]).toEqual(['BAD_REQUEST', null]);
});

it('a folder can have 10,000 registered directories', async () => {
  await sql.query(`INSERT INTO sync.folder_entry (owner_id, folder_id, path_hash, relative_path, created_at)
    SELECT owner_id, id, sha256(n::text::bytea), n, now() FROM sync.folder, generate_series(1, 9999) n WHERE folder_hash = '${HASH}'`);
  expect((await add('last')).data.registerFolderEntries).toEqual({ changedCount: 1 });
  const answer = await add('more');
  expect([codeOf(answer), answer.errors[0].extensions.reason]).toEqual(['BAD_REQUEST', 'too_many_entries']);
});
