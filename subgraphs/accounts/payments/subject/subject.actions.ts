import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { StatementLine } from '../../ledger/statement/statement.js';
import type { AccountsContext } from '../../services.js';
import { transactionsById } from '../transaction/list.actions.js';

/** The object of a statement line with the name of its GraphQL type; null if it has none. */
export async function subjectOf(
  context: AccountsContext,
  { source, subjectId }: Pick<StatementLine, 'source' | 'subjectId'>,
): Promise<object | null> {
  if (subjectId == null) return null;
  if (source === 'vm') return { __typename: 'VmInstance', uuid: subjectId };
  if (source !== 'payment' && source !== 'deposit') return null;
  const transaction = await findTransaction(context, subjectId);
  return transaction ? { __typename: 'Transaction', ...transaction } : null;
}

const findTransaction = batched(async ({ viewer, database, services }: AccountsContext, ids: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  const { label } = services.config.payments;
  return inOrder(ids, await transactionsById(database, { userId: viewer.userId, label, ids }), ({ id }) => id);
});
