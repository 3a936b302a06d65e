import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { call, graphql, type Json } from '../../kit/platform.js';
import { grantAt, recordAt, setPrice, startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

const FOLDER_HASH = '37a8eec1ce19687d';

describe('the shares of a charge', () => {
  let platform: PaidPlatform;
  let url: string;
  let user: SignedIn;
  /** Days that were closed so far: each test closes one of its own. */
  let ahead = 0;
  beforeAll(async () => {
    platform = await startPlatform('in process');
    ({ url } = platform);
    await setPrice('1000000', url);
  }, 120_000);
  afterAll(() => platform.stop());
  beforeEach(async () => {
    user = await signIn(undefined, url);
    await grantAt(user, '5', url);
    ahead += 1;
  });

  const folder = (method: string, path: string, body: Json = {}) =>
    call(`${method} ${path}`, {
      token: user.token,
      url,
      body: { ss58_address: user.substrateAddress, folder_hash: FOLDER_HASH, ...body },
    });
  async function shares(): Promise<Json> {
    const query = `{ statement(first: 1) { lines { subject { ... on StorageCharge { folders { storedBytes folder { label } } } } } } }`;
    const { data } = await graphql(query, { token: user.token, url });
    return data.statement.lines.flatMap(({ subject }: Json) => (subject?.folders ? [subject.folders] : []));
  }

  /** Runs this while no other connection can read rows of chunks: an owner can have millions of them in open uploads. */
  async function withoutChunks(run: () => Promise<unknown>): Promise<void> {
    const client = new Client(platform.databaseUrls.sync);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE sync.chunk IN ACCESS EXCLUSIVE MODE');
      await run();
    } finally {
      await client.end();
    }
  }

  it('stay when their folder is deleted after it was emptied', async () => {
    await folder('POST', '/register_folder', { label: 'default' });
    const { manifest } = await storeFile(user, { bytes: randomBytes(1000), url });
    await recordAt(ahead, url);
    expect(await shares()).toEqual([[{ storedBytes: 1000, folder: { label: 'default' } }]]);
    const id = Buffer.from(manifest.path_hash).toString('hex');
    await call(`DELETE /delete/${user.substrateAddress}/${FOLDER_HASH}/${id}`, { token: user.token, url });
    expect((await folder('DELETE', '/unregister_folder')).status).toBe(200);
    expect(await shares()).toEqual([[{ storedBytes: 1000, folder: null }]]);
  });

  it('include what open uploads keep that began before the day', async () => {
    const upload = await TestUpload.open({ user, bytes: randomBytes(3000), chunkSize: 1024, url });
    await upload.putAll([0, 2]);
    await upload.putAll([2]);
    await recordAt(ahead, url);
    expect(await shares()).toEqual([]);
    await ask(
      platform.databaseUrls.sync,
      `UPDATE sync.upload_session SET expires_at = expires_at + interval '90 days'`,
    );
    ahead += 1;
    await withoutChunks(() => recordAt(ahead, url));
    expect(await shares()).toEqual([[{ storedBytes: 1024 + 952, folder: null }]]);
  });
});
