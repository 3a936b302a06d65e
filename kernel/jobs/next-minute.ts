import type { PgBoss } from 'pg-boss';
import { isOfSerialGroup, serialGroup } from './groups.js';

/** The schedule of jobs that run every minute. */
export const EVERY_MINUTE = '* * * * *';

/** Maximum difference of the clocks of replicas, so that no job runs twice in one minute. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * Enqueues a job for the next full minute, unless it waits already. Each run enqueues the next one, the start of a process
 * the first: the schedules of pg-boss start jobs 30 to 90 s apart, and cost three statements more for each run.
 */
export async function sendNextMinute(boss: PgBoss, queue: string, name: string): Promise<void> {
  const leftSeconds = 60 - (Date.now() % 60_000) / 1_000;
  // Relative to the clock of the database, which may differ from ours but runs at the same speed.
  const startAfter = leftSeconds < CLOCK_SKEW_SECONDS ? leftSeconds + 60 : leftSeconds;
  await boss.send(queue, { job: name, data: {} }, { singletonKey: name, startAfter, group: serialGroup(name) });
}

/** Whether `sendNextMinute` added the job, and no other code: each job of another one would ask for the next minute too. */
export function isOfMinute(
  job: Parameters<typeof isOfSerialGroup>[0] & { readonly data: { readonly job: string } },
): boolean {
  return isOfSerialGroup(job, job.data.job);
}
