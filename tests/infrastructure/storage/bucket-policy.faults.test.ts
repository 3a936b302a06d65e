import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { asAdmin, codeOf, graphql, type Json } from '../../kit/platform.js';
import { startPolicyStore, type PolicyStore } from '../../kit/storage/policy-store.js';
import { S3_KEYS } from '../../kit/blobs/s3.js';
import {
  askForSubToken,
  bucketOf,
  bucketState,
  createBucket,
  newBucketName,
  revokeSubToken,
  subTokenOf,
} from '../../kit/storage/sub-token.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask as askDatabase, end, until } from '../../kit/watch.js';

const ASSIGN =
  'mutation ($name: String!, $to: String!) { adminAssignBucket(name: $name, substrateAddress: $to) { name } }';

let store: PolicyStore;
let env: Readonly<Record<string, string>>;
let running: RunningPlatform;
let user: SignedIn;
let asked: { readonly token: string; readonly url: string };
beforeAll(async () => {
  store = await startPolicyStore();
  env = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'archipelago-')),
    DATABASE_URL: await newDatabase(),
    BLOB_URL: store.url,
    ...S3_KEYS,
  };
  running = await startInProcess(env);
}, 120_000);
afterAll(async () => {
  await running.stop();
  await store.close();
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
});
beforeEach(async () => {
  store.mood = 'well';
  user = await signIn(undefined, running.url);
  asked = { token: user.token, url: running.url };
});

const policyIn = (bucket: string): Json => JSON.parse(store.policies.get(bucket) ?? '{"Statement":[]}');
const idsIn = (bucket: string): string[] => [policyIn(bucket).Statement].flat().map(({ Sid }: Json) => Sid);
const untilState = (bucket: string, state: string): Promise<void> =>
  until(async () => (await bucketState(asked, bucket))?.state === state);

