import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import { collectDiscarded, sweepOrphans } from './blob-store/blob/collection.actions.js';
import { checkStore } from './blob-store/scrub/scrub.actions.js';
import { notifyOfDamage } from './blob-store/scrub/notify.actions.js';
import { expireSessions, purgeFolders, type CleanupRun } from './maintenance/expiry.actions.js';
import type { SyncRuntime } from './services.js';
import { recordStorageUsage } from './usage/record.actions.js';

/** Scheduled jobs: storage cleanup, storage check, storage usage. */
export const JOBS: readonly JobDefinition<SyncRuntime>[] = [
  continuedCollection('expire-upload-sessions', '*/5 * * * *', expireSessions),
  continuedCollection('purge-folders', '*/10 * * * *', purgeFolders),
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

/** A collection that continues soon where its time was over. */
function continuedCollection(
  name: string,
  cron: string,
  collect: (runtime: SyncRuntime) => Promise<CleanupRun>,
): JobDefinition<SyncRuntime> {
  return collection(name, cron, async (runtime) => {
    const { database, jobs } = runtime;
    if ((await collect(runtime)).isCut)
      await database.change((transaction) => jobs.enqueue(transaction, name, {}, { key: 'continued' }));
  });
}

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
