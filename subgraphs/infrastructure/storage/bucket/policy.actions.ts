import { sql } from 'kysely';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import { ownedRow, type OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../../services.js';
import { findBucket, noSuchBucket, WRITE_POLICY, enqueuePolicyWrite } from './bucket.actions.js';
import { readLiveGrants } from '../grant/grant.actions.js';
import type { Bucket, BucketRow } from './bucket.js';
import { makeAgain, makeInStore } from './make.actions.js';
import type { BucketStore } from './bucket-store.js';
import { StoreFault } from './store-fault.js';
import { Accesses } from '../grant/effective-access.rules.js';
import { canonical, isTooLarge, policyText, readPolicy, statementsOf, withoutEnded } from './policy.rules.js';

const COLUMNS = [
  'id',
  'userId',
  'name',
  'isAbsentSeen',
  'isMade',
  'accessRevision',
  'writtenRevision',
  'written',
] as const;
type StoredBucket = Pick<BucketRow, (typeof COLUMNS)[number]>;

const BUCKET = query('bucket-by-id', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .selectFrom('bucket')
    .select(COLUMNS)
    .where((row) => row.and({ userId, id })),
);
/** Those that were checked last come last. */
const BUCKETS = query('buckets-to-check', (db: Tables) =>
  db
    .selectFrom('bucket')
    .select(['userId', 'id'])
    .orderBy(sql`checked_at NULLS FIRST`),
);

type Runtime = Pick<InfrastructureRuntime, 'database' | 'services' | 'now'>;
type Clocked = Omit<Runtime, 'services'>;

/** Maximum number of writes when access changes during a write. */
const MAX_ROUNDS = 20;

/** Writes the bucket policy until the written revision is current. Safe to repeat. */
export async function writePolicy(runtime: Runtime, row: OwnedRow): Promise<void> {
  const { store } = runtime.services;
  if (!store) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [bucket] = await runtime.database.run(BUCKET, row);
    if (!bucket || (await writeOnce(runtime, store, bucket))) return;
  }
}

const WRITTEN = query(
  'bucket-policy-written',
  (db: Tables, value: OwnedRow & { accessRevision: number; written: string; found: string | null; now: Date }) => {
    const { userId, id, accessRevision, written, found, now } = value;
    return db
      .updateTable('bucket')
      .set({ writtenRevision: accessRevision, written, found, checkedAt: now, state: 'in_sync', fault: null })
      .where((row) => row.and({ userId, id, accessRevision }))
      .returning('name as id');
  },
);

/** @returns whether the written revision is still current */
async function writeOnce(runtime: Clocked, store: BucketStore, bucket: StoredBucket): Promise<boolean> {
  const { database, now } = runtime;
  const { id, userId, name, accessRevision } = bucket;
  try {
    await makeInStore(unaudited(database), store, bucket);
    const desired = statementsOf(name, new Accesses(await readLiveGrants(database, userId), now()));
    const { ours, others } = readPolicy(await store.policyOf(name));
    const text = policyText([...others, ...desired]);
    const isOther = canonical(ours) !== canonical(desired);
    if (isOther && isTooLarge(text)) {
      const kept = withoutEnded(ours, desired);
      if (kept.length < ours.length) await store.setPolicy(name, policyText([...others, ...kept]));
      throw new StoreFault('refused', 'The policy would be larger than 20 KiB, the maximum; revoke sub-tokens.');
    }
    if (isOther) await store.setPolicy(name, text);
    const written = { userId, id, accessRevision, written: canonical(desired), found: text ?? null, now: now() };
    return (await database.run(WRITTEN, written)).length > 0;
  } catch (error) {
    const fault = asFault(error);
    await recordFault(runtime, bucket, fault);
    if (fault.kind === 'unreachable') throw error;
    return true;
  }
}

/** Maps an unparsable policy to a refusal. Errors that the store did not cause are rethrown. */
function asFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  if (error instanceof SyntaxError)
    return new StoreFault('refused', 'The policy in the object store cannot be parsed.');
  throw error;
}

type Fault = OwnedRow & Pick<StoreFault, 'kind' | 'message'> & { now: Date };

const FAULT = query('bucket-policy-fault', (db: Tables, { userId, id, kind, message, now }: Fault) =>
  db
    .updateTable('bucket')
    .set({ state: kind, fault: message, checkedAt: now })
    .where((row) => row.and({ userId, id })),
);

async function recordFault(
  { database, now }: Clocked,
  { userId, id }: OwnedRow,
  { kind, message }: StoreFault,
): Promise<void> {
  await unaudited(database).run(FAULT, { userId, id, kind, message, now: now() });
}

