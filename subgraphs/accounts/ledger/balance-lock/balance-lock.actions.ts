import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';

/**
 * The common table `own`: locks the row with the user's balance until the transaction ends, and reads it with the debt account.
 * Statements that only add entries or a hold do not need it: their triggers update that row, which locks it too.
 */
export function lockedBalance(userId: number): RawBuilder<unknown> {
  return sql`own AS (
    SELECT c.id, c.balance - c.held AS available, c.debt, d.id AS debt_id
      FROM accounts.ledger_account c JOIN accounts.ledger_account d ON d.debtor_id = c.user_id
     WHERE c.user_id = ${userId} FOR NO KEY UPDATE OF c)`;
}

const LOCK_DEBT = query('lock-debt-to-pay', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('ledgerAccount')
    .select(sql<string>`least(debt, balance - held)::text`.as('credits'))
    .where('userId', '=', value.userId)
    .where('debt', '>', sql.lit('0'))
    .whereRef('balance', '>', 'held')
    .forNoKeyUpdate(),
);

/** Locks the balance of a user who has debt and can pay it. Returns the credits to pay; undefined: none. */
export async function lockPayableDebt(transaction: Transaction, userId: number): Promise<string | undefined> {
  const [due] = await transaction.run(LOCK_DEBT, { userId });
  return due?.credits;
}
