import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { downloadPath, send } from '../../kit/files/bytes.js';
import { storeFile, type Stored } from '../../kit/files/stored-file.js';
import { graphql } from '../../kit/platform.js';
import { runToEnd } from '../../kit/run.js';
import { grant, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { Undoing } from '../../overlay/processes.js';
import { ArchivedPostgres } from './archived-postgres.js';

const undoing = new Undoing();
let folder: string;
let postgres: ArchivedPostgres;
let platform: RunningPlatform | undefined;
let url: string;
let user: SignedIn;
let files: Stored[];
const env = () => ({ DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'data') });
const balance = async () =>
  (await graphql('{ me { creditBalance { balance } } }', { token: user.token, url })).data.me.creditBalance.balance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-point-in-time-'));
  postgres = await ArchivedPostgres.start(folder, undoing);
  const first = await startInProcess(env());
  platform = first;
  ({ url } = first);
  user = await signIn(undefined, url);
  await grant(user, '25', url);
  files = [await storeFile(user, { url })];
  await postgres.takeBaseBackup();
  await grant(user, '5', url);
  files.push(await storeFile(user, { url, bytes: Buffer.alloc(3_000_000, 7) }));
  const [now] = await postgres.work(
    async (client) => (await client.query('SELECT clock_timestamp()::text AS at')).rows,
  );
  await grant(user, '70', url);
  await first.stop();
  await postgres.work((client) => client.query('DROP SCHEMA sync, accounts_jobs CASCADE'));
  await postgres.recoverTo(now.at);
  platform = await startInProcess(env());
  ({ url } = platform);
}, 180_000);
afterAll(async () => {
  await platform?.stop();
  await undoing.run();
  await rm(folder, { recursive: true, force: true });
});

describe('a database that is recovered to a point in time from its base backup and archived WAL', () => {
  it('has what was written before, and nothing later', async () => {
    expect(await balance()).toBe('30');
  });

  it('has a ledger that is proved', async () => {
    expect(await runToEnd(['bundle/prove.js'], env())).toMatchObject({ code: 0, stderr: '' });
  });

  it('has every byte of the files in the store, which was not touched', async () => {
    for (const { manifest, bytes } of files) {
      const reply = await send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url });
      expect(Buffer.compare(reply.bytes, bytes)).toBe(0);
    }
  });

  it('takes new writes', async () => {
    await grant(user, '1', url);
    expect(await balance()).toBe('31');
    expect((await storeFile(user, { url })).reply.status).toBe(200);
  });
});
