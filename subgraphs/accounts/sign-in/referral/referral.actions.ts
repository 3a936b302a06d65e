import type { Database, Transaction } from '../../../../kernel/database/database.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { postTransfer } from '../../ledger/ledger/ledger.actions.js';

const CODE_OF = { name: 'referral-code', text: 'SELECT referral_code AS code FROM accounts.user WHERE id = $1' };
const REWARD = {
  name: 'referral-reward',
  text: 'SELECT trim_scale(credits)::text AS credits FROM accounts.referral_reward',
};

/** The user's referral code; null for an unknown user. */
export async function referralCodeOf(database: Database, userId: number): Promise<string | null> {
  const [row] = await database.rows<{ code: string }>(CODE_OF, [userId]);
  return row?.code ?? null;
}

/** Credits that both users of a referral receive, exact decimal; "0" for none. */
export async function findReferralReward(database: Database): Promise<string> {
  const [row] = await database.rows<{ credits: string }>(REWARD);
  return row?.credits ?? '0';
}

/** Sets the reward of new referrals. @param credits exact decimal, 0 to 1000 */
export function setReferralReward(database: Database, credits: string): Promise<string> {
  return database.change(async (transaction) => {
    const [row] = await transaction.execute<{ credits: string }>(
      'UPDATE accounts.referral_reward SET credits = $1 RETURNING trim_scale(credits)::text AS credits',
      [credits],
    );
    return row?.credits ?? '0';
  });
}

/** Maximum rewarded referrals per user. */
const MAX_REWARDED = 100;

/**
 * Records the referrer of a new user and rewards both, in the transaction of the sign-in. It never fails the sign-in: an
 * unknown code is ignored, a referrer above the maximum gives no reward, and a user whose reward the ledger
 * refuses gets none.
 */
export async function rewardReferral(
  transaction: Transaction,
  { code, userId }: { readonly code: string; readonly userId: number },
  { log, now }: { readonly log: Logger; readonly now: Date },
): Promise<void> {
  const [referrer] = await transaction.execute<{ id: number; credits: string }>(
    `UPDATE accounts.user new SET referred_by = old.id
       FROM accounts.user old, accounts.referral_reward r
      WHERE new.id = $1 AND new.referred_by IS NULL AND old.referral_code = $2 AND old.id <> new.id
      RETURNING old.id, r.credits::text AS credits`,
    [userId, code],
  );
  if (!referrer || !/[1-9]/.test(referrer.credits)) return;
  const counted = await transaction.execute<object>(
    `UPDATE accounts.user SET rewarded_referrals = rewarded_referrals + 1
      WHERE id = $1 AND rewarded_referrals < ${MAX_REWARDED} RETURNING id`,
    [referrer.id],
  );
  if (counted.length === 0) return;
  const sides = [
    { kind: 'referee', userId, reason: 'You signed up with a referral code.' },
    { kind: 'referrer', userId: referrer.id, reason: 'A new user signed up with your referral code.' },
  ];
  for (const side of sides) {
    const transfer = { source: 'referral', reference: String(userId), credits: referrer.credits, ...side };
    await transaction.execute('SAVEPOINT reward');
    await postTransfer(transaction, transfer, now).catch(async (error: unknown) => {
      await transaction.execute('ROLLBACK TO SAVEPOINT reward');
      log.warn({ err: error, userId: side.userId }, 'the ledger refused the reward of a referral');
    });
    await transaction.execute('RELEASE SAVEPOINT reward');
  }
}
