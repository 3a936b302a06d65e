import type { Database } from '../../../../kernel/database/database.js';
import type { Statement, StatementLine } from './statement.js';
import type { Stretch } from './statement.rules.js';

/** Each line stores the totals after it, so the cost of a page does not depend on its position. */
export const STATEMENT_LINES = {
  name: 'statement-lines',
  text: `
    SELECT e.position::text AS cursor, trim_scale(e.amount)::text AS amount, a.user_id IS NULL AS "isDebt",
           trim_scale(e.balance_after)::text AS balance, trim_scale(e.debt_after)::text AS debt,
           t.source, t.kind, t.reason, coalesce(t.link, t.reference) AS link, t.created_at AS "createdAt"
      FROM accounts.entry e
      JOIN accounts.transfer t ON t.id = e.transfer_id
      JOIN accounts.ledger_account a ON a.id = e.ledger_account_id
     WHERE e.user_id = $1 AND e.position < $2::bigint
     ORDER BY e.position DESC LIMIT $3`,
};

/** A page of the user's statement, newest first. */
export async function statementOf(database: Database, userId: number, stretch: Stretch): Promise<Statement> {
  const found = await database.rows<StatementLine>(STATEMENT_LINES, [userId, stretch.below, stretch.lines + 1]);
  const lines = found.slice(0, stretch.lines);
  return { lines, next: found.length > lines.length ? (lines.at(-1)?.cursor ?? null) : null };
}
