import { randomUUID } from 'node:crypto';
import type { Transaction } from './database.js';

/** Work that outlives a request: kept in PostgreSQL, tried again until it succeeds, shared by replicas. */
export interface JobDefinition<Runtime> {
  /** Unique within the subgraph, lower case with dashes. */
  readonly name: string;
  /** When it runs by itself, in UTC; undefined: only when asked for. */
  readonly cron?: string;
  /** It waits for strangers: works in a lane of its own, so that it holds up no other. */
  readonly isSlow?: true;
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

/** What is needed of the outside to run jobs. */
export interface JobsDoor<Runtime> {
  readonly databaseUrl: string;
  /** The queue's own PostgreSQL schema. */
  readonly schema: string;
  readonly definitions: readonly JobDefinition<Runtime>[];
  /** What every job is given. */
  readonly runtime: (jobs: Jobs) => Runtime;
  readonly report: (error: unknown, name: string) => void;
}

/** Two queues a subgraph, so that idle workers ask few questions. */
const QUEUE = 'work';
const SLOW_QUEUE = 'slow-work';

/** Seconds between two looks at an empty queue. */
const POLLING_SECONDS = 0.5;

/** A job that fails is tried again after 1 s, 2 s, 4 s, … up to an hour apart, for about two days. */
const RETRIES = { retryLimit: 60, retryDelay: 1, retryBackoff: true, retryDelayMax: 3_600 } as const;

/** Seconds a job may run before another worker takes it for lost. */
const EXPIRY_SECONDS = 300;

/** Workers in one process, and jobs that each takes at a time: they run side by side, and a full batch is followed by the next at once. */
const WORKERS = 2;
const BATCH = 4;

/** How the queue is worked on. */
const WORK = {
  pollingIntervalSeconds: POLLING_SECONDS,
  localConcurrency: WORKERS,
  batchSize: BATCH,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

interface WaitingJob {
  readonly id: string;
  readonly data: { readonly job: string; readonly data: Readonly<Record<string, unknown>> };
}

/** Opens the queue and starts working on it. */
export async function openJobs<Runtime>(door: JobsDoor<Runtime>): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: door.databaseUrl, schema: door.schema, max: 4 });
  boss.on('error', (error) => door.report(error, 'queue'));
  await boss.start();
  const byName = new Map(door.definitions.map((definition) => [definition.name, definition]));
  const queueOf = (name: string) => (byName.get(name)?.isSlow ? SLOW_QUEUE : QUEUE);
  const queues = new Set(door.definitions.map(({ name }) => queueOf(name)));
  for (const queue of queues)
    await boss.createQueue(queue, { policy: 'short', ...RETRIES, expireInSeconds: EXPIRY_SECONDS });
  const jobs: Jobs = {
    async enqueue(transaction, job, data, { key, startAfter } = {}) {
      const executeSql = async (text: string, values?: unknown[]) => ({
        rows: await transaction.execute(text, values),
      });
      await boss.send(
        queueOf(job),
        { job, data },
        { db: { executeSql }, singletonKey: `${job} ${key ?? randomUUID()}`, ...(startAfter && { startAfter }) },
      );
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
  const runtime = door.runtime(jobs);
  const run = async ({
    id,
    data: { job, data },
  }: WaitingJob): Promise<{ id: string; status: 'completed' | 'failed' }> => {
    try {
      await byName.get(job)?.work(data, runtime);
      return { id, status: 'completed' };
    } catch (error) {
      door.report(error, job);
      return { id, status: 'failed' };
    }
  };
  for (const queue of queues)
    await boss.work<WaitingJob['data'], void, typeof WORK>(queue, WORK, (waiting) => Promise.all(waiting.map(run)));
  for (const { name, cron, runsAtStart } of door.definitions) {
    const [data, only] = [{ job: name, data: {} }, { singletonKey: name }];
    if (cron !== undefined) await boss.schedule(queueOf(name), cron, data, { key: name, ...only });
    if (runsAtStart) await boss.send(queueOf(name), data, only);
  }
  return jobs;
}
