import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../../kit/accounts/wallet.js';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { S3_KEYS } from '../../kit/blobs/s3.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { startPolicyStore, type PolicyStore } from '../../kit/storage/policy-store.js';
import { bucketOf, bucketState, deleteBucket } from '../../kit/storage/sub-token.js';
import { ask, until } from '../../kit/watch.js';

let store: PolicyStore;
let dataDir: string;
let databaseUrl: string;
let platform: RunningPlatform;
beforeAll(async () => {
  store = await startPolicyStore();
  [dataDir, databaseUrl] = [await mkdtemp(join(tmpdir(), 'archipelago-')), await newDatabase()];
  platform = await startInProcess({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BLOB_URL: store.url, ...S3_KEYS });
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the job that checks the policies of all buckets. Returns the number of buckets with this state. */
async function checkAll(state: string): Promise<unknown> {
  const job = `'slow-work', '{"job": "check-bucket-policies", "data": {}}', 'short', 'check ' || gen_random_uuid()`;
  const id = await ask(
    databaseUrl,
    `INSERT INTO infrastructure_jobs.job (name, data, policy, singleton_key) VALUES (${job}) RETURNING id`,
  );
  const isDone = `SELECT state = 'completed' FROM infrastructure_jobs.job WHERE id = '${String(id)}'`;
  await until(async () => (await ask(databaseUrl, isDone)) === true, 60_000);
  return ask(databaseUrl, `SELECT count(*)::integer FROM infrastructure.bucket WHERE state = '${state}'`);
}

it('buckets whose policy is about to be written do not keep a check from its end while the store is down', async () => {
  const { token } = await signIn(undefined, platform.url);
  const user = { token, url: platform.url };
  const buckets: string[] = [];
  for (let number = 0; number < 16; number++) buckets.push(await bucketOf(user));
  for (const bucket of buckets) await until(async () => (await bucketState(user, bucket))?.state === 'in_sync');
  store.mood = 'failing';
  // Every other one in the order of the check has no request to the store.
  await ask(
    databaseUrl,
    `UPDATE infrastructure.bucket SET checked_at = now() - make_interval(hours => 99 - id), access_revision = access_revision + id % 2`,
  );
  await checkAll('unreachable');
  const requested = `SELECT count(*)::integer FROM infrastructure.bucket WHERE state = 'unreachable' AND id % 2 = 0`;
  // Three, and up to three more if the job of every ten minutes runs beside it.
  const found = await ask(databaseUrl, requested);
  expect(found).toBeGreaterThanOrEqual(3);
  expect(found).toBeLessThan(8);
  store.mood = 'well';
  for (const bucket of buckets) await deleteBucket(user, bucket);
}, 240_000);

it('a store that is down is requested for a few buckets by a check of all, and the next checks go on with others', async () => {
  const { token } = await signIn(undefined, platform.url);
  const user = { token, url: platform.url };
  const buckets = await Promise.all(Array.from({ length: 8 }, () => bucketOf(user)));
  for (const bucket of buckets) await until(async () => (await bucketState(user, bucket))?.state === 'in_sync');
  store.mood = 'failing';
  // Three, and up to three more if the job of every ten minutes runs beside it.
  const found = await checkAll('unreachable');
  expect(found).toBeGreaterThanOrEqual(3);
  expect(found).toBeLessThan(8);
  await checkAll('unreachable');
  expect(await checkAll('unreachable')).toBe(8);
  store.mood = 'well';
  expect(await checkAll('in_sync')).toBe(8);
}, 240_000);
