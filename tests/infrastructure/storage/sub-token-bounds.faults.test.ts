import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCode } from '../../../kernel/errors.js';
import { explainAccess } from '../../../subgraphs/infrastructure/storage/access/access.actions.js';
import { addBucket } from '../../../subgraphs/infrastructure/storage/bucket/bucket.actions.js';
import {
  createSubToken,
  listSubTokens,
  revokeSubToken,
} from '../../../subgraphs/infrastructure/storage/sub-token/sub-token.actions.js';
import { MachineFixture } from '../../kit/machines/machine-fixture.js';

const INPUTS = {
  name: 'a token',
  scopeType: 'all_buckets',
  bucketNames: [],
  actions: ['read'],
  allowedPrefixes: [],
  ipAllowlist: [],
  notBefore: null,
  expiresAt: null,
  parentId: null,
} as const;
const DAY_MS = 24 * 3_600_000;

let fixture: MachineFixture;
let userId: number;
beforeAll(async () => {
  fixture = await MachineFixture.open();
  ({ userId } = await fixture.tenant('1'));
}, 60_000);
afterAll(() => fixture.close());

/** Sub-tokens that ended a day ago, as many as a user has after some years. @returns their ids, oldest first */
async function addEnded(count: number, revokedAt: Date | null, owner = userId): Promise<number[]> {
  const rows = await fixture.context.database.change((transaction) =>
    transaction.execute<{ id: number }>(
      `INSERT INTO infrastructure.sub_token (user_id, name, access_key_id, secret_hash, last_four, is_all_buckets, actions, prefixes,
                                             addresses, expires_at, revoked_at, created_at)
       SELECT $1, 'old', gen_random_uuid()::text, gen_random_uuid()::text, 'abcd', true, '{read}', '{}', '{}', $2::timestamptz,
              $3::timestamptz + n * interval '1 second', $2::timestamptz - interval '1 day' FROM generate_series(1, $4) n RETURNING id`,
      [owner, new Date(fixture.nowMs - DAY_MS), revokedAt, count],
    ),
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

describe('sub-tokens that ended', () => {
  it('are kept until there are a thousand that were not revoked', async () => {
    const ended = await addEnded(999, null);
    await createSubToken(fixture.context, userId, INPUTS);
    expect(await createSubToken(fixture.context, userId, INPUTS).catch(errorCode)).toBe('CONFLICT');
    await revokeSubToken(fixture.context, userId, ended[0] ?? 0);
    expect((await createSubToken(fixture.context, userId, INPUTS)).secret).toMatch(/^arp_s3_/);
    await fixture.context.database.change((transaction) =>
      transaction.execute(
        `UPDATE infrastructure.sub_token SET revoked_at = $1 WHERE name = 'old' AND revoked_at IS NULL`,
        [fixture.now],
      ),
    );
  });

  it('are listed as revoked up to two hundred, the last ones, and so are reasons', async () => {
    const before = await addEnded(300, new Date(fixture.nowMs + DAY_MS));
    const listed = await listSubTokens(fixture.context, userId);
    expect(listed.filter(({ revokedAt }) => revokedAt === null).length).toBe(2);
    expect(listed.slice(0, 200).map(({ id }) => id)).toEqual(before.slice(-200).toReversed());
    expect(listed.length).toBe(202);
    await addBucket(fixture.context, { userId, name: 'of-the-tests', isMade: false });
    const attempt = {
      bucket: 'of-the-tests',
      key: 'a',
      action: 'write',
      address: undefined,
      now: fixture.now,
    } as const;
    expect((await explainAccess(fixture.context, userId, attempt)).verdicts.length).toBe(202);
  });

  it('are revoked again however long ago that was', async () => {
    const [{ id } = { id: 0 }] = await fixture.context.database.rows<{ id: number }>({
      name: 'first-of-the-tests',
      text: 'SELECT min(id) AS id FROM infrastructure.sub_token',
    });
    expect(await revokeSubToken(fixture.context, userId, id)).toMatchObject({ id, status: 'revoked' });
  });

  it('are listed with parents that were revoked before all others', async () => {
    const parent = await createSubToken(fixture.context, userId, INPUTS);
    const child = await createSubToken(fixture.context, userId, { ...INPUTS, parentId: parent.id });
    await revokeSubToken(fixture.context, userId, parent.id);
    await addEnded(300, new Date(fixture.nowMs + 2 * DAY_MS));
    const listed = await listSubTokens(fixture.context, userId);
    const status = (id: number) => listed.find((token) => token.id === id)?.status;
    expect([status(child.id), status(parent.id)]).toEqual(['disabled', 'revoked']);
  });
});

describe('new sub-tokens', () => {
  it('are at most four hundred a day, revoked ones among them', async () => {
    const { userId: other } = await fixture.tenant('1');
    const made = await addEnded(399, fixture.now, other);
    await fixture.context.database.change((transaction) =>
      transaction.execute('UPDATE infrastructure.sub_token SET created_at = $1 WHERE id = ANY($2)', [
        fixture.now,
        made,
      ]),
    );
    expect((await createSubToken(fixture.context, other, INPUTS)).secret).toMatch(/^arp_s3_/);
    expect(await createSubToken(fixture.context, other, INPUTS).catch(errorCode)).toBe('RATE_LIMITED');
    expect(await listSubTokens(fixture.context, other)).toContainEqual(expect.objectContaining({ revokedAt: null }));
  });
});
