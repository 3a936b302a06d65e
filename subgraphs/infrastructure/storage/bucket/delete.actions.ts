import type { Transaction } from '../../../../kernel/database/database.js';
import { conflict, unavailable } from '../../../../kernel/errors.js';
import type { InfrastructureContext } from '../../services.js';
import { lockOwner } from './bucket.actions.js';
import type { BucketStore } from './bucket-store.js';
import { StoreFault } from './store-fault.js';

interface OwnBucket {
  readonly id: number;
  /** Whether the bucket in the store was created for its owner or assigned by an administrator. */
  readonly isInStore: boolean;
}

/**
 * Deletes a bucket, also in the store. Safe to repeat. @returns whether it existed
 * @throws CONFLICT while an unrevoked sub-token refers to it and while it has objects, UNAVAILABLE
 */
export async function deleteBucket(context: InfrastructureContext, userId: number, name: string): Promise<boolean> {
  const { database, services } = context;
  const bucket = await database.change((transaction) => lockUnused(transaction, userId, name));
  if (!bucket) return false;
  if (services.store && bucket.isInStore) await removeFrom(services.store, name);
  return database.change(async (transaction) => {
    const left = await lockUnused(transaction, userId, name);
    if (left?.id !== bucket.id) return false;
    await transaction.execute('DELETE FROM infrastructure.sub_token_bucket WHERE bucket_id = $1', [left.id]);
    await transaction.execute('DELETE FROM infrastructure.bucket WHERE id = $1', [left.id]);
    return true;
  });
}

const OWN = `
  SELECT id, is_made OR is_absent_seen AS "isInStore" FROM infrastructure.bucket WHERE user_id = $1 AND name = $2 FOR UPDATE`;
const NAMED = `
  SELECT FROM infrastructure.sub_token_bucket s JOIN infrastructure.sub_token t ON t.id = s.sub_token_id
   WHERE s.bucket_id = $1 AND t.revoked_at IS NULL LIMIT 1`;

/** Locks the bucket under the owner's lock, so that no sub-token can refer to it meanwhile. @throws CONFLICT when one does */
async function lockUnused(transaction: Transaction, userId: number, name: string): Promise<OwnBucket | undefined> {
  await lockOwner(transaction, userId);
  const [bucket] = await transaction.execute<OwnBucket>(OWN, [userId, name]);
  if (bucket && (await transaction.execute(NAMED, [bucket.id])).length > 0)
    throw conflict('Sub-tokens refer to this bucket: revoke them first.');
  return bucket;
}

async function removeFrom(store: BucketStore, name: string): Promise<void> {
  const isEmpty = await store.remove(name).catch((error: unknown) => {
    if (!(error instanceof StoreFault)) throw error;
    throw error.kind === 'unreachable'
      ? unavailable('The object store does not answer; try again later.', { retryAfter: 5 })
      : conflict(error.message);
  });
  if (!isEmpty) throw conflict('The bucket is not empty: delete its objects first.');
}
