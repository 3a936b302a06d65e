import type { Transaction } from './database.js';

/** Runs the work in a savepoint. If it throws, its changes are rolled back, and the transaction can continue. @throws what the work throws */
export async function inSavepoint<Result>(
  transaction: Pick<Transaction, 'execute'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await transaction.execute('SAVEPOINT attempt');
  try {
    return await work();
  } catch (error) {
    // On a broken connection this fails too, and the cause is the first error.
    await transaction.execute('ROLLBACK TO SAVEPOINT attempt').catch(() => undefined);
    throw error;
  }
}
