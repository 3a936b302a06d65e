import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { readPage } from '../../inputs/page.rules.js';
import type { SyncContext } from '../../services.js';
import { listDeletedFolders, purgeFolder, restoreFolder } from './deleted-folder.actions.js';
import { DeletedFolder, PurgedFolder } from './deleted-folder.js';
import { DELETED_PAGE } from './deleted-folder.rules.js';
import { Folder } from '../folder/folder.js';
import { requireOwner } from '../../inputs/owner.rules.js';

@Resolver(() => DeletedFolder)
export class DeletedFolderResolver {
  @Directive(listSize('limit', []))
  @Query(() => [DeletedFolder], {
    description:
      'Your folders that were unregistered in the last seven days, latest first; empty folders are not kept. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  deletedFolders(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('offset', () => Int, { nullable: true, description: 'Number of folders to skip; default 0.' })
    offset: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size; default 100, maximum 200.' })
    limit: number | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<DeletedFolder[]> {
    requireOwner(viewer, ownerAddress);
    return listDeletedFolders(database, { ownerAddress, ...readPage(offset, limit, DELETED_PAGE) }, now());
  }

  @Mutation(() => Folder, {
    description:
      'Restores an unregistered folder with all its files, which are charged again. Safe to repeat. Errors: BAD_REQUEST, with `reason` too_many_folders above 10,000, FORBIDDEN for another owner, PAYMENT_REQUIRED if your credits do not cover it, NOT_FOUND after seven days, CONFLICT while another folder has the same hash, RATE_LIMITED for too many changes at once.',
  })
  restoreFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderId', () => ID, { description: 'Folder id from `deletedFolders`.' }) folderId: string,
    @Ctx() context: SyncContext,
  ): Promise<Folder> {
    requireOwner(context.viewer, ownerAddress);
    return restoreFolder(context, { ownerAddress, folderId });
  }

  @Mutation(() => PurgedFolder, {
    description:
      'Purges an unregistered folder immediately: its files are removed and it can no longer be restored. Safe to repeat. Errors: BAD_REQUEST, FORBIDDEN for another owner, CONFLICT for a folder that is registered.',
  })
  purgeFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderId', () => ID, { description: 'Folder id from `deletedFolders`.' }) folderId: string,
    @Ctx() context: SyncContext,
  ): Promise<PurgedFolder> {
    requireOwner(context.viewer, ownerAddress);
    return purgeFolder(context, { ownerAddress, folderId });
  }
}
