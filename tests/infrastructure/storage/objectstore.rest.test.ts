import { beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { bucketOf, createBucket, newBucketName, revokeSubToken, subTokenOf } from '../../kit/storage/sub-token.js';
import { serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { fieldsOf, ISO_TIME } from '../../kit/rest/rest-checks.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const HOUR_MS = 3_600_000;
const hours = (count: number): string => new Date(Date.now() + count * HOUR_MS).toISOString();
const aclOf = async ({ token }: SignedIn): Promise<Json[]> => {
  const { status, body } = await call('GET /api/objectstore/acl/', { token });
  expect(status).toBe(200);
  return body;
};

describe('GET /objectstore/acl/', () => {
  it('is an empty array for who has no bucket', async () => {
    await subTokenOf(user);
    expect(await aclOf(user)).toEqual([]);
  });

  it('answers per bucket which sub-tokens, actions and prefixes apply', async () => {
    const [photos, music] = [await bucketOf(user), await bucketOf(user)];
    const all = await subTokenOf(user, { name: 'backup', actions: ['read'] });
    const expiresAt = hours(1);
    const one = await subTokenOf(user, {
      name: 'camera',
      scopeType: 'single_bucket',
      bucketNames: [photos],
      actions: ['write'],
      allowedPrefixes: ['raw/', 'new/'],
      expiresAt,
    });
    const backup = {
      id: all.id,
      name: 'backup',
      access_key_id: all.accessKeyId,
      actions: ['read'],
      prefixes: [],
      status: 'active',
      expires_at: null,
    };
    const camera = {
      id: one.id,
      name: 'camera',
      access_key_id: one.accessKeyId,
      actions: ['write'],
      prefixes: ['raw/', 'new/'],
      status: 'active',
      expires_at: expiresAt,
    };
    const expected = [
      { bucket: photos, sub_tokens: [backup, camera] },
      { bucket: music, sub_tokens: [backup] },
    ];
    expect(await aclOf(user)).toEqual(expected.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1)));
    expect(fieldsOf((await aclOf(user))[0] ?? {})).toEqual(['bucket', 'sub_tokens']);
    expect(camera.expires_at).toMatch(ISO_TIME);
  });

  it('shows what a parent leaves of a sub-token', async () => {
    const [bucket, other] = [await bucketOf(user), await bucketOf(user)];
    const parent = await subTokenOf(user, {
      scopeType: 'single_bucket',
      bucketNames: [bucket],
      actions: ['read'],
      allowedPrefixes: ['team/'],
      expiresAt: hours(2),
    });
    const child = await subTokenOf(user, {
      parentId: parent.id,
      allowedPrefixes: ['team/a/', 'x/'],
      expiresAt: hours(9),
    });
    const acl = await aclOf(user);
    const entry = acl.find((each) => each.bucket === bucket)?.sub_tokens.find(({ id }: Json) => id === child.id);
    expect(entry).toMatchObject({ actions: ['read'], prefixes: ['team/a/'], status: 'active' });
    expect(Date.parse(entry.expires_at)).toBeLessThan(Date.now() + 3 * HOUR_MS);
    expect(acl.find((each) => each.bucket === other)).toEqual({ bucket: other, sub_tokens: [] });
  });

  it('leaves out what was revoked, and of which nothing is left', async () => {
    const bucket = await bucketOf(user);
    const parent = await subTokenOf(user, { allowedPrefixes: ['a/'] });
    await subTokenOf(user, { parentId: parent.id, allowedPrefixes: ['b/'] });
    const child = await subTokenOf(user, { parentId: parent.id });
    const shown = async () => (await aclOf(user))[0]?.sub_tokens.map(({ id, status }: Json) => [id, status]);
    expect(await shown()).toEqual([
      [parent.id, 'active'],
      [child.id, 'active'],
    ]);
    await revokeSubToken(user, parent.id);
    expect(await shown()).toEqual([[child.id, 'disabled']]);
    await revokeSubToken(user, child.id);
    expect(await aclOf(user)).toEqual([{ bucket, sub_tokens: [] }]);
  });

  it('says which are not valid yet', async () => {
    await bucketOf(user);
    await subTokenOf(user, { notBefore: hours(1) });
    expect((await aclOf(user))[0]?.sub_tokens).toMatchObject([{ status: 'disabled' }]);
  });

  it('shows nothing of others', async () => {
    const other = await signIn();
    await bucketOf(other);
    await subTokenOf(other);
    expect(await aclOf(user)).toEqual([]);
    const mine = newBucketName();
    await createBucket(user, mine);
    expect(await aclOf(user)).toEqual([{ bucket: mine, sub_tokens: [] }]);
  });

  it('refuses services, which have no buckets', async () => {
    const token = await serviceToken('VALIDATOR');
    expect(await call('GET /api/objectstore/acl/', { token })).toMatchObject({
      status: 403,
      body: { error: expect.any(String) },
    });
  });
});
