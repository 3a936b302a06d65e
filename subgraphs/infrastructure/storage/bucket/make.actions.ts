import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { enqueuePolicyWrite } from './bucket.actions.js';
import type { BucketRow } from './bucket.js';
import type { BucketStore } from './bucket-store.js';
import { StoreFault } from './store-fault.js';

type NewBucket = Pick<BucketRow, 'userId' | 'id' | 'name' | 'isAbsentSeen' | 'isMade' | 'accessRevision'>;

const SEEN_ABSENT = query('bucket-seen-absent', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .updateTable('bucket')
    .set({ isAbsentSeen: true })
    .where((row) => row.and({ userId, id }))
    .returning('id'),
);
const MADE = query('bucket-made', (db: Tables, { userId, id, accessRevision }: NewBucket) =>
  db
    .updateTable('bucket')
    .set({ isMade: true })
    .where((row) => row.and({ userId, id, accessRevision })),
);

/** Creates the bucket in the store. Never takes over an existing bucket, which belongs to another owner. @throws StoreFault */
export async function makeInStore(database: Database, store: BucketStore, bucket: NewBucket): Promise<void> {
  const { userId, id, name, isAbsentSeen, isMade } = bucket;
  if (store.isOwn(name)) throw new StoreFault('refused', 'The platform uses the bucket of this name itself.');
  if (isMade) return;
  if (!isAbsentSeen) {
    if (await store.has(name))
      throw new StoreFault(
        'refused',
        'The object store already has a bucket of this name that was not created for you.',
      );
    // A deletion removes only what was seen to be absent before.
    if ((await database.run(SEEN_ABSENT, { userId, id })).length === 0) return;
  }
  await store.make(name);
  // A removal of the earlier bucket of this name may have met it meanwhile, which changes the revision.
  await database.run(MADE, bucket);
}

/** Dependencies for making a bucket again. */
export type Making = Pick<InfrastructureRuntime, 'database' | 'jobs'>;

const NOT_MADE = query('bucket-not-made', (db: Tables, value: OwnedRow) =>
  db
    .updateTable('bucket')
    .set((row) => ({ isMade: false, isAbsentSeen: true, accessRevision: row('accessRevision', '+', 1) }))
    .where('userId', '=', value.userId)
    .where('id', '=', value.id)
    .returning('name as id'),
);

/** Has a bucket created again that the platform had created and that is gone from the store. */
export async function makeAgain({ database, jobs }: Making, bucket: OwnedRow): Promise<void> {
  await database.change(async (transaction) => {
    const [changed] = await transaction.run(NOT_MADE, bucket);
    if (changed) await enqueuePolicyWrite(transaction, jobs, bucket);
    return changed;
  });
}
