import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { codeOf } from '../../kit/platform.js';
import { startPolicyStore, type PolicyStore } from '../../kit/storage/policy-store.js';
import { S3_KEYS } from '../../kit/blobs/s3.js';
import {
  bucketOf,
  bucketState,
  createBucket,
  deleteBucket,
  revokeSubToken,
  subTokenOf,
} from '../../kit/storage/sub-token.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { ask, until } from '../../kit/watch.js';

interface Asked {
  readonly token: string;
  readonly url: string;
}

let store: PolicyStore;
let running: RunningPlatform;
let dataDir: string;
let databaseUrl: string;
let asked: Asked;
beforeAll(async () => {
  store = await startPolicyStore();
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  databaseUrl = await newDatabase();
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BLOB_URL: store.url, ...S3_KEYS };
  running = await startInProcess(env);
}, 120_000);
afterAll(async () => {
  await running.stop();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  store.mood = 'well';
  asked = await newUser();
});

async function newUser(): Promise<Asked> {
  const { token } = await signIn(undefined, running.url);
  return { token, url: running.url };
}

/** A bucket that the store has. */
async function madeBucket(): Promise<string> {
  const bucket = await bucketOf(asked);
  await until(async () => (await bucketState(asked, bucket))?.state === 'in_sync');
  return bucket;
}

describe('a bucket that is deleted', () => {
  it('is gone here and in the store, once, and another user may have its name', async () => {
    const bucket = await madeBucket();
    await subTokenOf(asked);
    const answers = [await deleteBucket(asked, bucket), await deleteBucket(asked, bucket)];
    expect(answers.map(({ data }) => data.deleteBucket)).toEqual([true, false]);
    expect([store.policies.has(bucket), await bucketState(asked, bucket)]).toEqual([false, undefined]);
    expect((await createBucket(await newUser(), bucket)).errors).toBeUndefined();
  });

  it('is nobody else’s to delete', async () => {
    const bucket = await madeBucket();
    expect((await deleteBucket(await newUser(), bucket)).data.deleteBucket).toBe(false);
    expect(store.policies.has(bucket)).toBe(true);
  });

  it('was named by no sub-token that was not revoked', async () => {
    const bucket = await madeBucket();
    const { id } = await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket] });
    expect(codeOf(await deleteBucket(asked, bucket))).toBe('CONFLICT');
    await revokeSubToken(asked, id);
    expect((await deleteBucket(asked, bucket)).data.deleteBucket).toBe(true);
  });

  it('was empty', async () => {
    const bucket = await madeBucket();
    const object = `${new URL(store.url.replace(/^.*endpoint=/, '')).origin}/${bucket}/a`;
    await fetch(object, { method: 'PUT', body: 'x' });
    expect(codeOf(await deleteBucket(asked, bucket))).toBe('CONFLICT');
    await fetch(object, { method: 'DELETE' });
    expect((await deleteBucket(asked, bucket)).data.deleteBucket).toBe(true);
  });

  it('is made again in the store when a sub-token comes to refer to it while it is deleted', async () => {
    const bucket = await madeBucket();
    store.beforeDelete = async () => {
      store.beforeDelete = undefined;
      await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket] });
    };
    expect(codeOf(await deleteBucket(asked, bucket))).toBe('CONFLICT');
    await until(async () => (await bucketState(asked, bucket))?.state === 'in_sync');
    expect(store.policies.get(bucket)).toBeDefined();
  });

  it('is there yet while the store gives no answer', async () => {
    const bucket = await madeBucket();
    store.mood = 'failing';
    expect(codeOf(await deleteBucket(asked, bucket))).toBe('UNAVAILABLE');
    store.mood = 'well';
    expect((await deleteBucket(asked, bucket)).data.deleteBucket).toBe(true);
  });

  it('is deleted once by twenty at once', async () => {
    const bucket = await madeBucket();
    const answers = await Promise.all(Array.from({ length: 20 }, () => deleteBucket(asked, bucket)));
    expect(answers.filter(({ data }) => data?.deleteBucket === true).length).toBe(1);
    expect(answers.filter(({ errors }) => errors).length).toBe(0);
  });
});

