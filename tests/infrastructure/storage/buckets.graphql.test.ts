import { beforeEach, describe, expect, it } from '@jest/globals';
import { asAdmin, codeOf, graphql } from '../../kit/platform.js';
import { bucketOf, bucketState, createBucket, newBucketName } from '../../kit/storage/sub-token.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

describe('createBucket', () => {
  it.each([
    'ab',
    'x'.repeat(64),
    'Photos',
    '-photos',
    'photos-',
    'a..b',
    'a.-',
    'a_b',
    '10.0.0.1',
    'xn--photos',
    'photos-s3alias',
    '',
  ])('refuses the name "%s"', async (name) => {
    expect(codeOf(await createBucket(user, name))).toBe('BAD_REQUEST');
  });

  it('gives a name to one of twenty who want it at once', async () => {
    const [name, other] = [newBucketName(), await signIn()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, count) => createBucket(count % 2 === 0 ? user : other, name)),
    );
    expect(answers.filter(({ data }) => data)).toHaveLength(1);
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'CONFLICT']));
  });

  it('lets a user have twenty, also when they are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => createBucket(user, newBucketName())));
    expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(20);
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'CONFLICT']));
    const { data } = await graphql('{ buckets { name } }', { token: user.token });
    expect(data.buckets).toHaveLength(20);
  });

  it('says that no store was told where there is none', async () => {
    expect((await graphql('{ hasObjectStore }')).data).toEqual({ hasObjectStore: false });
    const name = await bucketOf(user);
    expect(await bucketState(user, name)).toMatchObject({ state: 'unconfigured', found: null, wanted: '[]' });
    const check = `mutation { checkBucketPolicy(name: "${name}") { name } }`;
    expect(codeOf(await graphql(check, { token: user.token }))).toBe('UNAVAILABLE');
  });
});

describe('adminAssignBucket', () => {
  const ASSIGN =
    'mutation ($name: String!, $to: String!) { adminAssignBucket(name: $name, substrateAddress: $to) { name } }';

  it('is for administrators', async () => {
    const variables = { name: newBucketName(), to: user.substrateAddress };
    expect(codeOf(await graphql(ASSIGN, { token: user.token, variables }))).toBe('FORBIDDEN');
    await asAdmin(ASSIGN, variables);
    expect(await bucketState(user, variables.name)).toMatchObject({ state: 'unconfigured' });
    await expect(asAdmin(ASSIGN, variables)).rejects.toThrow('CONFLICT');
  });
});
