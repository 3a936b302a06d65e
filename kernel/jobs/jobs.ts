import { randomUUID } from 'node:crypto';
import type { Job, PgBoss } from 'pg-boss';
import type { Transaction } from '../database/database.js';
import type { Events } from '../events/events.js';
import { startBoss, type StartedBoss } from './boss.js';
import { GROUP_CONCURRENCY, serialGroup } from './groups.js';
import { JobWorker } from './job-worker.js';
import { EVERY_MINUTE, isOfMinute, sendNextMinute } from './next-minute.js';
import { createQueues } from './queues.js';
import { runJob, type AddedJob } from './run-job.js';
import { nextDueText } from './waiting-jobs.js';

/** A background job: stored in PostgreSQL, retried until it succeeds, shared by replicas. */
export interface JobDefinition<Runtime> {
  /** Unique within the subgraph, lower case with dashes. */
  readonly name: string;
  /** Its schedule in UTC; undefined: it runs only when enqueued. A scheduled run waits for the end of the scheduled one before it. */
  readonly cron?: string;
  /** The queue for jobs that wait for external systems, so that they do not delay others; undefined: the default queue. */
  readonly queue?: 'slow' | 'mail' | 'storage';
  /** Runs once at each start of a process too. */
  readonly runsAtStart?: true;
  /** Runs the job. It must be idempotent, because a crash may come after any line. */
  readonly work: (data: Readonly<Record<string, unknown>>, runtime: Runtime) => Promise<void>;
}

export interface JobOptions {
  /** No second job is added while a job with this key is waiting; that job waits for the transaction, to see its changes. */
  readonly key?: string;
  /** The earliest start. */
  readonly startAfter?: Date;
  /** At most `MAX_PER_GROUP` jobs of a group run at once, e.g. those of one user. Ignored with `serial`. */
  readonly group?: string;
  /**
   * Jobs with the same value run one after another, e.g. those that write one object of an external system. Two processes
   * that fetch jobs at the same instant may still run two of them at once.
   */
  readonly serial?: string;
}

/** The job queue of a subgraph. */
export interface Jobs {
  /** Adds a job as part of the transaction. */
  enqueue(
    transaction: Transaction,
    name: string,
    data: Readonly<Record<string, unknown>>,
    options?: JobOptions,
  ): Promise<void>;
  /** Waits for running jobs. */
  close(): Promise<void>;
}

/** A queue that accepts jobs at once and runs them after `start`. */
export interface JobQueue extends Jobs {
  start(): Promise<void>;
}

/** The dependencies of a queue. */
export interface JobsDependencies<Runtime> {
  readonly databaseUrl: string;
  /** Events by which the workers of all processes learn of an added job. */
  readonly events: Pick<Events, 'subscribe'>;
  /** The queue's own PostgreSQL schema. */
  readonly schema: string;
  readonly definitions: readonly JobDefinition<Runtime>[];
  /** Creates the argument of every job. */
  readonly createRuntime: (jobs: Jobs) => Runtime;
  readonly report: (error: unknown, name: string) => void;
}

/** The topic of events for added jobs; the id is the queue. */
const TOPIC = 'jobs';

/** Few queues per subgraph, because each idle queue is polled. */
const QUEUES = { default: 'work', slow: 'slow-work', mail: 'mail-work', storage: 'storage-work' } as const;

/** Seconds between two heartbeats of a running job. */
const HEARTBEAT_INTERVAL_SECONDS = 5;

type WaitingJob = Pick<Job<AddedJob>, 'id' | 'data' | 'groupId' | 'groupTier'>;

/** Opens the queue; no job runs before `start`. */
export async function openJobs<Runtime>(dependencies: JobsDependencies<Runtime>): Promise<JobQueue> {
  const started = await startBoss(dependencies);
  try {
    return await openQueue(started, dependencies);
  } catch (error) {
    await started.stop(false);
    throw error;
  }
}

