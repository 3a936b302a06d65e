import type { Transaction } from '../../../../kernel/database/database.js';
import { changeForOwner } from '../../folders/owner/owner-semaphore.js';
import type { SyncContext } from '../../services.js';

/** Runs a transaction of an owner, as `changeForOwner` does. */
export type Change = <Result>(
  ownerAddress: string,
  write: (transaction: Transaction) => Promise<Result>,
) => Promise<Result>;

/**
 * Runs the work, which makes the rows of new objects by `change`; removes the objects if it fails before COMMIT. A COMMIT
 * without an answer may have taken effect: the objects stay, and the cleanup collects those without a row.
 */
export async function orRemove<Result>(
  context: Pick<SyncContext, 'database' | 'services'>,
  keys: readonly string[],
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  let isCommitting = false;
  const change: Change = (ownerAddress, write) =>
    changeForOwner(context, ownerAddress, async (transaction) => {
      const result = await write(transaction);
      isCommitting = true;
      return result;
    });
  try {
    return await work(change);
  } catch (error) {
    if (!isCommitting) for (const key of keys) await context.services.blobs.remove(key).catch(() => undefined);
    throw error;
  }
}
