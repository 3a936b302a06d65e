import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { Accesses } from '../grant/effective-access.rules.js';
import { LIVE_GRANTS } from '../grant/grant.actions.js';
import { checkBucket, checkSubToken } from './size.rules.js';

interface Added {
  readonly userId: number;
  readonly now: Date;
  readonly ofSubToken?: number;
  readonly ofBucket?: string;
}

const BUCKET_NAMES = query('bucket-names', (db: Tables, value: { userId: number }) =>
  db.selectFrom('bucket').select('name').where('userId', '=', value.userId),
);

/** Checks the policy sizes after an addition, under the owner's lock. @throws CONFLICT */
export async function checkSize(transaction: Transaction, { userId, now, ofSubToken, ofBucket }: Added): Promise<void> {
  const accesses = new Accesses(await transaction.run(LIVE_GRANTS, { userId }), now);
  if (ofBucket !== undefined) checkBucket(accesses, ofBucket);
  const grant = accesses.grants.find(({ id }) => id === ofSubToken);
  if (!grant) return;
  const buckets = await transaction.run(BUCKET_NAMES, { userId });
  checkSubToken(
    accesses,
    grant,
    buckets.map(({ name }) => name),
  );
}
