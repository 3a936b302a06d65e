import { sql } from 'kysely';
import { batched, oncePerKey } from '../../../../kernel/concurrency/batched.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { inSavepoint } from '../../../../kernel/database/savepoint.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { postTransfer } from '../../ledger/transfer/transfer.actions.js';

const CODE_OF = query('referral-code', (db: Tables, value: { userId: number }) =>
  db.selectFrom('user').select('referralCode').where('id', '=', value.userId),
);

const CREDITS = sql<string>`trim_scale(credits)::text`.as('credits');

const REWARD = query('referral-reward', (db: Tables) => db.selectFrom('referralReward').select(CREDITS));

const SET_REWARD = query('set-referral-reward', (db: Tables, value: { credits: string }) =>
  db.updateTable('referralReward').set({ credits: value.credits }).returning(CREDITS),
);

/** The user's referral code; undefined for an unknown user. */
export const loadReferralCode = batched<Context, number, string>(
  oncePerKey(async ({ database }, userId) => {
    const [row] = await database.run(CODE_OF, { userId });
    return row?.referralCode ?? undefined;
  }),
);

/** Credits that both users of a referral receive, exact decimal; "0" for none. */
export async function findReferralReward(database: Database): Promise<string> {
  const [row] = await database.run(REWARD, {});
  return row?.credits ?? '0';
}

/** Sets the reward of new referrals. @param credits exact decimal, 0 to 1000 */
export function setReferralReward(database: Database, credits: string): Promise<string> {
  return database.change(async (transaction) => {
    const [row] = await transaction.run(SET_REWARD, { credits });
    return row?.credits ?? '0';
  });
}

/** Maximum rewarded referrals per user. */
const MAX_REWARDED = 100;

const SET_REFERRER = query('set-referrer', (db: Tables, value: { userId: number; code: string }) =>
  db
    .updateTable('user as referee')
    .from(['user as referrer', 'referralReward as r'])
    .set((eb) => ({ referredBy: eb.ref('referrer.id') }))
    .where('referee.id', '=', value.userId)
    .where('referee.referredBy', 'is', null)
    .where('referrer.referralCode', '=', value.code)
    .whereRef('referrer.id', '<>', 'referee.id')
    .returning((eb) => ['referrer.id', eb.cast<string>('r.credits', 'text').as('credits')]),
);

const COUNT_REFERRAL = query('count-rewarded-referral', (db: Tables, value: { userId: number }) =>
  db
    .updateTable('user')
    .set((eb) => ({ rewardedReferrals: eb('rewardedReferrals', '+', sql.lit(1)) }))
    .where('id', '=', value.userId)
    .where('rewardedReferrals', '<', sql.lit(MAX_REWARDED))
    .returning('id'),
);

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
  const [referrer] = await transaction.run(SET_REFERRER, { userId, code });
  if (!referrer || !/[1-9]/.test(referrer.credits)) return;
  const counted = await transaction.run(COUNT_REFERRAL, { userId: referrer.id });
  if (counted.length === 0) return;
  const sides = [
    { kind: 'referee', userId, reason: 'You signed up with a referral code.' },
    { kind: 'referrer', userId: referrer.id, reason: 'A new user signed up with your referral code.' },
  ];
  for (const side of sides) {
    const transfer = { source: 'referral', reference: String(userId), credits: referrer.credits, ...side };
    await inSavepoint(transaction, () => postTransfer(transaction, transfer, now)).catch((error: unknown) =>
      log.warn({ err: error, userId: side.userId }, 'the ledger refused the reward of a referral'),
    );
  }
}
