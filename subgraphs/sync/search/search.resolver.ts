import { Args, ArgsType, Ctx, Directive, Field, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../kernel/paging/page.js';
import type { Context } from '../../../kernel/subgraph/context.js';
import { Decimal } from '../../../kernel/scalars/scalars.js';
import { requireOwner } from '../inputs/owner.rules.js';
import { readCursor } from './cursor.rules.js';
import { searchFiles } from './search.actions.js';
import { FileSearchPage } from './search.js';
import { readBound, readFileType, readOrder, readText } from './search.rules.js';
import { readPage } from '../inputs/page.rules.js';

@ArgsType()
class SearchArgs {
  @Field(() => String, { description: 'SS58 address of the owner.' })
  ownerAddress!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Substring of the file name, or of the relative path if the file has no name; case-insensitive, at most 256 characters.',
  })
  q?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Category (image, video, audio, document, pdf, archive or code) or extension such as `.png`.',
  })
  fileType?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Minimum size in bytes before encryption.' })
  sizeMin?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Maximum size in bytes before encryption.' })
  sizeMax?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Earliest creation time, in Unix seconds.' })
  dateFrom?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Latest creation time, in Unix seconds.' })
  dateTo?: string | null;

  @Field(() => Int, { nullable: true, description: 'Number of files to skip; default 0.' })
  offset?: number | null;

  @Field(() => Int, { nullable: true, description: 'Page size; default 25, maximum 10000.' })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sort order: file_name, size_bytes, created_at or updated_at; any other value means created_at.',
  })
  sortBy?: string | null;

  @Field(() => String, { nullable: true, description: '`asc` or `desc`; any other value means `desc`.' })
  sortOrder?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`endCursor` of the previous page with the same sort order; no file is skipped or repeated while files are added and deleted.',
  })
  after?: string | null;
}

@Resolver()
export class SearchResolver {
  @Directive(listSize('limit', ['files']))
  @Query(() => FileSearchPage, {
    description:
      'Searches the files in all folders of an owner. Errors: BAD_REQUEST with `reason` q_too_long, invalid_file_type or invalid_user_id, FORBIDDEN for another owner.',
  })
  searchFiles(@Args(() => SearchArgs) args: SearchArgs, @Ctx() { viewer, database }: Context): Promise<FileSearchPage> {
    const { ownerAddress } = args;
    requireOwner(viewer, ownerAddress);
    const order = readOrder(args.sortBy, args.sortOrder);
    return searchFiles(database, {
      ownerAddress,
      text: readText(args.q),
      type: readFileType(args.fileType),
      sizeMin: readBound(args.sizeMin, 'min'),
      sizeMax: readBound(args.sizeMax, 'max'),
      createdFrom: readBound(args.dateFrom, 'min'),
      createdTo: readBound(args.dateTo, 'max'),
      order,
      ...readPage(args.offset, args.limit),
      after: readCursor(order, args.after),
    });
  }
}