const CHECKED = query(
  'bucket-policy-checked',
  (db: Tables, value: Pick<BucketRow, 'userId' | 'id' | 'writtenRevision' | 'state' | 'found'> & { now: Date }) => {
    const { userId, id, writtenRevision, state, found, now } = value;
    return db
      .updateTable('bucket')
      .set({ state, found, checkedAt: now, fault: null })
      .where((row) => row.and({ userId, id, writtenRevision, accessRevision: writtenRevision }))
      .returning('name as id');
  },
);

/**
 * Checks whether the store has the written policy. A foreign change is reported as `drifted` and left to the owner. Statements
 * of ended sub-tokens are removed. @returns whether the store answered; undefined: it had no request
 */
async function checkPolicy(
  runtime: InfrastructureRuntime,
  store: BucketStore,
  bucket: StoredBucket,
): Promise<boolean | undefined> {
  const { database, jobs, now } = runtime;
  const { id, userId, name, isAbsentSeen, accessRevision, writtenRevision, written } = bucket;
  const again = () =>
    database.change(async (transaction) => {
      await enqueuePolicyWrite(transaction, jobs, { userId, id });
      return { id: name };
    });
  if (accessRevision !== writtenRevision || written === null) {
    await again();
    return undefined;
  }
  try {
    const text = await store.policyOf(name);
    const { ours } = readPolicy(text);
    const state = canonical(ours) === written ? 'in_sync' : 'drifted';
    await database.run(CHECKED, { userId, id, writtenRevision, state, found: text ?? null, now: now() });
    const desired = statementsOf(name, new Accesses(await readLiveGrants(database, userId), now()));
    const isOld = withoutEnded(ours, desired).length < ours.length;
    if (state === 'in_sync' ? canonical(desired) !== written : isOld) await again();
    return true;
  } catch (error) {
    const fault = asFault(error);
    await recordFault(runtime, bucket, fault);
    // E.g. a failed deletion that the store executed later. An assigned bucket is not ours to create.
    if (fault.kind === 'missing' && isAbsentSeen) {
      runtime.log.warn({ bucket: name }, 'a bucket is gone from the object store and is created again');
      await makeAgain(runtime, { userId, id });
    }
    return fault.kind !== 'unreachable';
  }
}

/** Writes one bucket policy to the object store. */
export const WRITE_POLICIES: JobDefinition<InfrastructureRuntime> = {
  name: WRITE_POLICY,
  queue: 'storage',
  work: (data, runtime) => writePolicy(runtime, ownedRow(data)),
};

/** Checks all bucket policies in the object store. */
export const CHECK_POLICIES: JobDefinition<InfrastructureRuntime> = {
  name: 'check-bucket-policies',
  cron: '*/10 * * * *',
  queue: 'storage',
  runsAtStart: true,
  work: (_data, runtime) => checkPolicies(runtime),
};

/** Number of consecutive buckets without an answer after which the store counts as down: each takes up to half a minute. */
const MAX_UNANSWERED = 3;

/**
 * Checks every bucket once, the one with the oldest check first. Ends when the store is down: the next run continues with the
 * others. Does nothing when no object store is configured.
 */
async function checkPolicies(runtime: InfrastructureRuntime): Promise<void> {
  const { store } = runtime.services;
  if (!store) return;
  let unanswered = 0;
  for (const row of await runtime.database.run(BUCKETS, {})) {
    const [bucket] = await runtime.database.run(BUCKET, row);
    if (!bucket) continue;
    const isAnswered = await checkPolicy(runtime, store, bucket);
    if (isAnswered !== undefined) unanswered = isAnswered ? 0 : unanswered + 1;
    if (unanswered === MAX_UNANSWERED) return;
  }
}

const BUCKET_OF_USER = query('bucket-of-user', (db: Tables, { userId, name }: { userId: number; name: string }) =>
  db
    .selectFrom('bucket')
    .select(COLUMNS)
    .where((row) => row.and({ userId, name })),
);

/** Checks or rewrites a bucket policy now. @throws NOT_FOUND, UNAVAILABLE when no store is configured or it does not answer */
export async function checkNow(
  context: InfrastructureContext,
  userId: number,
  { name, isWritten }: { readonly name: string; readonly isWritten: boolean },
): Promise<Bucket> {
  const { store } = context.services;
  const [bucket] = await context.database.run(BUCKET_OF_USER, { userId, name });
  if (!bucket) throw noSuchBucket();
  if (!store) throw unavailable('No object store is configured.');
  if (isWritten)
    await writePolicy(context, bucket).catch((error: unknown) => {
      if (!(error instanceof StoreFault)) throw error;
    });
  else await checkPolicy(context, store, bucket);
  return findBucket(context, userId, name);
}
