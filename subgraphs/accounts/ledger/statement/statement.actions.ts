import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { cursorPage } from '../../../../kernel/paging/paging.js';
import type { Tables } from '../../entities.js';
import type { Statement, StatementLine } from './statement.js';
import type { StatementRange } from './statement.rules.js';

/** The columns of a line: `e` is its entry, `t` the transfer, `a` the account. */
export const STATEMENT_COLUMNS = [
  sql<string>`e.position::text`.as('cursor'),
  sql<string>`trim_scale(e.amount)::text`.as('amount'),
  sql<boolean>`a.user_id IS NULL`.as('isDebt'),
  sql<string>`trim_scale(e.balance_after)::text`.as('balance'),
  sql<string>`trim_scale(e.debt_after)::text`.as('debt'),
  't.source',
  't.kind',
  't.reason',
  sql<string>`coalesce(t.link, t.reference)`.as('link'),
  't.createdAt',
  sql<string | null>`accounts.transfer_subject(t.source, t.reference, t.link)`.as('subjectId'),
] as const;

/** Each line stores the totals after it, so the cost of a page does not depend on its position. */
export const STATEMENT_LINES = query(
  'statement-lines',
  (db: Tables, value: { userId: number; below: string; limit: number }) =>
    db
      .selectFrom('entry as e')
      .innerJoin('transfer as t', 't.id', 'e.transferId')
      .innerJoin('ledgerAccount as a', 'a.id', 'e.ledgerAccountId')
      .select(STATEMENT_COLUMNS)
      .where('e.userId', '=', value.userId)
      .where('e.position', '<', sql<string>`${value.below}::bigint`)
      .orderBy('e.position', 'desc')
      .limit(value.limit),
);

/** A page of the user's statement, newest first. */
export async function statementOf(database: Database, userId: number, page: StatementRange): Promise<Statement> {
  const found = await database.run(STATEMENT_LINES, { userId, below: page.below, limit: page.lines + 1 });
  return statementPage(found, page);
}

/** The page of lines that were read with one more than the page size. */
export function statementPage(found: readonly StatementLine[], page: StatementRange): Statement {
  const { results, nextCursor } = cursorPage(found, page.lines, ({ cursor }) => cursor);
  return { lines: results, next: nextCursor };
}