async function openQueue<Runtime>(
  { boss, stop }: StartedBoss,
  dependencies: JobsDependencies<Runtime>,
): Promise<JobQueue> {
  const byName = new Map(dependencies.definitions.map((definition) => [definition.name, definition]));
  const queueOf = (name: string) => QUEUES[byName.get(name)?.queue ?? 'default'];
  const queues = new Set(dependencies.definitions.map(({ name }) => queueOf(name)));
  await createQueues(boss, dependencies.schema, queues);
  const workers: Pick<JobWorker<WaitingJob>, 'close'>[] = [];
  let starting = Promise.resolve();
  const jobs: JobQueue = {
    async enqueue(transaction, job, data, { key, startAfter, group, serial } = {}) {
      const executeSql = async (text: string, values?: unknown[]) => ({
        rows: await transaction.execute(text, values),
      });
      const [queue, singletonKey] = [queueOf(job), `${job} ${key ?? randomUUID()}`];
      const options = {
        db: { executeSql },
        singletonKey,
        ...(startAfter && { startAfter: secondsUntil(startAfter) }),
        ...(group !== undefined && { group: { id: group } }),
        ...(serial !== undefined && { group: serialGroup(`${job} ${serial}`) }),
      };
      let isWaiting = false;
      while (!isWaiting && (await boss.send(queue, { job, data }, options)) === null)
        isWaiting = (await transaction.execute(holdText(dependencies.schema), [queue, singletonKey])).length > 0;
      transaction.publishAfterCommit({ topic: TOPIC, id: queue });
    },
    async start() {
      for (const queue of queues) workers.push(openJobWorker(boss, queue, work, dependencies));
      await (starting = scheduleJobs(boss, queueOf, dependencies.definitions));
    },
    async close() {
      await starting.catch(() => undefined);
      await Promise.all(workers.map((worker) => worker.close()));
      await stop(true);
    },
  };
  const runtime = dependencies.createRuntime(jobs);
  const work = async (waiting: WaitingJob) => {
    const { job: name } = waiting.data;
    const definition = byName.get(name);
    if (definition?.cron === EVERY_MINUTE && isOfMinute(waiting)) await sendNextMinute(boss, queueOf(name), name);
    return runJob(definition, waiting.data, runtime, dependencies.report);
  };
  return jobs;
}

/** Relative, because the clock of the database decides and may differ from ours. */
function secondsUntil(time: Date): number {
  return Math.max(0, (time.getTime() - Date.now()) / 1_000);
}

/**
 * Locks a waiting job until the end of the transaction: workers skip it (`FOR UPDATE SKIP LOCKED`), so that it cannot read before
 * the commit. No row: it has begun, and another one can be added.
 */
const holdText = (schema: string) => `
  SELECT 1 FROM ${schema}.job
   WHERE name = $1 AND coalesce(singleton_key, '') = $2 AND state = 'created' AND policy = 'short' FOR SHARE`;

/** Writes the schedules, and adds the jobs that run at every start. */
async function scheduleJobs(
  boss: PgBoss,
  queueOf: (name: string) => string,
  definitions: readonly Pick<JobDefinition<never>, 'name' | 'cron' | 'runsAtStart'>[],
): Promise<void> {
  for (const { name: queue, key } of await boss.getSchedules()) {
    const definition = definitions.find(({ name }) => name === key);
    // Written by an earlier version.
    if (definition && (definition.cron === EVERY_MINUTE || queueOf(key) !== queue)) await boss.unschedule(queue, key);
  }
  for (const { name, cron, runsAtStart } of definitions) {
    const data: AddedJob = { job: name, data: {} };
    if (cron === EVERY_MINUTE) {
      await sendNextMinute(boss, queueOf(name), name);
    } else if (cron !== undefined) {
      const options = { key: name, singletonKey: name, group: serialGroup(name) };
      await boss.schedule(queueOf(name), cron, { ...data, isScheduled: true }, options);
    }
    // Does not wait for a run of a killed process.
    if (runsAtStart) await boss.send(queueOf(name), data, { singletonKey: `${name} at start` });
  }
}

/** Opens the worker of one queue. */
function openJobWorker(
  boss: PgBoss,
  queue: string,
  work: (job: WaitingJob) => Promise<void>,
  { schema, events, report }: Pick<JobsDependencies<never>, 'schema' | 'events' | 'report'>,
): Pick<JobWorker<WaitingJob>, 'close'> {
  const running = new Set<string>();
  const heartbeat = setInterval(() => {
    if (running.size > 0) boss.touch(queue, [...running]).catch((error: unknown) => report(error, queue));
  }, HEARTBEAT_INTERVAL_SECONDS * 1_000);
  const worker = new JobWorker<WaitingJob>({
    fetch: (limit) => boss.fetch<AddedJob>(queue, { batchSize: limit, groupConcurrency: GROUP_CONCURRENCY }),
    async run(job) {
      const { id, data } = job;
      running.add(id);
      try {
        await work(job);
      } catch (error) {
        report(error, data.job);
        await boss.fail(queue, id);
        return;
      } finally {
        running.delete(id);
      }
      await boss.complete(queue, id);
    },
    async nextDueMs() {
      const { rows } = await boss.getDb().executeSql(nextDueText(schema), [queue]);
      const [next] = rows as readonly { readonly ms: number | null }[];
      return next?.ms ?? undefined;
    },
    report: (error) => report(error, queue),
  });
  const closing = new AbortController();
  const pollAfterEvents = async () => {
    for await (const { id } of events.subscribe([TOPIC], closing.signal))
      if (id === undefined || id === queue) worker.poll();
  };
  pollAfterEvents().catch((error: unknown) => report(error, queue));
  return {
    async close() {
      closing.abort();
      await worker.close();
      clearInterval(heartbeat);
    },
  };
}
