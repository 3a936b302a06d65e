/** A job as it is stored. */
export interface AddedJob {
  readonly job: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether its schedule added it, and adds it again. */
  readonly isScheduled?: true;
}

interface Runnable<Runtime> {
  readonly cron?: string;
  readonly work: (data: AddedJob['data'], runtime: Runtime) => Promise<void>;
}

/** Runs a job. @throws Error when it has to be retried */
export async function runJob<Runtime>(
  definition: Runnable<Runtime> | undefined,
  { job, data, isScheduled }: AddedJob,
  runtime: Runtime,
  report: (error: unknown, name: string) => void,
): Promise<void> {
  // Retried as a failed job is, for a process of a version that knows it.
  if (!definition && !isScheduled) throw new Error(`this version has no job with the name ${job}`);
  try {
    await definition?.work(data, runtime);
  } catch (error) {
    // Of a schedule of minutes, the next run is the retry: retries for two days beside it would pile up.
    if (!definition?.cron?.startsWith('*')) throw error;
    report(error, job);
  }
}
