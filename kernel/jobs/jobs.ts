import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Transaction } from '../database/database.js';
import { JobWorker } from './job-worker.js';

/** Work that outlives a request: kept in PostgreSQL, tried again until it succeeds, shared by replicas. */
export interface JobDefinition<Runtime> {
  /** Unique within the subgraph, lower case with dashes. */
  readonly name: string;
  /** When it runs by itself, in UTC; undefined: only when asked for. */
  readonly cron?: string;
  /** It waits for others outside: works in a lane with its like, so that it holds up no other. */
  readonly lane?: 'slow' | 'mail';
  /** Runs at every start too: what it keeps going by itself must not wait for the next minute. */
  readonly runsAtStart?: true;
  /** Does the work; must be safe to repeat, as a crash may come after any line. */
  readonly work: (data: Readonly<Record<string, unknown>>, runtime: Runtime) => Promise<void>;
}

export interface JobOptions {
  /** While a job of this key waits, another is not added. */
  readonly key?: string;
  /** Not before this time. */
  readonly startAfter?: Date;
  /** For whom it is: nobody's jobs take all of a lane. */
  readonly group?: string;
}

/** The subgraph's queue. */
export interface Jobs {
  /** Adds a job that exists exactly if the transaction commits. */
  enqueue(
    transaction: Transaction,
    name: string,
    data: Readonly<Record<string, unknown>>,
    options?: JobOptions,
  ): Promise<void>;
  /** Lets those that run finish. */
  close(): Promise<void>;
}

/** A queue that takes jobs, and works on them from its start on. */
export interface JobQueue extends Jobs {
  start(): Promise<void>;
}

/** What is needed of the outside to run jobs. */
export interface JobsDependencies<Runtime> {
  readonly databaseUrl: string;
  /** The queue's own PostgreSQL schema. */
  readonly schema: string;
  readonly definitions: readonly JobDefinition<Runtime>[];
  /** What every job is given. */
  readonly runtime: (jobs: Jobs) => Runtime;
  readonly report: (error: unknown, name: string) => void;
}

/** Few queues a subgraph, so that idle ones are asked few questions. */
const QUEUES = { usual: 'work', slow: 'slow-work', mail: 'mail-work' } as const;

/** A job that fails is tried again after 1 s, 2 s, 4 s, … up to an hour apart, for about two days. */
const RETRIES = { retryLimit: 60, retryDelay: 1, retryBackoff: true, retryDelayMax: 3_600 } as const;

/** Seconds a job may run before another worker takes it for lost. */
const EXPIRY_SECONDS = 300;

/** Seconds after which a job whose process says nothing of it is taken for lost, as one that was killed. */
const SILENCE_SECONDS = 20;

/** Seconds between two words of a job that runs. */
const WORD_SECONDS = 5;

/** Seconds between two looks for lost jobs. */
const POLL_INTERVAL_SECONDS = 10;

/** Jobs of one group that run at a time, in all processes together. */
const MAX_OF_GROUP = 3;

const QUEUE_OPTIONS = { ...RETRIES, expireInSeconds: EXPIRY_SECONDS, heartbeatSeconds: SILENCE_SECONDS };

interface WaitingJob {
  readonly id: string;
  readonly data: { readonly job: string; readonly data: Readonly<Record<string, unknown>> };
}

