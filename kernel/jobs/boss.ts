import type { PgBoss } from 'pg-boss';

/** Milliseconds until an unused connection is closed: longer than the minute between two runs of a job. */
const IDLE_CONNECTION_MS = 90_000;

/** A statement of pg-boss without an answer after so many milliseconds fails; deletions and upgrades of its tables take seconds. */
const QUERY_TIMEOUT_MS = 60_000;

/** Seconds between two searches for lost jobs. Each takes six statements. */
const POLL_INTERVAL_SECONDS = 20;

/** Seconds between two deletions of finished jobs. */
const DELETION_INTERVAL_SECONDS = 600;

/** Maximum seconds that a scheduled job starts late; jobs of each minute have no schedule (next-minute.ts). */
const MAX_DELAY_SECONDS = 30;

/** No job waits for another one, so this search is not needed. */
const NO_FLOWS = { flowIntervalSeconds: 3_600 };

/** Creates the tables of a queue, without its jobs and schedules. */
export async function createJobSchema(databaseUrl: string, schema: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: databaseUrl, schema, max: 1, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
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
}): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const intervals = {
    superviseIntervalSeconds: POLL_INTERVAL_SECONDS,
    monitorIntervalSeconds: POLL_INTERVAL_SECONDS,
    maintenanceIntervalSeconds: DELETION_INTERVAL_SECONDS,
  };
  const schedules = { cronWorkerIntervalSeconds: MAX_DELAY_SECONDS };
  const connections = { connectionString: databaseUrl, max: 4, idleTimeoutMillis: IDLE_CONNECTION_MS };
  // Of a connection that was lost without an end, nothing else tells.
  const losses = { keepAlive: true, query_timeout: QUERY_TIMEOUT_MS };
  const boss = new PgBoss({ ...connections, ...losses, schema, ...intervals, ...schedules, ...NO_FLOWS });
  boss.on('error', (error) => report(error, 'queue'));
  await boss.start();
  return boss;
}
