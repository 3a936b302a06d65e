import type { Transaction } from '../../../../kernel/database/database.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { InstanceState, DesiredState } from './instance.js';
import { isCosting, isCovered, isKept, statesBefore, stepOf } from './instance.rules.js';

/** Job that reconciles a machine with its desired state. */
export const RECONCILE = 'drive-instance';
/** Job that settles the cost of a machine. */
export const SETTLE = 'settle-instance';

/** A state transition and the fields that change with it. */
export interface Transition {
  readonly id: number;
  /** Required current state; undefined: any state that TRANSITIONS allows. */
  readonly from?: InstanceState;
  readonly to: InstanceState;
  readonly wanted?: DesiredState;
  readonly error?: string;
  readonly publicIp?: string | null;
  readonly sshPort?: number | null;
  readonly overlayIp?: string | null;
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

const MOVE = `
  UPDATE infrastructure.vm_instance
     SET state = $3, wanted_state = coalesce($4, wanted_state), error_message = $5, public_ip = coalesce($6, public_ip),
         overlay_ip = coalesce($7, overlay_ip), provider_ref = coalesce($8, provider_ref), ssh_port = coalesce($9, ssh_port),
         application_health = CASE $3 WHEN 'running' THEN application_health END, attempts = 0, revision = revision + 1, updated_at = $10
   WHERE id = $1 AND state = ANY ($2) RETURNING user_id AS "userId", revision`;

/** Optional fields of a transition, in the order of the SQL parameters. */
const VALUES = ['wanted', 'error', 'publicIp', 'overlayIp', 'providerRef', 'sshPort'] as const;

const RUNNING_MS = 'greatest(0, round(extract(epoch FROM ($4::timestamptz - running_since)) * 1000))::bigint';
const STOPPED_MS = 'greatest(0, round(extract(epoch FROM ($4::timestamptz - stopped_since)) * 1000))::bigint';

/** Adds a finished period (running, or stopped at a price) to its counter; a continuing period is unchanged. */
const COUNT = `
  UPDATE infrastructure.vm_billing
     SET ran_ms = CASE WHEN $2 OR running_since IS NULL THEN ran_ms ELSE ran_ms + ${RUNNING_MS} END,
         running_since = CASE WHEN $2 THEN coalesce(running_since, $4::timestamptz) END,
         stopped_ms = CASE WHEN $5 OR stopped_since IS NULL THEN stopped_ms ELSE stopped_ms + ${STOPPED_MS} END,
         stopped_since = CASE WHEN NOT $5 OR stopped_credits_per_hour = 0 THEN NULL WHEN is_kept THEN stopped_since ELSE $4::timestamptz END,
         is_kept = $5 AND stopped_credits_per_hour > 0,
         is_wanted = $3
   WHERE instance_id = $1`;

/**
 * Changes the state of a machine in the caller's transaction: counts charged seconds, publishes an event and enqueues the jobs
 * of the new state. @returns whether the current state allows the transition
 */
export async function moveInstance(
  transaction: Transaction,
  jobs: Jobs,
  { id, from, to, ...rest }: Transition,
  now: Date,
): Promise<boolean> {
  const allowed = statesBefore(to).filter((state) => from === undefined || state === from);
  const values = [...VALUES.map((field) => rest[field] ?? null), now];
  const [moved] = await transaction.execute<{ userId: number; revision: number }>(MOVE, [id, allowed, to, ...values]);
  if (!moved) return false;
  await transaction.execute(COUNT, [id, isCosting(to), isCovered(to), now, isKept(to)]);
  transaction.publishAfterCommit(instanceEvent(moved.userId, id));
  const isOnTheWay = stepOf(to) !== undefined;
  if (isOnTheWay) await enqueueReconcile(transaction, jobs, { id, revision: moved.revision });
  if (!isOnTheWay || !isCovered(to)) await jobs.enqueue(transaction, SETTLE, { id }, { key: String(id) });
  return true;
}

interface ReconciledInstance {
  readonly id: number;
  readonly revision: number;
}

/** Enqueues a reconcile job. The key includes the revision, so that a job for an older revision does not block it. */
export function enqueueReconcile(
  transaction: Transaction,
  jobs: Jobs,
  { id, revision, startAfter }: ReconciledInstance & { readonly startAfter?: Date },
): Promise<void> {
  const key = `${id} ${revision}`;
  return jobs.enqueue(transaction, RECONCILE, { id }, { key, ...(startAfter && { startAfter }) });
}