describe('a bucket', () => {
  it('is made in the store, and its policy says who may use it', async () => {
    expect((await graphql('{ hasObjectStore }', { url: running.url })).data).toEqual({ hasObjectStore: true });
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    expect([store.policies.has(bucket), store.policies.get(bucket)]).toEqual([true, undefined]);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const terms = { allowedPrefixes: ['in/'], ipAllowlist: ['203.0.113.0/24'], actions: ['read'], expiresAt };
    const scope = { scopeType: 'single_bucket', bucketNames: [bucket] };
    const { id, accessKeyId } = await subTokenOf(asked, { ...scope, ...terms });
    await until(() => Promise.resolve(idsIn(bucket).length > 0));
    const common = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam:::user/${accessKeyId}` } };
    const limits = { IpAddress: { 'aws:SourceIp': '203.0.113.0/24' }, DateLessThan: { 'aws:CurrentTime': expiresAt } };
    expect(policyIn(bucket)).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: `Archipelago${id}Read`,
          ...common,
          Action: 's3:GetObject',
          Resource: `arn:aws:s3:::${bucket}/in/*`,
          Condition: limits,
        },
        {
          Sid: `Archipelago${id}List`,
          ...common,
          Action: 's3:ListBucket',
          Resource: `arn:aws:s3:::${bucket}`,
          Condition: { ...limits, StringLike: { 's3:prefix': 'in/*' } },
        },
      ],
    });
    await untilState(bucket, 'in_sync');
    await revokeSubToken(asked, id);
    await until(() => Promise.resolve(store.policies.get(bucket) === undefined));
  });

  it('keeps what others have put into its policy', async () => {
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    const theirs = {
      Sid: 'Theirs',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:DeleteObject',
      Resource: `arn:aws:s3:::${bucket}/*`,
    };
    store.policies.set(bucket, JSON.stringify({ Version: '2012-10-17', Statement: theirs }));
    expect(await bucketState(asked, bucket, 'check')).toMatchObject({
      state: 'in_sync',
      found: expect.stringContaining('Theirs'),
    });
    const { id } = await subTokenOf(asked, { actions: ['write'] });
    await until(() => Promise.resolve(idsIn(bucket).includes(`Archipelago${id}Write`)));
    expect(policyIn(bucket).Statement).toContainEqual(theirs);
    await revokeSubToken(asked, id);
    await until(() => Promise.resolve(idsIn(bucket).join() === 'Theirs'));
  });

  it('that the store has already is nobody’s until an administrator says whose', async () => {
    const name = newBucketName();
    store.policies.set(name, undefined);
    expect(codeOf(await createBucket(asked, name))).toBe('CONFLICT');
    expect(codeOf(await createBucket(asked, 'blobs'))).toBe('CONFLICT');
    await asAdmin(ASSIGN, { name, to: user.substrateAddress }, running.url);
    await untilState(name, 'in_sync');
    await expect(asAdmin(ASSIGN, { name: 'blobs', to: user.substrateAddress }, running.url)).rejects.toThrow(
      'CONFLICT',
    );
  });
});

describe('a policy of more than 20 KiB', () => {
  const long = (letter: string) => Array.from({ length: 8 }, (_, place) => `${place}${letter.repeat(990)}`);

  it('is refused when it is asked for, by one of two that are at once, and for the next bucket', async () => {
    const bucket = await bucketOf(asked);
    const inputs = { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] };
    const ask = (letter: string) => askForSubToken(asked, { ...inputs, allowedPrefixes: long(letter) });
    await subTokenOf(asked, { ...inputs, allowedPrefixes: long('a') });
    const answers = await Promise.all([ask('b'), ask('c')]);
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'CONFLICT']));
    expect(answers.find(({ errors }) => errors)?.errors[0].message).toContain(`“${bucket}” would be larger than`);
    await untilState(bucket, 'in_sync');
    const other = await signIn(undefined, running.url);
    const token = { token: other.token, url: running.url };
    for (const letter of 'de') await subTokenOf(token, { actions: ['write'], allowedPrefixes: long(letter) });
    await subTokenOf(token, { actions: ['write'], allowedPrefixes: long('f') });
    expect(codeOf(await createBucket(token, newBucketName()))).toBe('CONFLICT');
  });

  it('that was kept before is shown as refused, and not written; what is revoked is taken out all the same', async () => {
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    const inputs = { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] };
    const [{ id }, { id: going }] = [await subTokenOf(asked, inputs), await subTokenOf(asked, inputs)];
    await untilState(bucket, 'in_sync');
    const before = store.policies.get(bucket);
    const large = `UPDATE infrastructure.sub_token SET prefixes = ARRAY(SELECT n || repeat('x', 990) FROM generate_series(10, 49) n) WHERE id = ${id} RETURNING id`;
    await askDatabase(env.DATABASE_URL ?? '', large);
    expect(await bucketState(asked, bucket, 'restore')).toMatchObject({
      state: 'refused',
      fault: expect.stringContaining('20 KiB'),
    });
    expect(store.policies.get(bucket)).toBe(before);
    await revokeSubToken(asked, going);
    await until(async () => idsIn(bucket).length === 1);
    expect(idsIn(bucket)).toEqual([`Archipelago${id}Write`]);
    await untilState(bucket, 'refused');
  });
});

describe('drift', () => {
  it('is shown with what was found, and mended when its owner says so', async () => {
    const bucket = await bucketOf(asked);
    // What is on its way to the store takes drift with it.
    await untilState(bucket, 'in_sync');
    const { id } = await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] });
    await untilState(bucket, 'in_sync');
    const changed = store.policies.get(bucket)?.replace('s3:PutObject', 's3:*') ?? '';
    store.policies.set(bucket, changed);
    expect(await bucketState(asked, bucket, 'check')).toMatchObject({ state: 'drifted', found: changed });
    expect(store.policies.get(bucket)).toBe(changed);
    expect(await bucketState(asked, bucket, 'restore')).toMatchObject({ state: 'in_sync', fault: null });
    expect([idsIn(bucket), store.policies.get(bucket)?.includes('s3:*')]).toEqual([[`Archipelago${id}Write`], false]);
  });

  it('is shown where an assigned bucket is gone, which nobody makes again', async () => {
    const name = newBucketName();
    store.policies.set(name, undefined);
    await asAdmin(ASSIGN, { name, to: user.substrateAddress }, running.url);
    await untilState(name, 'in_sync');
    store.policies.delete(name);
    const missing = { state: 'missing', fault: 'The object store has no such bucket.' };
    expect(await bucketState(asked, name, 'check')).toMatchObject(missing);
    expect(await bucketState(asked, name, 'restore')).toMatchObject(missing);
    expect(store.policies.has(name)).toBe(false);
  });
});

describe('a store', () => {
  it('that refuses the policy is shown with its word for it', async () => {
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    store.mood = 'refusing';
    await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket] });
    await untilState(bucket, 'refused');
    expect(await bucketState(asked, bucket)).toMatchObject({
      fault: 'The object store rejected the request: MalformedPolicy.',
    });
    store.mood = 'well';
    expect(await bucketState(asked, bucket, 'restore')).toMatchObject({ state: 'in_sync' });
  });

  it('that fails is told again until it has the policy', async () => {
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    store.mood = 'failing';
    const { id } = await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] });
    await untilState(bucket, 'unreachable');
    store.mood = 'well';
    await untilState(bucket, 'in_sync');
    expect(idsIn(bucket)).toEqual([`Archipelago${id}Write`]);
  }, 30_000);

  it('that is slow ends with the last of many changes at once', async () => {
    const bucket = await bucketOf(asked);
    await untilState(bucket, 'in_sync');
    store.mood = 'slow';
    const inputs = { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] };
    const tokens = await Promise.all(Array.from({ length: 6 }, () => subTokenOf(asked, inputs)));
    await Promise.all(tokens.slice(1).map(({ id }) => revokeSubToken(asked, id)));
    await untilState(bucket, 'in_sync');
    expect(idsIn(bucket)).toEqual([`Archipelago${tokens[0].id}Write`]);
    expect(store.overlaps).toBe(0);
  }, 30_000);

  it('hears of a revocation though the platform is killed with -9 before it could tell', async () => {
    const bucket = await bucketOf(asked);
    const { id } = await subTokenOf(asked, { scopeType: 'single_bucket', bucketNames: [bucket], actions: ['write'] });
    await until(() => Promise.resolve(idsIn(bucket).length > 0));
    store.mood = 'failing';
    await revokeSubToken(asked, id);
    for (const { child } of running.processes) await end(child, 'SIGKILL');
    // The store has not heard of it.
    expect(idsIn(bucket)).toEqual([`Archipelago${id}Write`]);
    store.mood = 'well';
    running = await startInProcess(env);
    // The killed process may have run the job, which counts as lost after 20 to 30 s.
    await until(() => Promise.resolve(store.policies.get(bucket) === undefined), 60_000);
  }, 120_000);
});
