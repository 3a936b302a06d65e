import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { StatementDays } from './days.js';
import { daysPage } from './days.rules.js';
import type { StatementRange } from './statement.rules.js';

/** Maximum lines read for a page. A machine has 1,440 lines a day; this keeps a page below 0.1 s. */
const MAX_LINES = 20_000;

/** A line belongs to the earliest day among it and newer lines, so that the lines of a day are consecutive. */
const STATEMENT_DAYS = query('statement-days', (db: Tables, value: { userId: number; below: string; limit: number }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('entry as e')
        .innerJoin('transfer as t', 't.id', 'e.transferId')
        .innerJoin('ledgerAccount as a', 'a.id', 'e.ledgerAccountId')
        .select([
          sql<string>`min((t.created_at AT TIME ZONE 'UTC')::date) OVER (ORDER BY e.position DESC)`.as('day'),
          'e.position',
          'e.amount',
          'e.balanceAfter as balance',
          sql<boolean>`a.user_id IS NULL`.as('isDebt'),
          't.source',
          't.kind',
          't.reason',
          sql<string | null>`accounts.transfer_subject(t.source, t.reference, t.link)`.as('subjectId'),
        ])
        .where('e.userId', '=', value.userId)
        .where('e.position', '<', sql<string>`${value.below}::bigint`)
        .orderBy('e.position', 'desc')
        .limit(value.limit)
        .as('line'),
    )
    .select([
      sql<string>`line.day::text`.as('day'),
      'line.isDebt',
      'line.source',
      'line.kind',
      'line.reason',
      'line.subjectId',
      sql<string>`max(line.position)::text`.as('cursor'),
      sql<string>`min(line.position)::text`.as('lowest'),
      sql<number>`count(*)::integer`.as('lines'),
      sql<string>`trim_scale(sum(line.amount))::text`.as('amount'),
      sql<string>`trim_scale((array_agg(line.balance ORDER BY line.position DESC))[1])::text`.as('balance'),
    ])
    .groupBy(['line.day', 'line.isDebt', 'line.source', 'line.kind', 'line.reason', 'line.subjectId'])
    .orderBy('line.day', 'desc')
    .orderBy(sql`max(line.position)`, 'desc'),
);

/** A page of the days of the user's statement, newest first. */
export async function statementDaysOf(
  database: Database,
  userId: number,
  stretch: StatementRange,
): Promise<StatementDays> {
  const groups = await database.run(STATEMENT_DAYS, { userId, below: stretch.below, limit: MAX_LINES });
  return daysPage(groups, { first: stretch.lines, maxLines: MAX_LINES });
}
