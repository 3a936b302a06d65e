import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { SyncContext } from '../services.js';
import { listDeletedFolders, restoreFolder } from './deleted-folder.actions.js';
import { DeletedFolder } from './deleted-folder.js';
import { Folder } from './folder.js';
import { requireOwner } from './folder.rules.js';

@Resolver(() => DeletedFolder)
export class DeletedFolderResolver {
  @Query(() => [DeletedFolder], {
    description:
      'Your folders that were forgotten in the last seven days, latest first. Errors: BAD_REQUEST, FORBIDDEN for another’s.',
  })
  deletedFolders(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<DeletedFolder[]> {
    requireOwner(viewer, ownerAddress);
    return listDeletedFolders(database, ownerAddress, now());
  }

  @Mutation(() => Folder, {
    description:
      'Has a forgotten folder back with all its files; safe to repeat. Errors: BAD_REQUEST, FORBIDDEN for another’s address, PAYMENT_REQUIRED for more than your credits cover, NOT_FOUND once its time is up, CONFLICT while another folder has its hash.',
  })
  restoreFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderId', () => ID, { description: 'The folder, as `deletedFolders` names it.' }) folderId: string,
    @Ctx() context: SyncContext,
  ): Promise<Folder> {
    requireOwner(context.viewer, ownerAddress);
    return restoreFolder(context, { ownerAddress, folderId });
  }
}
