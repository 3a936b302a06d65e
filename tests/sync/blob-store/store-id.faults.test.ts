import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../kernel/config/environment.js';
import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { BlobStore } from '../../../subgraphs/sync/blob-store/store/blob-store.js';
import { sweepOrphans } from '../../../subgraphs/sync/blob-store/blob/collection.actions.js';
import { claimStore } from '../../../subgraphs/sync/blob-store/store/store-id.actions.js';
import { openBlobStore } from '../../../subgraphs/sync/blob-store/store/open-blob-store.js';
import { createDatabase, freePort, type RunningPlatform } from '../../kit/arrangements.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import { asAdmin, graphql } from '../../kit/platform.js';
import { reasonOf } from '../../kit/blobs/objects.js';
import { startS3, type RunningS3 } from '../../kit/blobs/s3.js';
import { openStorage, type StorageUnderTest } from '../../kit/blobs/storage.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { runToEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

let storage: StorageUnderTest;
let s3: RunningS3;
let elsewhere: string;
beforeAll(async () => {
  [storage, s3, elsewhere] = await Promise.all([openStorage(), startS3(), mkdtemp(join(tmpdir(), 'archipelago-'))]);
}, 60_000);
afterAll(async () => {
  await storage.close();
  await s3.close();
  await rm(elsewhere, { recursive: true, force: true });
});

const directory = (dataDir: string): Promise<BlobStore> => openBlobStore({ dataDir, blobStore: undefined });
const bucket = (prefix: string): Promise<BlobStore> =>
  openBlobStore({ dataDir: elsewhere, blobStore: { ...s3.config, prefix } });

/** Another database beside the one of the tests. */
async function otherDatabase<Result>(name: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const url = await createDatabase(storage.url, name);
  const database = await openDatabase({ url, schema: 'sync', log: openLog('silent', 'tests') });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const lineOf = (claim: Promise<void>): Promise<string> =>
  claim.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ConfigError ? error.message : String(error)),
  );

describe('a store', () => {
  it('is taken again by its own database', async () => {
    expect(await lineOf(claimStore(storage.database, await directory(storage.dataDir)))).toBe('accepted');
  });

  it('that is another database’s is refused in one line', async () => {
    const line = await otherDatabase('stranger', async (database) =>
      lineOf(claimStore(database, await directory(storage.dataDir))),
    );
    expect(line).toMatch(/^[^\n]*holds the files of another database[^\n]*$/);
  });

  it('in a bucket that is another database’s is refused too', async () => {
    await otherDatabase('first_in_bucket', async (database) => claimStore(database, await bucket('shared/')));
    const line = await otherDatabase('second_in_bucket', async (database) =>
      lineOf(claimStore(database, await bucket('shared/'))),
    );
    expect(line).toMatch(/^s3:\/\/blobs\/shared\/ holds the files of another database/);
  });

  it('that is not where this database’s files are is refused', async () => {
    expect(await lineOf(claimStore(storage.database, await directory(elsewhere)))).toMatch(/does not hold the files/);
  });

  it('may be left for one of another kind while there are no files', async () => {
    const outcome = await otherDatabase('moving', async (database) => {
      await claimStore(database, await directory(await mkdtemp(join(elsewhere, 'moving-'))));
      return lineOf(claimStore(database, await bucket('moved/')));
    });
    expect(outcome).toBe('accepted');
  });

  it.each([
    ['in a folder', 'crowd', async () => directory(await mkdtemp(join(elsewhere, 'crowd-')))],
    ['in a bucket', 'crowd_in_bucket', () => bucket('crowd/')],
  ])('%s is claimed by many processes of one database at once', async (_, name, open) => {
    const outcomes = await otherDatabase(name, async (database) => {
      const store = await open();
      return Promise.all(Array.from({ length: 8 }, () => lineOf(claimStore(database, store))));
    });
    expect(new Set(outcomes)).toEqual(new Set(['accepted']));
  });

  it('that lost its mark while we run is not collected', async () => {
    const reason = await otherDatabase('lost', async (database) => {
      const dataDir = await mkdtemp(join(elsewhere, 'lost-'));
      const store = await directory(dataDir);
      await claimStore(database, store);
      await unlink(join(dataDir, 'blobs/store-id'));
      return reasonOf(() => sweepOrphans({ database, services: { blobs: store }, now: () => new Date() }));
    });
    expect(reason).toBe('storage_inconsistency');
  });
});

describe('a platform', () => {
  const COLLECT =
    'mutation { adminRunStorageCollection { expiredSessions purgedFiles orphanObjects collectedObjects } }';
  let platform: RunningPlatform;
  beforeAll(async () => {
    platform = await startOnDatabase();
  }, 60_000);
  afterAll(() => platform.stop());

  it('collects storage when an administrator says so', async () => {
    const { adminRunStorageCollection } = await asAdmin(COLLECT, {}, platform.url);
    expect(adminRunStorageCollection).toEqual({
      expiredSessions: 0,
      purgedFiles: 0,
      orphanObjects: 0,
      collectedObjects: 0,
    });
  });

  it('collects it for nobody else', async () => {
    const { token } = await signIn(undefined, platform.url);
    const { errors } = await graphql(COLLECT, { token, url: platform.url });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('tells callers that its store fails, and the log why', async () => {
    const folder = join(platform.dataDir, 'blobs/7f');
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await expect(asAdmin(COLLECT, {}, platform.url)).rejects.toThrow(
      /"message":"The store is not working at the moment.".*"code":"INTERNAL","reason":"storage_inconsistency"/,
    );
    await until(async () => platform.processes[0]?.output().includes('ENOTDIR') === true);
  });

  it('does not start on files of another database', async () => {
    const url = await createDatabase(storage.url, 'stranger_at_start');
    const env = { DATA_DIR: storage.dataDir, DATABASE_URL: url, PORT: `${await freePort()}` };
    const { code, stderr } = await runToEnd(['bundle/platform.js'], env);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^[^\n]*another database[^\n]*\n$/) });
  });
});
