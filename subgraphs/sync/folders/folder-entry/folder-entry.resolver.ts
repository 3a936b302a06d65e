import { Arg, Args, ArgsType, Ctx, Field, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { listEntries, registerEntries, removeEntries } from './folder-entry.actions.js';
import { readEntries } from './folder-entry.rules.js';
import { FolderEntries, FolderEntryChange } from './folder-entry.js';
import { readFolderHash, requireOwner } from '../../inputs/owner.rules.js';

@ArgsType()
class FolderArgs {
  @Field(() => String, { description: 'Your SS58 address.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'Folder hash: 16 hex digits.' })
  folderHash!: string;
}

@Resolver(() => FolderEntries)
export class FolderEntryResolver {
  @Query(() => FolderEntries, {
    description:
      'Registered directories of a folder that contain no file. Errors: BAD_REQUEST, FORBIDDEN for another owner.',
  })
  async folderEntries(
    @Args(() => FolderArgs) { ownerAddress, folderHash }: FolderArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<FolderEntries> {
    requireOwner(viewer, ownerAddress);
    const folder = { ownerAddress, folderHash: readFolderHash(folderHash) };
    return { relativePaths: await listEntries(database, folder) };
  }

  @Mutation(() => FolderEntryChange, {
    description:
      'Registers directories of a folder, so that they exist without a file. Safe to repeat. Errors: BAD_REQUEST with `reason` batch_too_large, invalid_path or too_many_entries, FORBIDDEN for another owner, NOT_FOUND.',
  })
  async registerFolderEntries(
    @Args(() => FolderArgs) { ownerAddress, folderHash }: FolderArgs,
    @Arg('relativePaths', () => [String], {
      description: 'Paths of the directories, segments separated by `/`; at most 500.',
    })
    relativePaths: string[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<FolderEntryChange> {
    requireOwner(viewer, ownerAddress);
    const folder = { ownerAddress, folderHash: readFolderHash(folderHash) };
    return { changedCount: await registerEntries(database, folder, readEntries(relativePaths), now()) };
  }

  @Mutation(() => FolderEntryChange, {
    description:
      'Removes registered directories of a folder; files in them stay. Safe to repeat. Errors: BAD_REQUEST with `reason` batch_too_large or invalid_path, FORBIDDEN for another owner, NOT_FOUND.',
  })
  async removeFolderEntries(
    @Args(() => FolderArgs) { ownerAddress, folderHash }: FolderArgs,
    @Arg('relativePaths', () => [String], { description: 'Paths of the directories; at most 500.' })
    relativePaths: string[],
    @Ctx() { viewer, database }: Context,
  ): Promise<FolderEntryChange> {
    requireOwner(viewer, ownerAddress);
    const folder = { ownerAddress, folderHash: readFolderHash(folderHash) };
    return { changedCount: await removeEntries(database, folder, readEntries(relativePaths)) };
  }
}
