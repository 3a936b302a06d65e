import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InstanceState, DesiredState } from './instance.js';
import { enqueueStateNotice } from './owner-notice.actions.js';
import { isCosting, isCovered, isKept, statesBefore, stepOf } from './instance.rules.js';

/** Job that reconciles a machine with its desired state. */
export const RECONCILE = 'drive-instance';
/** Job that settles the cost of a machine. */
export const SETTLE = 'settle-instance';

/** A state transition and the fields that change with it. */
export interface Transition extends OwnedRow {
  /** Required current state; undefined: any state that TRANSITIONS allows. */
  readonly from?: InstanceState;
  /** Required current revision; undefined: any. */
  readonly revision?: number;
  readonly to: InstanceState;
  readonly desired?: DesiredState;
  readonly error?: string;
  readonly publicIp?: string | null;
  readonly sshPort?: number | null;
  readonly providerRef?: string | null;
}

/** Event topic for changes of a user's machines. */
export function instanceTopic(userId: number): string {
  return `vm:${userId}`;
}

/** Event for a change of one machine. */
export function instanceEvent(userId: number, id: number): PlatformEvent {
  return { topic: instanceTopic(userId), id: String(id) };
}

/** An omitted field is bound as null. The reason for a stop or a failure is kept on the way to the stop. */
const TRANSITION = query(
  'transition-vm',
  (_: Tables, value: Transition & { readonly allowed: readonly InstanceState[]; readonly now: Date }) =>
    sql<{ userId: number; uuid: string; name: string; revision: number }>`
  UPDATE infrastructure.vm_instance
     SET state = ${value.to}, wanted_state = coalesce(${value.desired}, wanted_state),
         error_message = coalesce(${value.error}, CASE WHEN ${value.to}::text IN ('stopping', 'stopped')
                                                        AND state IN ('stopping', 'stopped', 'failed') THEN error_message END),
         public_ip = coalesce(${value.publicIp}, public_ip), overlay_ip = CASE WHEN ${value.to}::text <> 'terminated' THEN overlay_ip END,
         provider_ref = coalesce(${value.providerRef}, provider_ref), ssh_port = coalesce(${value.sshPort}, ssh_port),
         application_health = CASE ${value.to}::text WHEN 'running' THEN application_health END,
         attempts = 0, attempted_at = NULL, revision = revision + 1, updated_at = ${value.now}
   WHERE user_id = ${value.userId} AND id = ${value.id} AND state = ANY (${value.allowed})
     AND revision = coalesce(${value.revision}, revision) RETURNING user_id AS "userId", uuid, name, revision`,
);

const msSince = (since: 'running_since' | 'stopped_since', now: Date) =>
  sql`greatest(0, round(extract(epoch FROM (${now}::timestamptz - ${sql.ref(since)})) * 1000))::bigint`;

interface CountedState {
  readonly isCosting: boolean;
  readonly isCovered: boolean;
  readonly isKept: boolean;
}

/** Adds a finished period (running, or stopped and charged) to its counter; a continuing period is unchanged. */
const COUNT = query(
  'count-vm-seconds',
  (_: Tables, value: OwnedRow & { now: Date; startsAt: Date | null } & CountedState) => sql<object>`
  UPDATE infrastructure.vm_billing
     SET ran_ms = CASE WHEN ${value.isCosting} OR running_since IS NULL THEN ran_ms ELSE ran_ms + ${msSince('running_since', value.now)} END,
         running_since = CASE WHEN ${value.isCosting} THEN coalesce(running_since, ${value.startsAt}::timestamptz) END,
         stopped_ms = CASE WHEN ${value.isKept} OR stopped_since IS NULL THEN stopped_ms
                           ELSE stopped_ms + ${msSince('stopped_since', value.now)} END,
         stopped_since = CASE WHEN NOT ${value.isKept} OR stopped_credits_per_hour = 0 THEN NULL WHEN is_kept THEN stopped_since
                              ELSE ${value.now}::timestamptz END,
         is_kept = ${value.isKept} AND stopped_credits_per_hour > 0,
         should_run = ${value.isCovered}
   WHERE user_id = ${value.userId} AND instance_id = ${value.id}`,
);

/**
 * Changes the state of a machine in the caller's transaction: counts charged seconds, publishes an event and enqueues the jobs
 * of the new state. @returns whether the current state allows the transition
 */
export async function transitionInstance(
  transaction: Transaction,
  jobs: Jobs,
  transition: Transition,
  now: Date,
): Promise<boolean> {
  const { userId, id, from, to } = transition;
  const allowed = statesBefore(to).filter((state) => from === undefined || state === from);
  const [changed] = await transaction.run(TRANSITION, { ...transition, allowed, now });
  if (!changed) return false;
  const states = { isCosting: isCosting(to), isCovered: isCovered(to), isKept: isKept(to) };
  // A clock that stands still goes on when the machine is seen running, not when a reboot begins or is given up.
  const startsAt = to === 'rebooting' || transition.error !== undefined ? null : now;
  await transaction.run(COUNT, { userId, id, now, startsAt, ...states });
  transaction.publishAfterCommit(instanceEvent(userId, id));
  // After a reboot that was given up, it may not run.
  if (to !== 'running' || transition.error === undefined) await enqueueStateNotice(transaction, jobs, changed, to);
  const isOnTheWay = stepOf(to) !== undefined;
  if (isOnTheWay) await enqueueReconcile(transaction, jobs, { userId, id, revision: changed.revision });
  if (!isOnTheWay || !isCovered(to)) await jobs.enqueue(transaction, SETTLE, { userId, id }, { key: String(id) });
  return true;
}

interface ReconciledInstance extends OwnedRow {
  readonly revision: number;
}

/** Enqueues a reconcile job. The key includes the revision, so that a job for an older revision does not block it. */
export function enqueueReconcile(
  transaction: Transaction,
  jobs: Jobs,
  { userId, id, revision, startAfter }: ReconciledInstance & { readonly startAfter?: Date },
): Promise<void> {
  const key = `${id} ${revision}`;
  return jobs.enqueue(transaction, RECONCILE, { userId, id }, { key, ...(startAfter && { startAfter }) });
}

interface Attempt extends ReconciledInstance {
  readonly state: InstanceState;
}

const FIRST_ATTEMPT = query(
  'first-attempt-at-vm',
  (db: Tables, { userId, id, revision, attemptedAt }: ReconciledInstance & { readonly attemptedAt: Date }) =>
    db
      .updateTable('vmInstance')
      .set({ attemptedAt })
      .where((row) => row.and({ userId, id, revision }))
      .where('attemptedAt', 'is', null),
);

/** Records when the command of this revision is first sent: the time of a step begins there, not during an outage before it. */
export async function recordFirstAttempt(
  database: Pick<Database, 'run'>,
  { userId, id, revision, attemptedAt }: ReconciledInstance & { readonly attemptedAt: Date },
): Promise<void> {
  await database.run(FIRST_ATTEMPT, { userId, id, revision, attemptedAt });
}

const COUNT_ATTEMPT = query('count-attempt', (db: Tables, { userId, id, state, revision }: Attempt) =>
  db
    .updateTable('vmInstance')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where((row) => row.and({ userId, id, state, revision }))
    .returning('attempts'),
);

/** Counts an attempt, or an observation. @returns the number so far; undefined when the machine changed meanwhile */
export async function countAttempt(transaction: Transaction, instance: Attempt): Promise<number | undefined> {
  const { userId, id, state, revision } = instance;
  return (await transaction.run(COUNT_ATTEMPT, { userId, id, state, revision }))[0]?.attempts;
}
