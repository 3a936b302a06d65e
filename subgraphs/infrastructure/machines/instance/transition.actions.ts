import type { Transaction } from '../../../../kernel/database/database.js';
import type { PlatformEvent } from '../../../../kernel/events/events.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { InstanceState, WantedState } from './instance.js';
import { isCosting, isCovered, isKept, statesBefore, stepOf } from './instance.rules.js';

/** The job that takes a machine a step further. */
export const DRIVE = 'drive-instance';
/** The job that charges what a machine has cost so far. */
export const SETTLE = 'settle-instance';

/** Where a machine goes, and what else becomes of it. */
export interface Transition {
  readonly id: number;
  /** Only from here; undefined: from wherever the table of moves lets it. */
  readonly from?: InstanceState;
  readonly to: InstanceState;
  readonly wanted?: WantedState;
  readonly error?: string;
  readonly publicIp?: string | null;
  readonly sshPort?: number | null;
  readonly overlayIp?: string | null;
  readonly providerRef?: string | null;
}

/** The topic on which changes of a user's machines are announced. */
export function instanceTopic(userId: number): string {
  return `vm:${userId}`;
}

/** Announced for one of them. */
export function instanceEvent(userId: number, id: number): PlatformEvent {
  return { topic: instanceTopic(userId), id: String(id) };
}

const MOVE = `
  UPDATE infrastructure.vm_instance
     SET state = $3, wanted_state = coalesce($4, wanted_state), error_message = $5, public_ip = coalesce($6, public_ip),
         overlay_ip = coalesce($7, overlay_ip), provider_ref = coalesce($8, provider_ref), ssh_port = coalesce($9, ssh_port),
         application_health = CASE $3 WHEN 'running' THEN application_health END, attempts = 0, revision = revision + 1, updated_at = $10
   WHERE id = $1 AND state = ANY ($2) RETURNING user_id AS "userId", revision`;

/** What else becomes of a machine, in the order of the statement. */
const VALUES = ['wanted', 'error', 'publicIp', 'overlayIp', 'providerRef', 'sshPort'] as const;

const RUNNING_MS = 'greatest(0, round(extract(epoch FROM ($4::timestamptz - running_since)) * 1000))::bigint';
const STOPPED_MS = 'greatest(0, round(extract(epoch FROM ($4::timestamptz - stopped_since)) * 1000))::bigint';

/** A run that is over becomes milliseconds, one that goes on stays as it is; the same with what it is stopped at a price. */
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
 * Moves a machine within the caller's transaction, counts the seconds it costs, announces it and has done what the new state
 * asks for. @returns whether it was in a state that allows it
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
  if (isOnTheWay) await driveSoon(transaction, jobs, { id, revision: moved.revision });
  if (!isOnTheWay || !isCovered(to)) await jobs.enqueue(transaction, SETTLE, { id }, { key: String(id) });
  return true;
}

interface Driven {
  readonly id: number;
  readonly revision: number;
}

/** Has a machine taken a step further; what waits for a change that is past holds up no other. */
export function driveSoon(
  transaction: Transaction,
  jobs: Jobs,
  { id, revision, startAfter }: Driven & { readonly startAfter?: Date },
): Promise<void> {
  const key = `${id} ${revision}`;
  return jobs.enqueue(transaction, DRIVE, { id }, { key, ...(startAfter && { startAfter }) });
}
