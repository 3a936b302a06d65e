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

let room: MachineFixture;
let userId: number;
beforeAll(async () => {
  room = await MachineFixture.open();
  ({ userId } = await room.tenant('1'));
}, 60_000);
afterAll(() => room.close());

/** Sub-tokens that ended a day ago, as many as a user has after some years. @returns their ids, oldest first */
async function addEnded(count: number, revokedAt: Date | null, owner = userId): Promise<number[]> {
  const rows = await room.context.database.change((transaction) =>
    transaction.execute<{ id: number }>(
      `INSERT INTO infrastructure.sub_token (user_id, name, access_key_id, secret_hash, last_four, is_all_buckets, actions, prefixes,
                                             addresses, expires_at, revoked_at, created_at)
       SELECT $1, 'old', gen_random_uuid()::text, gen_random_uuid()::text, 'abcd', true, '{read}', '{}', '{}', $2::timestamptz,
              $3::timestamptz + n * interval '1 second', $2::timestamptz - interval '1 day' FROM generate_series(1, $4) n RETURNING id`,
      [owner, new Date(room.nowMs - DAY_MS), revokedAt, count],
    ),
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

describe('sub-tokens that ended', () => {
  it('are kept until there are a thousand that were not revoked', async () => {
    const ended = await addEnded(999, null);
    await createSubToken(room.context, userId, INPUTS);
    expect(await createSubToken(room.context, userId, INPUTS).catch(errorCode)).toBe('CONFLICT');
    await revokeSubToken(room.context, userId, ended[0] ?? 0);
    expect((await createSubToken(room.context, userId, INPUTS)).secret).toMatch(/^arp_s3_/);
    await room.context.database.change((transaction) =>
      transaction.execute(
        `UPDATE infrastructure.sub_token SET revoked_at = $1 WHERE name = 'old' AND revoked_at IS NULL`,
        [room.now],
      ),
    );
  });

  it('are listed as revoked up to two hundred, the last ones, and so are reasons', async () => {
    const before = await addEnded(300, new Date(room.nowMs + DAY_MS));
    const listed = await listSubTokens(room.context, userId);
    expect(listed.filter(({ revokedAt }) => revokedAt === null).length).toBe(2);
    expect(listed.slice(0, 200).map(({ id }) => id)).toEqual(before.slice(-200).toReversed());
    expect(listed.length).toBe(202);
    await addBucket(room.context, { userId, name: 'of-the-tests', isMade: false });
    const attempt = { bucket: 'of-the-tests', key: 'a', action: 'write', address: undefined, now: room.now } as const;
    expect((await explainAccess(room.context, userId, attempt)).verdicts.length).toBe(202);
  });

  it('are revoked again however long ago that was', async () => {
    const [{ id } = { id: 0 }] = await room.context.database.rows<{ id: number }>({
      name: 'first-of-the-tests',
      text: 'SELECT min(id) AS id FROM infrastructure.sub_token',
    });
    expect(await revokeSubToken(room.context, userId, id)).toMatchObject({ id, status: 'revoked' });
  });

  it('are listed with parents that were revoked before all others', async () => {
    const parent = await createSubToken(room.context, userId, INPUTS);
    const child = await createSubToken(room.context, userId, { ...INPUTS, parentId: parent.id });
    await revokeSubToken(room.context, userId, parent.id);
    await addEnded(300, new Date(room.nowMs + 2 * DAY_MS));
    const listed = await listSubTokens(room.context, userId);
    const status = (id: number) => listed.find((token) => token.id === id)?.status;
    expect([status(child.id), status(parent.id)]).toEqual(['disabled', 'revoked']);
  });
});

describe('new sub-tokens', () => {
  it('are at most four hundred a day, revoked ones among them', async () => {
    const { userId: other } = await room.tenant('1');
    const made = await addEnded(399, room.now, other);
    await room.context.database.change((transaction) =>
      transaction.execute('UPDATE infrastructure.sub_token SET created_at = $1 WHERE id = ANY($2)', [room.now, made]),
    );
    expect((await createSubToken(room.context, other, INPUTS)).secret).toMatch(/^arp_s3_/);
    expect(await createSubToken(room.context, other, INPUTS).catch(errorCode)).toBe('RATE_LIMITED');
    expect(await listSubTokens(room.context, other)).toContainEqual(expect.objectContaining({ revokedAt: null }));
  });
});
