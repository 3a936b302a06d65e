import { Ctx, Mutation, Resolver } from 'type-graphql';
import { requireRole } from '../../../kernel/viewer.js';
import type { SyncContext } from '../services.js';
import { StorageCollection } from './blob.js';
import { collectDiscarded, sweepOrphans } from './collection.actions.js';
import { expireSessions, purgeFolders } from './expiry.actions.js';

@Resolver()
export class BlobResolver {
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
}
