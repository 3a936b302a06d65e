import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
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
  @Query(() => [DeletedFolder], {
    description:
      'Your folders that were forgotten in the last seven days, latest first; those that held nothing are gone. Errors: BAD_REQUEST, FORBIDDEN for another’s.',
  })
  deletedFolders(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('offset', () => Int, { nullable: true, description: 'Folders to leave out before the page; 0 unless given.' })
    offset: number | null,
    @Arg('limit', () => Int, { nullable: true, description: 'Folders on the page, 100 unless given, 200 at most.' })
    limit: number | null,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<DeletedFolder[]> {
    requireOwner(viewer, ownerAddress);
    return listDeletedFolders(database, { ownerAddress, ...readPage(offset, limit, DELETED_PAGE) }, now());
  }

  @Mutation(() => Folder, {
    description:
      'Has a forgotten folder back with all its files, which count again; safe to repeat. Errors: BAD_REQUEST, FORBIDDEN for another’s address, PAYMENT_REQUIRED for more than your credits cover, NOT_FOUND once its time is up, CONFLICT while another folder has its hash.',
  })
  restoreFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderId', () => ID, { description: 'The folder, as `deletedFolders` names it.' }) folderId: string,
    @Ctx() context: SyncContext,
  ): Promise<Folder> {
    requireOwner(context.viewer, ownerAddress);
    return restoreFolder(context, { ownerAddress, folderId });
  }

  @Mutation(() => PurgedFolder, {
    description:
      'Ends at once the time in which a forgotten folder can be had back: its files are purged and what is stored of them is removed. Safe to repeat. Errors: BAD_REQUEST, FORBIDDEN for another’s address, CONFLICT for a folder that is registered.',
  })
  purgeFolder(
    @Arg('ownerAddress', () => String, { description: 'Your SS58 address.' }) ownerAddress: string,
    @Arg('folderId', () => ID, { description: 'The folder, as `deletedFolders` names it.' }) folderId: string,
    @Ctx() context: SyncContext,
  ): Promise<PurgedFolder> {
    requireOwner(context.viewer, ownerAddress);
    return purgeFolder(context, { ownerAddress, folderId });
  }
}
