import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { AccountsContext } from '../../services.js';

const SIMULATED = query('transactions-simulated', (db: Tables, value: { userId: number; ids: readonly string[] }) =>
  db
    .selectFrom('transaction as t')
    .leftJoin('payment as p', (join) => join.onRef('p.userId', '=', 't.userId').onRef('p.transactionId', '=', 't.id'))
    .leftJoin('deposit as d', (join) => join.onRef('d.userId', '=', 't.userId').onRef('d.transactionId', '=', 't.id'))
    .select(['t.id', sql<boolean | null>`coalesce(p.is_simulated, d.chain LIKE 'sandbox-%')`.as('isSimulated')])
    .where('t.userId', '=', value.userId)
    .where('t.id', '=', anyOf(value.ids)),
);

/** Whether the viewer's transaction with this id was made with test money, read in a batch; null if unknown. */
export const findSimulated = batched(async ({ viewer, database }: AccountsContext, ids: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  return inOrder(ids, await database.run(SIMULATED, { userId: viewer.userId, ids }), ({ id }) => id);
});
