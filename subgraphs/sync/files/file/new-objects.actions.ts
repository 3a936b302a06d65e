import { unaudited } from '../../../../kernel/audit/audited.js';
import type { Transaction } from '../../../../kernel/database/database.js';
import { discardObjects } from '../../blob-store/blob/discard.actions.js';
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
  context: Pick<SyncContext, 'database' | 'services' | 'now'>,
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
    if (!isCommitting) await removeNewObjects(context, keys);
    throw error;
  }
}

/**
 * Removes objects without rows: one at once, several by the next cleanup, because the caller waits for an error. Never rejects:
 * what cannot be removed is collected later.
 */
export async function removeNewObjects(
  { database, services, now }: Pick<SyncContext, 'database' | 'services' | 'now'>,
  keys: readonly string[],
): Promise<void> {
  const [first, ...others] = keys;
  if (first === undefined) return;
  const removal =
    others.length === 0
      ? services.blobs.remove(first)
      : unaudited(database).change((transaction) => discardObjects(transaction, keys, now()));
  await removal.catch(() => undefined);
}
