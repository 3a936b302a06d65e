import type { Database, Transaction } from '../../../kernel/database.js';
import { postTransfer } from '../ledger/ledger.actions.js';

const CODE_OF = { name: 'referral-code', text: 'SELECT referral_code AS code FROM accounts.user WHERE id = $1' };
const REWARD = {
  name: 'referral-reward',
  text: 'SELECT trim_scale(credits)::text AS credits FROM accounts.referral_reward',
};

/** The code by which this user brings others; null when there is no such user. */
export async function referralCodeOf(database: Database, userId: number): Promise<string | null> {
  const [row] = await database.rows<{ code: string }>(CODE_OF, [userId]);
  return row?.code ?? null;
}

/** Credits that both sides of a referral are given, exact decimal; "0": none. */
export async function findReferralReward(database: Database): Promise<string> {
  const [row] = await database.rows<{ credits: string }>(REWARD);
  return row?.credits ?? '0';
}

/** Decides what a referral earns from now on. @param credits exact decimal, not below zero */
export function setReferralReward(database: Database, credits: string): Promise<string> {
  return database.change(async (transaction) => {
    const [row] = await transaction.execute<{ credits: string }>(
      'UPDATE accounts.referral_reward SET credits = $1 RETURNING trim_scale(credits)::text AS credits',
      [credits],
    );
    return row?.credits ?? '0';
  });
}

/** Those one user brings and both sides are rewarded for. */
const MOST_REWARDED = 100;

/** Keeps who brought a new user and rewards both, within the sign-in that made the account; an unknown code is nothing. */
export async function rewardReferral(
  transaction: Transaction,
  { code, userId }: { readonly code: string; readonly userId: number },
  now: Date,
): Promise<void> {
  const [referrer] = await transaction.execute<{ id: number; credits: string; before: number }>(
    `UPDATE accounts.user new SET referred_by = old.id
       FROM accounts.user old, accounts.referral_reward r
      WHERE new.id = $1 AND new.referred_by IS NULL AND old.referral_code = $2 AND old.id <> new.id
      RETURNING old.id, r.credits::text AS credits,
        (SELECT count(*) FROM accounts.user u WHERE u.referred_by = old.id)::integer AS before`,
    [userId, code],
  );
  if (!referrer || !/[1-9]/.test(referrer.credits) || referrer.before >= MOST_REWARDED) return;
  const sides = [
    { kind: 'referee', userId, reason: 'You came by a referral.' },
    { kind: 'referrer', userId: referrer.id, reason: 'Somebody came by your referral code.' },
  ];
  for (const side of sides) {
    const transfer = { source: 'referral', reference: String(userId), credits: referrer.credits, ...side };
    await postTransfer(transaction, transfer, now);
  }
}
