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

  @Field(() => String, { description: 'The folder, 16 hex digits.' })
  folderHash!: string;
}

@Resolver(() => FolderEntries)
export class FolderEntryResolver {
  @Query(() => FolderEntries, {
    description: 'Registered directories of a folder that hold no file. Errors: BAD_REQUEST, FORBIDDEN for another’s.',
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
      'Registers directories of a folder, so that they are there without a file; safe to repeat. Errors: BAD_REQUEST with `reason` batch_too_large, invalid_path or too_many_entries, FORBIDDEN for another’s, NOT_FOUND.',
  })
  async registerFolderEntries(
    @Args(() => FolderArgs) { ownerAddress, folderHash }: FolderArgs,
    @Arg('relativePaths', () => [String], { description: 'Their paths, with `/` between the parts, 500 at most.' })
    relativePaths: string[],
    @Ctx() { viewer, database, now }: Context,
  ): Promise<FolderEntryChange> {
    requireOwner(viewer, ownerAddress);
    const folder = { ownerAddress, folderHash: readFolderHash(folderHash) };
    return { changedCount: await registerEntries(database, folder, readEntries(relativePaths), now()) };
  }

  @Mutation(() => FolderEntryChange, {
    description:
      'Forgets registered directories of a folder; files in them stay. Safe to repeat. Errors: BAD_REQUEST with `reason` batch_too_large or invalid_path, FORBIDDEN for another’s, NOT_FOUND.',
  })
  async removeFolderEntries(
    @Args(() => FolderArgs) { ownerAddress, folderHash }: FolderArgs,
    @Arg('relativePaths', () => [String], { description: 'Their paths, 500 at most.' }) relativePaths: string[],
    @Ctx() { viewer, database }: Context,
  ): Promise<FolderEntryChange> {
    requireOwner(viewer, ownerAddress);
    const folder = { ownerAddress, folderHash: readFolderHash(folderHash) };
    return { changedCount: await removeEntries(database, folder, readEntries(relativePaths)) };
  }
}
