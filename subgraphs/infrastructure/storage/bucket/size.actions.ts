import type { Transaction } from '../../../../kernel/database/database.js';
import { Accesses } from '../grant/effective-access.rules.js';
import type { Grant } from '../grant/grant.js';
import { LIVE_GRANTS } from '../grant/grant.actions.js';
import { checkBucket, checkSubToken } from './size.rules.js';

interface Added {
  readonly userId: number;
  readonly now: Date;
  readonly ofSubToken?: number;
  readonly ofBucket?: string;
}

/** Checks the policy sizes after an addition, under the owner's lock. @throws CONFLICT */
export async function checkSize(transaction: Transaction, { userId, now, ofSubToken, ofBucket }: Added): Promise<void> {
  const accesses = new Accesses(await transaction.execute<Grant>(LIVE_GRANTS.text, [userId]), now);
  if (ofBucket !== undefined) checkBucket(accesses, ofBucket);
  const grant = accesses.grants.find(({ id }) => id === ofSubToken);
  if (!grant) return;
  const buckets = await transaction.execute<{ name: string }>(
    'SELECT name FROM infrastructure.bucket WHERE user_id = $1',
    [userId],
  );
  checkSubToken(
    accesses,
    grant,
    buckets.map(({ name }) => name),
  );
}
