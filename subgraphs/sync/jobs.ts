import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import { collectDiscarded, sweepOrphans } from './blob-store/blob/collection.actions.js';
import { checkStore } from './blob-store/scrub/scrub.actions.js';
import { notifyOfDamage } from './blob-store/scrub/notify.actions.js';
import { expireSessions, purgeFolders } from './maintenance/expiry.actions.js';
import type { SyncRuntime } from './services.js';
import { recordStorageUsage } from './usage/record.actions.js';

/** Scheduled jobs: storage cleanup, storage check, storage usage. */
export const JOBS: readonly JobDefinition<SyncRuntime>[] = [
  collection('expire-upload-sessions', '*/5 * * * *', expireSessions),
  collection('purge-folders', '*/10 * * * *', purgeFolders),
  collection('collect-discarded-objects', '* * * * *', collectDiscarded),
  collection('sweep-orphan-objects', '29 * * * *', sweepOrphans),
  collection('check-store', '* * * * *', async (runtime) => {
    await checkStore(runtime);
    await notifyOfDamage(runtime);
  }),
  {
    name: 'record-storage-usage',
    // Days end at midnight; a missed or failed run is caught up by the next.
    cron: '*/10 * * * *',
    queue: 'slow',
    work: async (_data, runtime) => {
      await recordStorageUsage(runtime, runtime.now());
    },
  },
];

function collection(
  name: string,
  cron: string,
  collect: (runtime: SyncRuntime) => Promise<unknown>,
): JobDefinition<SyncRuntime> {
  return {
    name,
    cron,
    // It waits for disk or network.
    queue: 'slow',
    work: async (_data, runtime) => {
      try {
        await collect(runtime);
      } catch (error) {
        // The next run continues: no retry is needed.
        runtime.log.error({ err: error, job: name }, 'a storage job failed; the next run tries again');
      }
    },
  };
}
