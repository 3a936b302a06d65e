import type { Transaction } from '../../../../kernel/database/database.js';
import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { VmProvider } from '../provider/provider.js';
import type { InfrastructureRuntime } from '../../services.js';

/** Job that polls a machine. */
export const POLL = 'look-at-instance';

/** Enqueues a poll of a machine by its uuid. */
export function enqueuePoll(transaction: Transaction, jobs: Jobs, uuid: string): Promise<void> {
  return jobs.enqueue(transaction, POLL, { uuid }, { key: uuid });
}

/** The machine provider. A change that it reports enqueues a poll. */
export function hostOf({ services, database, now, log, jobs }: InfrastructureRuntime): VmProvider {
  const changed = (uuid: string) => {
    database
      .change((transaction) => enqueuePoll(transaction, jobs, uuid))
      .catch((error: unknown) => log.warn({ err: error, machine: uuid }, 'a change of a machine waits for the minute'));
  };
  return services.machines({ database, now, log, changed });
}
