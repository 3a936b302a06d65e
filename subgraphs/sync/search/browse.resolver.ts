import { Args, ArgsType, Ctx, Directive, Field, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../kernel/paging/page.js';
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

  @Field(() => String, { description: 'Folder hash: 16 hex digits.' })
  folderHash!: string;

  @Field(() => String, { nullable: true, description: 'Path of the directory; default is the root.' })
  path?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of entries to skip; default 0. Directories come before files.',
  })
  offset?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of entries (directories and files); default 50, maximum 200.',
  })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Sort order of files (not directories): file_name (default), size_bytes, created_at, updated_at, extension or uploaded_by; any other value means file_name.',
  })
  sortBy?: string | null;

  @Field(() => String, { nullable: true, description: '`asc` or `desc`; any other value means `asc`.' })
  sortOrder?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Category or extension, as in `searchFiles`. If set, directories are not listed.',
  })
  fileType?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only files uploaded by this SS58 address. If set, directories are not listed.',
  })
  uploadedBy?: string | null;
}

@Resolver()
export class BrowseResolver {
  @Directive(listSize('limit', ['files', 'folders']))
  @Query(() => DirectoryListing, {
    description:
      'Lists a directory of a synced folder; returns an empty list if the directory does not exist. Files without a known path are not listed. Errors: BAD_REQUEST for an invalid address, folder hash, path, page or file type, FORBIDDEN for another owner.',
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