/** Opens the queue; no job runs before `start`. */
export async function openJobs<Runtime>(dependencies: JobsDependencies<Runtime>): Promise<JobQueue> {
  const boss = await startBoss(dependencies);
  try {
    return await openQueue(boss, dependencies);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

async function openQueue<Runtime>(boss: PgBoss, dependencies: JobsDependencies<Runtime>): Promise<JobQueue> {
  const byName = new Map(dependencies.definitions.map((definition) => [definition.name, definition]));
  const queueOf = (name: string) => QUEUES[byName.get(name)?.lane ?? 'usual'];
  const queues = new Set(dependencies.definitions.map(({ name }) => queueOf(name)));
  for (const queue of queues) {
    await boss.createQueue(queue, { policy: 'short' });
    // Also where an earlier version made it.
    await boss.updateQueue(queue, QUEUE_OPTIONS);
  }
  const lanes: Pick<JobWorker<WaitingJob>, 'close'>[] = [];
  const jobs: JobQueue = {
    async enqueue(transaction, job, data, { key, startAfter, group } = {}) {
      const executeSql = async (text: string, values?: unknown[]) => ({
        rows: await transaction.execute(text, values),
      });
      await boss.send(
        queueOf(job),
        { job, data },
        {
          db: { executeSql },
          singletonKey: `${job} ${key ?? randomUUID()}`,
          ...(startAfter && { startAfter }),
          ...(group !== undefined && { group: { id: group } }),
        },
      );
    },
    async start() {
      for (const queue of queues) lanes.push(openJobWorker(boss, queue, work, dependencies.report));
      for (const { name, cron, runsAtStart } of dependencies.definitions) {
        const data = { job: name, data: {} };
        if (cron !== undefined) await boss.schedule(queueOf(name), cron, data, { key: name, singletonKey: name });
        if (runsAtStart) await boss.send(queueOf(name), data, { singletonKey: `${name} at start` });
      }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
  const runtime = dependencies.runtime(jobs);
  const work = async ({ job, data }: WaitingJob['data']) => {
    const definition = byName.get(job);
    if (definition?.cron === EACH_MINUTE)
      await sendNextMinute(boss, queueOf(job), job).catch((error: unknown) => dependencies.report(error, job));
    await definition?.work(data, runtime);
  };
  return jobs;
}

/** When a job runs that is to run every minute. */
const EACH_MINUTE = '* * * * *';

/** Seconds by which clocks of replicas may differ: none of them runs a job of one minute twice. */
const CLOCK_SKEW_SECONDS = 5;

/**
 * Has a job run at the next full minute. The schedule of pg-boss meets a minute 30 to 90 s after the last; with this job
 * waiting, what it sends is dropped, and it only starts anew what broke off.
 */
async function sendNextMinute(boss: PgBoss, queue: string, name: string): Promise<void> {
  const leftSeconds = 60 - (Date.now() % 60_000) / 1_000;
  // By the clock of the database, which may show another time but runs as fast.
  const startAfter = leftSeconds < CLOCK_SKEW_SECONDS ? leftSeconds + 60 : leftSeconds;
  await boss.send(queue, { job: name, data: {} }, { singletonKey: name, startAfter });
}

async function startBoss({
  databaseUrl,
  schema,
  report,
}: Pick<JobsDependencies<never>, 'databaseUrl' | 'schema' | 'report'>): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const looks = { superviseIntervalSeconds: POLL_INTERVAL_SECONDS, monitorIntervalSeconds: POLL_INTERVAL_SECONDS };
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 4, ...looks });
  boss.on('error', (error) => report(error, 'queue'));
  await boss.start();
  return boss;
}

/** What works on one queue; ends with `close`. */
function openJobWorker(
  boss: PgBoss,
  queue: string,
  work: (asked: WaitingJob['data']) => Promise<void> | undefined,
  report: (error: unknown, name: string) => void,
): Pick<JobWorker<WaitingJob>, 'close'> {
  const running = new Set<string>();
  const words = setInterval(() => {
    if (running.size > 0) boss.touch(queue, [...running]).catch((error: unknown) => report(error, queue));
  }, WORD_SECONDS * 1_000);
  const lane = new JobWorker<WaitingJob>({
    fetch: (most) => boss.fetch<WaitingJob['data']>(queue, { batchSize: most, groupConcurrency: MAX_OF_GROUP }),
    async run({ id, data }) {
      running.add(id);
      try {
        await work(data);
      } catch (error) {
        report(error, data.job);
        await boss.fail(queue, id);
        return;
      } finally {
        running.delete(id);
      }
      await boss.complete(queue, id);
    },
    report: (error) => report(error, queue),
  });
  return {
    async close() {
      await lane.close();
      clearInterval(words);
    },
  };
}
