import type { PgBoss, QueueResult } from 'pg-boss';

/** A failed job is retried after 1 s, 2 s, 4 s, … up to one hour, for about two days. */
const RETRIES = { retryLimit: 60, retryDelay: 1, retryBackoff: true, retryDelayMax: 3_600 } as const;

/** Maximum seconds of one run; after it another worker may run the job again, while the first run goes on. */
const JOB_TIMEOUT_SECONDS = 3_600;

/** Seconds without a heartbeat after which a job counts as lost, e.g. because its process was killed. */
const HEARTBEAT_TIMEOUT_SECONDS = 20;

/** Seconds after which a finished job is deleted. Nothing reads it, and statements for waiting jobs pass over its row. */
const FINISHED_JOB_SECONDS = 3_600;

/** Years after which pg-boss deletes a job that did not run: longer than a platform rests. Its default is 14 days. */
const RETENTION_YEARS = 10;

const QUEUE_OPTIONS = {
  ...RETRIES,
  expireInSeconds: JOB_TIMEOUT_SECONDS,
  heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
  deleteAfterSeconds: FINISHED_JOB_SECONDS,
  retentionSeconds: RETENTION_YEARS * 365 * 86_400,
};

/** Rows that a process is changing are left to it. */
const keepText = (schema: string) => `
  UPDATE ${schema}.job SET keep_until = now() + interval '${RETENTION_YEARS} years'
   WHERE (name, id) IN (
     SELECT name, id FROM ${schema}.job
      WHERE state < 'completed' AND keep_until < now() + interval '${RETENTION_YEARS} years' / 2
        FOR UPDATE SKIP LOCKED)`;

/**
 * Creates the queues. Keeps the jobs of an earlier version, of a backup, and of a platform that rested for long, before pg-boss
 * looks for jobs to delete: without its waiting job, a job of each minute would never run again.
 */
export async function createQueues(boss: PgBoss, schema: string, queues: Iterable<string>): Promise<void> {
  await boss.getDb().executeSql(keepText(schema));
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const name of queues) {
    const queue = present.get(name);
    // One waiting job for each singletonKey.
    if (!queue) await boss.createQueue(name, { policy: 'short', ...QUEUE_OPTIONS });
    // An earlier version created it.
    else if (!hasOptions(queue)) await boss.updateQueue(name, QUEUE_OPTIONS);
  }
}

function hasOptions(queue: QueueResult): boolean {
  return Object.entries(QUEUE_OPTIONS).every(([name, value]) => queue[name as keyof typeof QUEUE_OPTIONS] === value);
}
