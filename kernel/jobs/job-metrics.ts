import type { Database } from '../database/database.js';
import { measure, METRICS, type Sample } from '../telemetry/metrics.js';
import type { JobDefinition } from './jobs.js';
import { dueJobsText } from './waiting-jobs.js';

const RUN_SECONDS = METRICS.histogram(
  'job_run_seconds',
  'Time of a run of a job. A run that fails is tried again.',
  ['subgraph', 'job', 'code'],
  [0.01, 0.1, 1, 10, 60, 300],
);
const WAITING = METRICS.gauge('jobs_waiting', 'Jobs that could run now.', ['subgraph', 'job']);
const OLDEST = METRICS.gauge('jobs_oldest_seconds', 'How long the oldest of the jobs that could run has waited.', [
  'subgraph',
  'job',
]);

/** Wraps jobs so that their runs are measured. */
export function measuredJobs<Runtime>(
  definitions: readonly JobDefinition<Runtime>[],
  subgraph: string,
): readonly JobDefinition<Runtime>[] {
  return definitions.map((job) => ({
    ...job,
    work: (data, runtime) => measure(RUN_SECONDS, [subgraph, job.name], () => job.work(data, runtime)),
  }));
}

interface WaitingJobs {
  readonly job: string;
  readonly waiting: number;
  readonly seconds: number;
}

/** Counts the waiting jobs of a subgraph, by name. */
export async function readWaitingJobs(
  database: Database,
  subgraph: string,
  definitions: readonly JobDefinition<never>[],
): Promise<Sample[]> {
  const rows = await database.rows<WaitingJobs>({
    name: `waiting-jobs-${subgraph}`,
    text: dueJobsText(`${subgraph}_jobs`),
  });
  const byName = new Map(rows.map((row) => [row.job, row]));
  return definitions.flatMap(({ name }) => [
    { gauge: WAITING, labels: [subgraph, name], value: byName.get(name)?.waiting ?? 0 },
    { gauge: OLDEST, labels: [subgraph, name], value: byName.get(name)?.seconds ?? 0 },
  ]);
}
