import type { PgBoss } from 'pg-boss';
import { openConnections } from './connections.js';

/** Seconds between two searches for lost jobs. Each takes six statements. */
const POLL_INTERVAL_SECONDS = 20;

/** Seconds between two deletions of finished jobs. */
const DELETION_INTERVAL_SECONDS = 600;

/** Maximum seconds that a scheduled job starts late; jobs of each minute have no schedule (next-minute.ts). */
const MAX_DELAY_SECONDS = 30;

/** Milliseconds that a stop waits for running jobs. */
const STOP_TIMEOUT_MS = 10_000;

/** No job waits for another one, so this search is not needed. */
const NO_FLOWS = { flowIntervalSeconds: 3_600 };

/** Creates the tables of a queue, without its jobs and schedules. */
export async function createJobSchema(databaseUrl: string, schema: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 1, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

/** A queue of pg-boss. */
export interface StartedBoss {
  readonly boss: PgBoss;
  /** Stops it and closes its connections. @param isGraceful waits some seconds for running jobs */
  readonly stop: (isGraceful: boolean) => Promise<void>;
}

/** Connects to a queue and creates its tables. */
export async function startBoss({
  databaseUrl,
  schema,
  report,
}: {
  readonly databaseUrl: string;
  readonly schema: string;
  readonly report: (error: unknown, name: string) => void;
}): Promise<StartedBoss> {
  const { PgBoss } = await import('pg-boss');
  const intervals = {
    superviseIntervalSeconds: POLL_INTERVAL_SECONDS,
    monitorIntervalSeconds: POLL_INTERVAL_SECONDS,
    maintenanceIntervalSeconds: DELETION_INTERVAL_SECONDS,
  };
  const schedules = { cronWorkerIntervalSeconds: MAX_DELAY_SECONDS };
  const reportError = (error: Error) => report(error, 'queue');
  const db = openConnections(databaseUrl, reportError);
  const boss = new PgBoss({ db, schema, ...intervals, ...schedules, ...NO_FLOWS });
  boss.on('error', reportError);
  const stop = async (isGraceful: boolean) => {
    try {
      await boss.stop({ graceful: isGraceful, timeout: STOP_TIMEOUT_MS });
    } finally {
      await db.close();
    }
  };
  try {
    await boss.start();
  } catch (error) {
    await stop(false);
    throw error;
  }
  return { boss, stop };
}
