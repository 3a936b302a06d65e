import { beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf, type Json } from '../../kit/platform.js';
import {
  askForSubToken,
  bucketOf,
  explainAccess,
  revokeSubToken,
  subTokenOf,
  subTokensOf,
} from '../../kit/storage/sub-token.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const NO_SUCH_ID = 2_147_483_647;
const HOUR_MS = 3_600_000;
const hours = (count: number): string => new Date(Date.now() + count * HOUR_MS).toISOString();

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const explained = async (attempt: object): Promise<Json> => (await explainAccess(user, attempt)).data.explainAccess;

describe('createSubToken', () => {
  it('shows the secret once, behind an id that stores know', async () => {
    const bucket = await bucketOf(user);
    const inputs = {
      name: ' camera ',
      scopeType: 'single_bucket',
      bucketNames: [bucket, bucket],
      actions: ['write', 'read', 'read'],
      allowedPrefixes: ['raw/'],
      ipAllowlist: ['203.0.113.7', '2001:DB8::/32'],
      expiresAt: hours(1),
    };
    const issued = await subTokenOf(user, inputs);
    expect(issued).toMatchObject({
      name: 'camera',
      accessKeyId: expect.stringMatching(/^ARP[A-Z2-7]{17}$/),
      secret: expect.stringMatching(/^arp_s3_[\w-]{43}$/),
    });
    const list = await subTokensOf(user);
    expect(list).toEqual([
      {
        id: issued.id,
        name: 'camera',
        accessKeyId: issued.accessKeyId,
        lastFour: issued.secret.slice(-4),
        status: 'active',
        parentId: null,
        scopeType: 'single_bucket',
        bucketNames: [bucket],
        actions: ['read', 'write'],
        allowedPrefixes: ['raw/'],
        ipAllowlist: ['203.0.113.7/32', '2001:db8::/32'],
        notBefore: null,
        expiresAt: inputs.expiresAt,
        revokedAt: null,
        createdAt: issued.createdAt,
      },
    ]);
    expect(JSON.stringify(list)).not.toContain(issued.secret);
  });

  it.each([
    ['no name', { name: ' ' }],
    ['a name too long', { name: 'x'.repeat(101) }],
    ['a name with a line feed', { name: 'a\nb' }],
    ['no action', { actions: [] }],
    ['one bucket and no name of it', { scopeType: 'single_bucket' }],
    ['all buckets and one', { bucketNames: ['photos'] }],
    ['a bucket that is none', { scopeType: 'single_bucket', bucketNames: ['no-such-bucket-anywhere'] }],
    ['an empty prefix', { allowedPrefixes: [''] }],
    ['a prefix that means more to stores', { allowedPrefixes: ['a*'] }],
    ['a prefix with a variable', { allowedPrefixes: ['${aws:username}/'] }],
    ['a prefix too long', { allowedPrefixes: ['x'.repeat(1025)] }],
    ['too many prefixes', { allowedPrefixes: Array.from({ length: 51 }, (_, n) => `${n}/`) }],
    ['too many buckets', { scopeType: 'single_bucket', bucketNames: Array.from({ length: 101 }, (_, n) => `b-${n}`) }],
    ['too many addresses', { ipAllowlist: Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`) }],
    ['no address', { ipAllowlist: ['here'] }],
    ['host bits', { ipAllowlist: ['203.0.113.7/24'] }],
    ['a prefix beyond', { ipAllowlist: ['203.0.113.0/33'] }],
    ['IPv4 within IPv6', { ipAllowlist: ['::ffff:203.0.113.7'] }],
    ['an end that is over', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end before the beginning', { notBefore: hours(2), expiresAt: hours(1) }],
    ['no parent', { parentId: NO_SUCH_ID }],
  ])('refuses %s, and makes nothing', async (_, inputs) => {
    const answer = await askForSubToken(user, inputs);
    expect([codeOf(answer), answer.errors?.[0].message]).toEqual(['BAD_REQUEST', expect.stringMatching(/^`\w+`/)]);
    expect(await subTokensOf(user)).toEqual([]);
  });

  it('refuses buckets and parents of others as if there were none', async () => {
    const other = await signIn();
    const [bucket, parent] = [await bucketOf(other), await subTokenOf(other)];
    const foreign = await askForSubToken(user, { scopeType: 'single_bucket', bucketNames: [bucket] });
    expect([codeOf(foreign), foreign.errors[0].message]).toEqual([
      'BAD_REQUEST',
      `\`bucketNames\` contains “${bucket}”, which is not one of your buckets.`,
    ]);
    const adopted = await askForSubToken(user, { parentId: parent.id });
    const orphan = await askForSubToken(user, { parentId: NO_SUCH_ID });
    expect(adopted.errors[0].message).toBe(orphan.errors[0].message);
    expect(await subTokensOf(user)).toEqual([]);
  });

  it('refuses a revoked parent, and more than five generations', async () => {
    let parent = await subTokenOf(user);
    for (let generation = 2; generation <= 5; generation++) parent = await subTokenOf(user, { parentId: parent.id });
    expect(codeOf(await askForSubToken(user, { parentId: parent.id }))).toBe('BAD_REQUEST');
    await revokeSubToken(user, parent.id);
    expect(codeOf(await askForSubToken(user, { parentId: parent.id }))).toBe('BAD_REQUEST');
  });
});

