import { unavailable } from '../../../../kernel/errors.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { InfrastructureContext, InfrastructureRuntime } from '../../services.js';
import { findBucket, noSuchBucket, WRITE_POLICY, enqueuePolicyWrite } from './bucket.actions.js';
import { readLiveGrants } from '../grant/grant.actions.js';
import type { Bucket } from './bucket.js';
import type { BucketStore } from './bucket-store.js';
import { StoreFault } from './store-fault.js';
import { Accesses } from '../grant/effective-access.rules.js';
import { canonical, isTooLarge, policyText, readPolicy, statementsOf, withoutEnded } from './policy.rules.js';

interface StoredBucket {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly isAbsentSeen: boolean;
  readonly isMade: boolean;
  readonly accessRevision: number;
  readonly writtenRevision: number;
  readonly written: string | null;
}

const COLUMNS = `id, user_id AS "userId", name, is_absent_seen AS "isAbsentSeen", is_made AS "isMade",
  access_revision AS "accessRevision", written_revision AS "writtenRevision", written`;
const BUCKET = { name: 'bucket-by-id', text: `SELECT ${COLUMNS} FROM infrastructure.bucket WHERE id = $1` };
const BUCKETS = {
  name: 'buckets-to-check',
  text: `SELECT ${COLUMNS} FROM infrastructure.bucket WHERE id > $1 ORDER BY id LIMIT 200`,
};

type Runtime = Pick<InfrastructureRuntime, 'database' | 'services' | 'now'>;

/** Maximum number of writes when access changes during a write. */
const MAX_ROUNDS = 20;

/** Writes the bucket policy until the written revision is current. Safe to repeat. */
export async function writePolicy(runtime: Runtime, id: number): Promise<void> {
  const { store } = runtime.services;
  if (!store) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [bucket] = await runtime.database.rows<StoredBucket>(BUCKET, [id]);
    if (!bucket || (await writeOnce(runtime, store, bucket))) return;
  }
}

const WRITTEN = {
  name: 'bucket-policy-written',
  text: `UPDATE infrastructure.bucket
            SET written_revision = $2, written = $3, found = $4, checked_at = $5, state = 'in_sync', fault = NULL
          WHERE id = $1 AND access_revision = $2 RETURNING id`,
};

