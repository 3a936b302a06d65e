import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { requireRole } from '../../../kernel/viewer.js';
import type { SyncContext } from '../services.js';
import { readPage } from '../inputs/page.rules.js';
import { StorageCollection } from './storage-collection.js';
import { checkStore } from '../blob-store/check/check.actions.js';
import { collectDiscarded, sweepOrphans } from '../blob-store/blob/collection.actions.js';
import { storageCheck } from '../blob-store/check/damage.actions.js';
import { StorageCheck, StorageCheckRun } from '../blob-store/check/damage.js';
import { expireSessions, purgeFolders } from './expiry.actions.js';

/** Damaged chunks of a page. */
const DAMAGED_PAGE = { usual: 100, most: 1_000 } as const;

@Resolver()
export class MaintenanceResolver {
  @Mutation(() => StorageCollection, {
    description:
      'Takes away now, instead of within the hour, what is stored and nobody names any more. Needs the role ADMIN. Error INTERNAL with the reason storage_inconsistency while the store fails.',
  })
  async adminRunStorageCollection(@Ctx() context: SyncContext): Promise<StorageCollection> {
    requireRole(context.viewer, 'ADMIN');
    return {
      expiredSessions: await expireSessions(context),
      purgedFiles: await purgeFolders(context),
      orphanObjects: await sweepOrphans(context),
      collectedObjects: await collectDiscarded(context),
    };
  }

  @Query(() => StorageCheck, {
    description:
      'What is damaged in the store, and how far the check of all of it is: each chunk is read again and compared with the hash that it arrived with. Needs the role ADMIN.',
  })
  adminStorageCheck(
    @Arg('offset', () => Int, { nullable: true, description: 'Chunks to leave out before the page; 0 unless given.' })
    offset: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Chunks on the page, 100 unless given, 1000 at most.' })
    limit: number | null,
    @Ctx() { viewer, database }: SyncContext,
  ): Promise<StorageCheck> {
    requireRole(viewer, 'ADMIN');
    return storageCheck(database, readPage(offset, limit, DAMAGED_PAGE));
  }

  @Mutation(() => StorageCheckRun, {
    description:
      'Has the check of the store go on now, for half a minute at most; a round that is over begins again. Needs the role ADMIN. Error INTERNAL with the reason storage_inconsistency while the store fails.',
  })
  adminRunStorageCheck(@Ctx() context: SyncContext): Promise<StorageCheckRun> {
    requireRole(context.viewer, 'ADMIN');
    return checkStore(context, { isAsked: true });
  }
}