describe('revokeSubToken', () => {
  it('takes away what the sub-token and its children may do; again is the same', async () => {
    const parent = await subTokenOf(user);
    const child = await subTokenOf(user, { parentId: parent.id });
    const { data: first } = await revokeSubToken(user, parent.id);
    const { data: second } = await revokeSubToken(user, parent.id);
    expect(first.revokeSubToken.status).toBe('revoked');
    expect(second).toEqual(first);
    const statuses = (await subTokensOf(user)).map(({ id, status }) => [id, status]);
    expect(statuses).toEqual([
      [child.id, 'disabled'],
      [parent.id, 'revoked'],
    ]);
  });

  it('finds nothing of others', async () => {
    const token = await subTokenOf(await signIn());
    expect(codeOf(await revokeSubToken(user, token.id))).toBe('NOT_FOUND');
    expect(codeOf(await revokeSubToken(user, NO_SUCH_ID))).toBe('NOT_FOUND');
  });
});

describe('explainAccess', () => {
  it('says which sub-token allows it and why', async () => {
    const bucket = await bucketOf(user);
    await subTokenOf(user, { name: 'reader', actions: ['read'] });
    await subTokenOf(user, {
      name: 'writer',
      actions: ['write'],
      allowedPrefixes: ['in/'],
      ipAllowlist: ['203.0.113.0/24'],
    });
    expect(await explained({ bucket, key: 'in/a', action: 'write' })).toMatchObject({
      isAllowed: true,
      reason: `Allowed by the sub-token “writer”. It may write in “${bucket}”, for keys that begin with “in/”, from 203.0.113.0/24 only.`,
      verdicts: [{ isAllowed: true }, { isAllowed: false, reason: 'It may only read.' }],
    });
    expect(await explained({ bucket, key: 'out/a', action: 'write' })).toMatchObject({
      isAllowed: false,
      reason: 'None of your 2 sub-tokens allows this.',
      verdicts: [{ reason: 'It may only read.' }, { reason: 'It is for keys that begin with “in/”.' }],
    });
    expect(await explained({ bucket, key: 'in/a', action: 'write', address: '203.0.113.9' })).toMatchObject({
      isAllowed: true,
    });
    expect(await explained({ bucket, key: 'in/a', action: 'write', address: '198.51.100.9' })).toMatchObject({
      isAllowed: false,
      verdicts: [{}, { reason: 'It may be used from 203.0.113.0/24 only.' }],
    });
  });

  it('names the parent that cuts it', async () => {
    const bucket = await bucketOf(user);
    const parent = await subTokenOf(user, { name: 'team', actions: ['read'] });
    await subTokenOf(user, { name: 'me', parentId: parent.id });
    const before = await explained({ bucket, key: 'a', action: 'write' });
    expect(before.verdicts[1].reason).toBe('Its parent “team” may only read.');
    await revokeSubToken(user, parent.id);
    const after = await explained({ bucket, key: 'a', action: 'read' });
    expect(after.verdicts.map(({ reason }: Json) => reason)).toEqual([
      expect.stringMatching(/^It was revoked at 20/),
      expect.stringMatching(/^Its parent “team” was revoked at 20/),
    ]);
  });

  it('refuses a bucket of others, and what is no key, action or address', async () => {
    const [bucket, foreign] = [await bucketOf(user), await bucketOf(await signIn())];
    const codeFor = async (attempt: object) => codeOf(await explainAccess(user, attempt));
    expect(await codeFor({ bucket: foreign, key: 'a', action: 'read' })).toBe('NOT_FOUND');
    expect(await codeFor({ bucket: 'no-such-bucket-anywhere', key: 'a', action: 'read' })).toBe('NOT_FOUND');
    expect(await codeFor({ bucket, key: '', action: 'read' })).toBe('BAD_REQUEST');
    expect(await codeFor({ bucket, key: 'é'.repeat(513), action: 'read' })).toBe('BAD_REQUEST');
    expect(await codeFor({ bucket, key: 'a', action: 'read', address: 'here' })).toBe('BAD_REQUEST');
    expect((await explainAccess(user, { bucket, key: 'a', action: 'delete' })).errors).toHaveLength(1);
    expect(await explained({ bucket, key: 'a', action: 'read' })).toMatchObject({ reason: 'You have no sub-tokens.' });
  });
});

describe('sub-tokens', () => {
  it('are at most 200 at a time, also when they are asked for at once', async () => {
    for (let part = 0; part < 9; part++) await Promise.all(Array.from({ length: 22 }, () => subTokenOf(user)));
    const answers = await Promise.all(Array.from({ length: 5 }, () => askForSubToken(user, {})));
    expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(2);
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'CONFLICT']));
    const [newest] = await subTokensOf(user);
    await revokeSubToken(user, newest.id);
    expect(codeOf(await askForSubToken(user, {}))).toBeUndefined();
  }, 60_000);
});
