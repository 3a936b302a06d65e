import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';
import { fromBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../chain/token.rules.js';

const PAID = query('transactions-paid', (db: Tables, value: { userId: number; ids: readonly string[] }) =>
  db
    .selectFrom('transaction as t')
    .leftJoin('payment as p', (join) => join.onRef('p.userId', '=', 't.userId').onRef('p.transactionId', '=', 't.id'))
    .leftJoin('deposit as d', (join) => join.onRef('d.userId', '=', 't.userId').onRef('d.transactionId', '=', 't.id'))
    .select(['t.id', 'd.token', 'd.received'])
    .select([
      sql<boolean | null>`coalesce(p.is_simulated, d.chain LIKE 'sandbox-%')`.as('isSimulated'),
      sql<string | null>`CASE WHEN d.credits > 0 THEN trim_scale(d.credits)::text
                              WHEN p.reference IS NOT NULL THEN trim_scale(p.credits)::text END`.as('creditsGranted'),
    ])
    .where('t.userId', '=', value.userId)
    .where('t.id', '=', anyOf(value.ids)),
);

/** What was paid for the viewer's transaction with this id, and what it granted, read in a batch. Unknown parts are null. */
export const findPaid = batched(async ({ viewer, database }: AccountsContext, ids: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  const rows = await database.run(PAID, { userId: viewer.userId, ids });
  const paid = rows.map(({ token, received, ...row }) => ({ ...row, received: decimal(received, token) }));
  return inOrder(ids, paid, ({ id }) => id);
});

function decimal(units: string | null, token: DepositToken | null): string | null {
  return units === null || token === null ? null : fromBaseUnits(BigInt(units), TOKEN_DECIMALS[token]);
}
