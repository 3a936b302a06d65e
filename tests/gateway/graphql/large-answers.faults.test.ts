import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';

const FOLDER_HASH = '37a8eec1ce19687d';

let platform: PlatformOnDatabase;
let user: SignedIn;
let path: string;
/** Has the longest paths that one folder can have. */
beforeAll(async () => {
  platform = await startOnDatabase();
  const { url } = platform;
  user = await signIn(undefined, url);
  const { token, substrateAddress } = user;
  path = `${substrateAddress}/${FOLDER_HASH}`;
  const body = { ss58_address: substrateAddress, folder_hash: FOLDER_HASH, label: 'default' };
  await call('POST /register_folder', { token, url, body });
  const sql = new Client({ connectionString: platform.databaseUrl });
  await sql.connect();
  await sql.query(`INSERT INTO sync.folder_entry (owner_id, folder_id, path_hash, relative_path, created_at)
    SELECT owner_id, id, sha256(n::text::bytea), n || repeat('x', 4090), now() FROM sync.folder, generate_series(1, 10000) n`);
  await sql.end();
}, 60_000);
afterAll(() => platform.stop());

function ask(selections: readonly string[]): Promise<Json> {
  const { token, substrateAddress } = user;
  const entries = `folderEntries(ownerAddress: "${substrateAddress}", folderHash: "${FOLDER_HASH}")`;
  const query = selections.map((selection, at) => `f${at}: ${entries} { ${selection} }`).join(' ');
  return graphql(`{ ${query} }`, { token, url: platform.url });
}

describe('an answer', () => {
  it('may have 40 MiB', async () => {
    const { data } = await ask(['relativePaths']);
    expect(data.f0.relativePaths).toHaveLength(10_000);
    const { status } = await call(`GET /list_folder_entries/${path}`, { token: user.token, url: platform.url });
    expect(status).toBe(200);
  });

  it('is refused when it would read more than 64 MiB', async () => {
    const answer = await ask(Array.from({ length: 20 }, () => 'relativePaths'));
    expect([codeOf(answer), answer.data]).toEqual(['BAD_REQUEST', null]);
  });

  it('is refused when it would have more than 64 MiB, because it repeats a field by aliases', async () => {
    const aliases = Array.from({ length: 20 }, (_, at) => `a${at}: relativePaths`).join(' ');
    const answer = await ask([aliases]);
    expect([codeOf(answer), answer.data]).toEqual(['BAD_REQUEST', null]);
  });

  it('is refused when too many large ones are made at a time, of which some are given', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(['relativePaths'])));
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'UNAVAILABLE']));
  });

  it('in the next request is not affected', async () => {
    const { data } = await ask(['relativePaths']);
    expect(data.f0.relativePaths).toHaveLength(10_000);
  });
});
