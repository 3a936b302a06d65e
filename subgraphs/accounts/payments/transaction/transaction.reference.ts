import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import type { AccountsContext } from '../../services.js';
import { transactionsById } from './list.actions.js';

/** The viewer's transaction with this id, read in a batch; undefined if it does not exist or belongs to another user. */
export const findTransaction = batched(
  async ({ viewer, database, services }: AccountsContext, ids: readonly string[]) => {
    if (viewer.kind !== 'user') return [];
    const { label } = services.config.payments;
    return inOrder(ids, await transactionsById(database, { userId: viewer.userId, label, ids }), ({ id }) => id);
  },
);

/** Resolves a transaction by key; null if it does not exist or belongs to another user. */
export const transactionReference: ReferenceResolver = async ({ id }, context) => {
  const uuid = typeof id === 'string' ? uuidOf(id) : null;
  return uuid === null ? null : ((await findTransaction(context as AccountsContext, uuid)) ?? null);
};
