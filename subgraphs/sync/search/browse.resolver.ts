import { Args, ArgsType, Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/subgraph/context.js';
import { readFolderHash, requireOwner } from '../inputs/owner.rules.js';
import { browseDirectory } from './browse.actions.js';
import { BROWSE_PAGE, readBrowseOrder, readDirectory } from './browse.rules.js';
import { DirectoryListing } from './search.js';
import { readFileType } from './search.rules.js';
import { readPage } from '../inputs/page.rules.js';

@ArgsType()
class BrowseArgs {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, { description: 'The folder, 16 hex digits.' })
  folderHash!: string;

  @Field(() => String, { nullable: true, description: 'The directory, the root unless given.' })
  path?: string | null;

  @Field(() => Int, { nullable: true, description: 'Entries to leave out before the page; 0 unless given.' })
  offset?: number | null;

  @Field(() => Int, { nullable: true, description: 'Entries on the page, 50 unless given, 200 at most.' })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Orders files only: file_name, size_bytes, created_at, updated_at, extension or uploaded_by.',
  })
  sortBy?: string | null;

  @Field(() => String, { nullable: true, description: 'desc, or asc, also for any other word.' })
  sortOrder?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A category or an extension, as in a search; leaves out all directories.',
  })
  fileType?: string | null;

  @Field(() => String, { nullable: true, description: 'Files this one uploaded; leaves out all directories.' })
  uploadedBy?: string | null;
}

@Resolver()
export class BrowseResolver {
  @Query(() => DirectoryListing, {
    description:
      'What lies in a directory of a folder; empty for one that is not there. Files whose path is not known are left out. Errors: BAD_REQUEST, FORBIDDEN for another’s.',
  })
  browseFolder(
    @Args(() => BrowseArgs) { ownerAddress, ...args }: BrowseArgs,
    @Ctx() { viewer, database }: Context,
  ): Promise<DirectoryListing> {
    requireOwner(viewer, ownerAddress);
    return browseDirectory(database, {
      ownerAddress,
      folderHash: readFolderHash(args.folderHash),
      path: readDirectory(args.path),
      type: readFileType(args.fileType),
      uploadedBy: args.uploadedBy || undefined,
      order: readBrowseOrder(args.sortBy, args.sortOrder),
      ...readPage(args.offset, args.limit, BROWSE_PAGE),
    });
  }
}
