import { Arg, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../kernel/paging/page.js';
import { requireRole } from '../../../kernel/security/viewer.js';
import type { SyncContext } from '../services.js';
import { readPage } from '../inputs/page.rules.js';
import { StorageCollection } from './storage-collection.js';
import { checkStore } from '../blob-store/scrub/scrub.actions.js';
import { notifyOfDamage } from '../blob-store/scrub/notify.actions.js';
import { collectDiscarded, sweepOrphans } from '../blob-store/blob/collection.actions.js';
import { storageCheck } from '../blob-store/scrub/damage.actions.js';
import { StorageCheck, StorageCheckRun } from '../blob-store/scrub/damage.js';
import { expireSessions, purgeFolders } from './expiry.actions.js';

/** Milliseconds for each of the four steps of a cleanup: a request to a subgraph ends after 25 s. */
const STEP_TIME_MS = 3_000;
/** Milliseconds in which a storage check begins to read chunks, after known damage, and after which it waits for none any more. */
const CHECK_TIME_MS = 8_000;
const CHECK_DEADLINE_MS = 18_000;

/** Page size of damaged chunks. */
const DAMAGED_PAGE = { defaultLimit: 100, maxLimit: 1_000 } as const;

@Resolver()
export class MaintenanceResolver {
  @Mutation(() => StorageCollection, {
    description:
      'Runs the storage cleanup now instead of on its schedule: removes expired sessions, purged folders and unreferenced objects, for a few seconds each; the scheduled cleanup goes on with the rest. Needs the role ADMIN. Error INTERNAL with the reason storage_inconsistency while the store fails.',
  })
  async adminRunStorageCollection(@Ctx() context: SyncContext): Promise<StorageCollection> {
    requireRole(context.viewer, 'ADMIN');
    return {
      expiredSessions: (await expireSessions(context, STEP_TIME_MS)).count,
      purgedFiles: (await purgeFolders(context, STEP_TIME_MS)).count,
      orphanObjects: await sweepOrphans(context, STEP_TIME_MS),
      collectedObjects: await collectDiscarded(context, STEP_TIME_MS),
    };
  }

  @Directive(listSize('limit', ['damaged']))
  @Query(() => StorageCheck, {
    description:
      'Damaged chunks in the store, and the progress of the storage check, which reads every chunk again and compares it with its stored hash. Needs the role ADMIN.',
  })
  adminStorageCheck(
    @Arg('offset', () => Int, { nullable: true, description: 'Number of chunks to skip; default 0.' })
    offset: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size; default 100, maximum 1000.' })
    limit: number | null,
    @Ctx() { viewer, database }: SyncContext,
  ): Promise<StorageCheck> {
    requireRole(viewer, 'ADMIN');
    return storageCheck(database, readPage(offset, limit, DAMAGED_PAGE));
  }

  @Mutation(() => StorageCheckRun, {
    description:
      'Continues the storage check now, for a few seconds; starts a new round if the last one is complete. Needs the role ADMIN. Errors with the reason storage_inconsistency: INTERNAL while the store fails, UNAVAILABLE while it is overloaded.',
  })
  async adminRunStorageCheck(@Ctx() context: SyncContext): Promise<StorageCheckRun> {
    requireRole(context.viewer, 'ADMIN');
    const deadline = AbortSignal.timeout(CHECK_DEADLINE_MS);
    const run = await checkStore(context, { isManual: true, timeMs: CHECK_TIME_MS, deadline });
    await notifyOfDamage(context);
    return run;
  }
}