/** @returns whether the written revision is still current */
async function writeOnce(
  runtime: Pick<Runtime, 'database' | 'now'>,
  store: BucketStore,
  bucket: StoredBucket,
): Promise<boolean> {
  const { database, now } = runtime;
  const { id, userId, name, accessRevision } = bucket;
  try {
    await make(runtime, store, bucket);
    const wanted = statementsOf(name, new Accesses(await readLiveGrants(database, userId), now()));
    const { ours, others } = readPolicy(await store.policyOf(name));
    const text = policyText([...others, ...wanted]);
    const isOther = canonical(ours) !== canonical(wanted);
    if (isOther && isTooLarge(text)) {
      const kept = withoutEnded(ours, wanted);
      if (kept.length < ours.length) await store.setPolicy(name, policyText([...others, ...kept]));
      throw new StoreFault(
        'refused',
        'The policy would be larger than 20 KiB, the limit of object stores; revoke sub-tokens.',
      );
    }
    if (isOther) await store.setPolicy(name, text);
    const values = [id, accessRevision, canonical(wanted), text ?? null, now()];
    return (await database.rows(WRITTEN, values)).length > 0;
  } catch (error) {
    const fault = asFault(error);
    await noteFault(runtime, id, fault);
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

const SEEN_ABSENT = {
  name: 'bucket-seen-absent',
  text: 'UPDATE infrastructure.bucket SET is_absent_seen = true WHERE id = $1',
};
const MADE = { name: 'bucket-made', text: 'UPDATE infrastructure.bucket SET is_made = true WHERE id = $1' };

/** Creates the bucket in the store. Never takes over an existing bucket, which belongs to another owner. */
async function make(
  { database }: Pick<Runtime, 'database'>,
  store: BucketStore,
  { id, name, isAbsentSeen, isMade }: StoredBucket,
): Promise<void> {
  if (store.isOwn(name)) throw new StoreFault('refused', 'The platform uses the bucket of this name itself.');
  if (isMade) return;
  if (!isAbsentSeen) {
    if (await store.has(name))
      throw new StoreFault(
        'refused',
        'The object store already has a bucket of this name that was not created for you.',
      );
    await database.rows(SEEN_ABSENT, [id]);
  }
  await store.make(name);
  await database.rows(MADE, [id]);
}

const FAULT = {
  name: 'bucket-policy-fault',
  text: 'UPDATE infrastructure.bucket SET state = $2, fault = $3, checked_at = $4 WHERE id = $1',
};

async function noteFault(
  { database, now }: Pick<Runtime, 'database' | 'now'>,
  id: number,
  { kind, message }: StoreFault,
): Promise<void> {
  await database.rows(FAULT, [id, kind, message, now()]);
}

const CHECKED = {
  name: 'bucket-policy-checked',
  text: `UPDATE infrastructure.bucket SET state = $3, found = $4, checked_at = $5, fault = NULL
          WHERE id = $1 AND written_revision = $2 AND access_revision = $2`,
};

/**
 * Checks whether the store has the written policy. A foreign change is reported as `drifted` and left to the owner. Expired
 * and missing statements are written again.
 */
async function checkPolicy(runtime: InfrastructureRuntime, store: BucketStore, bucket: StoredBucket): Promise<void> {
  const { database, jobs, now } = runtime;
  const { id, userId, name, accessRevision, writtenRevision, written } = bucket;
  const again = () => database.change((transaction) => enqueuePolicyWrite(transaction, jobs, id));
  if (accessRevision !== writtenRevision || written === null) return again();
  try {
    const text = await store.policyOf(name);
    const { ours } = readPolicy(text);
    const isAsWritten = canonical(ours) === written;
    const state = isAsWritten ? 'in_sync' : 'drifted';
    await database.rows(CHECKED, [id, writtenRevision, state, text ?? null, now()]);
    const wanted = canonical(statementsOf(name, new Accesses(await readLiveGrants(database, userId), now())));
    if (isAsWritten && wanted !== written) await again();
  } catch (error) {
    await noteFault(runtime, id, asFault(error));
  }
}

/** Writes one bucket policy to the object store. */
export const WRITE_POLICIES: JobDefinition<InfrastructureRuntime> = {
  name: WRITE_POLICY,
  lane: 'slow',
  work: ({ id }, runtime) => writePolicy(runtime, Number(id)),
};

/** Checks all bucket policies in the object store. */
export const CHECK_POLICIES: JobDefinition<InfrastructureRuntime> = {
  name: 'check-bucket-policies',
  cron: '*/10 * * * *',
  lane: 'slow',
  runsAtStart: true,
  work: (_data, runtime) => checkPolicies(runtime),
};

/** Checks every bucket once. Does nothing when no object store is configured. */
export async function checkPolicies(runtime: InfrastructureRuntime): Promise<void> {
  const { store } = runtime.services;
  if (!store) return;
  for (let after = 0; ;) {
    const buckets = await runtime.database.rows<StoredBucket>(BUCKETS, [after]);
    const last = buckets.at(-1);
    if (!last) return;
    for (const bucket of buckets) await checkPolicy(runtime, store, bucket);
    after = last.id;
  }
}

const BUCKET_OF_USER = {
  name: 'bucket-of-user',
  text: `SELECT ${COLUMNS} FROM infrastructure.bucket WHERE user_id = $1 AND name = $2`,
};

/** Checks or rewrites a bucket policy now. @throws NOT_FOUND, UNAVAILABLE when no store is configured or it does not answer */
export async function checkNow(
  context: InfrastructureContext,
  userId: number,
  { name, isWritten }: { readonly name: string; readonly isWritten: boolean },
): Promise<Bucket> {
  const { store } = context.services;
  const [bucket] = await context.database.rows<StoredBucket>(BUCKET_OF_USER, [userId, name]);
  if (!bucket) throw noSuchBucket();
  if (!store) throw unavailable('No object store is configured.');
  if (isWritten)
    await writePolicy(context, bucket.id).catch((error: unknown) => {
      if (!(error instanceof StoreFault)) throw error;
    });
  else await checkPolicy(context, store, bucket);
  return findBucket(context, userId, name);
}
