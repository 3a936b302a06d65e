import { sql } from 'kysely';
import { batched } from '../../../../kernel/concurrency/batched.js';
import { query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { STATEMENT_COLUMNS, statementPage } from './statement.actions.js';
import type { StatementLine } from './statement.js';
import type { StatementRange } from './statement.rules.js';

/** A page of the transfers of one subject. */
interface ChargesKey extends StatementRange {
  /** A value of the SQL function `accounts.transfer_subject`. */
  readonly subject: string;
}

interface ChargesRequest {
  readonly userId: number;
  readonly subjects: readonly string[];
  readonly belows: readonly string[];
  readonly limits: readonly number[];
}

/** The lines of a subject are in the order of its transfers, so the index provides the order. */
const CHARGES = query('charges-of-subjects', (db: Tables, value: ChargesRequest) =>
  db
    .selectFrom(
      sql<{ subject: string; below: string; lines: number; place: number }>`
        unnest(${value.subjects}::text[], ${value.belows}::bigint[], ${value.limits}::integer[])
        WITH ORDINALITY`.as<'asked'>(sql`asked (subject, below, lines, place)`),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('transfer as t')
          .innerJoin('entry as e', 'e.transferId', 't.id')
          .innerJoin('ledgerAccount as a', 'a.id', 'e.ledgerAccountId')
          .select(STATEMENT_COLUMNS)
          .where(sql<boolean>`accounts.transfer_subject(t.source, t.reference, t.link) = asked.subject`)
          .where('e.userId', '=', value.userId)
          .where('e.position', '<', sql<string>`asked.below`)
          .where(
            't.id',
            '<=',
            sql<string>`coalesce((SELECT last.transfer_id FROM accounts.entry last
              WHERE last.user_id = ${value.userId} AND last.position = asked.below), 9223372036854775807)`,
          )
          .orderBy('t.id', 'desc')
          .orderBy('e.position', 'desc')
          .limit(sql<number>`asked.lines`)
          .as('line'),
      (on) => on.onTrue(),
    )
    .select([
      sql<number>`asked.place::integer`.as('place'),
      'line.cursor',
      'line.amount',
      'line.isDebt',
      'line.balance',
      'line.debt',
      'line.source',
      'line.kind',
      'line.reason',
      'line.link',
      'line.createdAt',
      'line.subjectId',
    ])
    .orderBy('asked.place')
    .orderBy(sql`line.cursor::bigint`, 'desc'),
);

/** A page of the viewer's transfers of a subject, newest first; empty for subjects of other users. */
export const chargesOf = batched(async ({ viewer, database }: Context, keys: readonly ChargesKey[]) => {
  const rows = await database.run(CHARGES, {
    userId: requireUser(viewer).userId,
    subjects: keys.map(({ subject }) => subject),
    belows: keys.map(({ below }) => below),
    limits: keys.map(({ lines }) => lines + 1),
  });
  const found = keys.map((): StatementLine[] => []);
  for (const { place, ...line } of rows) found[place - 1]?.push(line);
  return keys.map((key, index) => statementPage(found[index] ?? [], key));
});
