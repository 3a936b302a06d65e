import type { StatementLine } from '../../ledger/statement/statement.js';
import type { AccountsContext } from '../../services.js';
import { findTransaction } from '../transaction/transaction.reference.js';

/** The object of a statement line with the name of its GraphQL type; null if it has none. */
export async function subjectOf(
  context: AccountsContext,
  { source, subjectId }: Pick<StatementLine, 'source' | 'subjectId'>,
): Promise<object | null> {
  if (subjectId == null) return null;
  if (source === 'vm') return { __typename: 'VmInstance', uuid: subjectId };
  if (source === 'storage') return { __typename: 'StorageCharge', id: subjectId };
  if (source !== 'payment' && source !== 'deposit') return null;
  const transaction = await findTransaction(context, subjectId);
  return transaction ? { __typename: 'Transaction', ...transaction } : null;
}
