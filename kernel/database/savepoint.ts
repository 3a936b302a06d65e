import type { Transaction } from './database.js';

/** Runs the work in a savepoint. If it throws, its changes are rolled back, and the transaction can continue. @throws what the work throws */
export async function inSavepoint<Result>(
  transaction: Pick<Transaction, 'execute'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await transaction.execute('SAVEPOINT attempt');
  try {
    const result = await work();
    await transaction.execute('RELEASE SAVEPOINT attempt');
    return result;
  } catch (error) {
    // On a broken connection this fails too, and the cause is the first error.
    await rollBack(transaction).catch(() => undefined);
    throw error;
  }
}

/** Rolls back and releases the savepoint: one that is left hides those outside it, which have the same name. */
async function rollBack(transaction: Pick<Transaction, 'execute'>): Promise<void> {
  await transaction.execute('ROLLBACK TO SAVEPOINT attempt');
  await transaction.execute('RELEASE SAVEPOINT attempt');
}