describe('a bucket that a late request creates in the store after its deletion', () => {
  const removals = `infrastructure_jobs.job WHERE data ->> 'job' = 'remove-deleted-bucket' AND state <> 'completed'`;

  /** Runs the jobs of deletions, which wait for late requests. */
  async function removeNow(): Promise<void> {
    expect(await ask(databaseUrl, `SELECT count(*)::integer FROM ${removals}`)).toBeGreaterThan(0);
    await ask(databaseUrl, `UPDATE ${removals.replace('WHERE', 'SET start_after = now() WHERE')}`);
    await until(async () => (await ask(databaseUrl, `SELECT count(*)::integer FROM ${removals}`)) === 0);
  }

  it('is deleted again', async () => {
    const bucket = await madeBucket();
    await deleteBucket(asked, bucket);
    store.policies.set(bucket, undefined);
    await removeNow();
    expect(store.policies.has(bucket)).toBe(false);
  });

  it('stays when another user has its name by then', async () => {
    const bucket = await madeBucket();
    await deleteBucket(asked, bucket);
    const other = await newUser();
    await createBucket(other, bucket);
    await until(async () => (await bucketState(other, bucket))?.state === 'in_sync');
    await removeNow();
    expect(store.policies.has(bucket)).toBe(true);
  });

  it('is made again, with its policy, when another user creates it while it is deleted', async () => {
    const bucket = await madeBucket();
    await deleteBucket(asked, bucket);
    const other = await newUser();
    store.beforeDelete = async () => {
      store.beforeDelete = undefined;
      await createBucket(other, bucket);
      await subTokenOf(other, { scopeType: 'single_bucket', bucketNames: [bucket] });
      await until(() => Promise.resolve(store.policies.get(bucket) !== undefined));
      await until(async () => (await bucketState(other, bucket))?.state === 'in_sync');
    };
    await removeNow();
    await until(() => Promise.resolve(store.policies.get(bucket) !== undefined));
    await until(async () => (await bucketState(other, bucket))?.state === 'in_sync');
  });
});

describe('a deletion that the store executes late', () => {
  it('takes a bucket whose deletion had failed: the next check makes it again, with its policy', async () => {
    const bucket = await madeBucket();
    store.mood = 'failing';
    expect(codeOf(await deleteBucket(asked, bucket))).toBe('UNAVAILABLE');
    store.mood = 'well';
    await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket] });
    await until(() => Promise.resolve(store.policies.get(bucket) !== undefined));
    await until(async () => (await bucketState(asked, bucket))?.state === 'in_sync');
    store.policies.delete(bucket);
    await bucketState(asked, bucket, 'check');
    await until(() => Promise.resolve(store.policies.get(bucket) !== undefined));
    await until(async () => (await bucketState(asked, bucket))?.state === 'in_sync');
  });

  it('takes the bucket of a new owner of the name, which is made again at once', async () => {
    const bucket = await madeBucket();
    const other = await newUser();
    store.beforeDelete = async () => {
      store.beforeDelete = undefined;
      await deleteBucket(asked, bucket);
      await createBucket(other, bucket);
      await until(async () => (await bucketState(other, bucket))?.state === 'in_sync');
    };
    expect((await deleteBucket(asked, bucket)).data.deleteBucket).toBe(false);
    await until(() => Promise.resolve(store.policies.has(bucket)));
    await until(async () => (await bucketState(other, bucket))?.state === 'in_sync');
  });
});

describe('an older policy that reaches the store late', () => {
  it('is replaced at the next check, so that a revoked sub-token has no access', async () => {
    const bucket = await madeBucket();
    const { id } = await subTokenOf(asked);
    await until(() => Promise.resolve(store.policies.get(bucket) !== undefined));
    const before = store.policies.get(bucket);
    await revokeSubToken(asked, id);
    await until(() => Promise.resolve(store.policies.get(bucket) === undefined));
    await until(async () => (await bucketState(asked, bucket))?.state === 'in_sync');
    store.policies.set(bucket, before);
    await bucketState(asked, bucket, 'check');
    await until(() => Promise.resolve(store.policies.get(bucket) === undefined));
  }, 60_000);
});
