import { Args, ArgsType, Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/subgraph/context.js';
import { Decimal } from '../../../kernel/scalars.js';
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
      'Anywhere in the file name, or in the relative path of a file without a name; case does not matter. Up to 256 characters.',
  })
  q?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'image, video, audio, document, pdf, archive or code, or an extension such as `.png`.',
  })
  fileType?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Bytes before encryption, at least.' })
  sizeMin?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Bytes before encryption, at most.' })
  sizeMax?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'New at this time or later, in Unix seconds.' })
  dateFrom?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'New at this time or earlier, in Unix seconds.' })
  dateTo?: string | null;

  @Field(() => Int, { nullable: true, description: 'Files to leave out before the page; 0 unless given.' })
  offset?: number | null;

  @Field(() => Int, { nullable: true, description: 'Files on the page, 25 unless given, 10000 at most.' })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'file_name, size_bytes, created_at (also for any other word) or updated_at.',
  })
  sortBy?: string | null;

  @Field(() => String, { nullable: true, description: 'asc, or desc, also for any other word.' })
  sortOrder?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`endCursor` of the page before, in the same order: skips and repeats nothing while files come and go.',
  })
  after?: string | null;
}

@Resolver()
export class SearchResolver {
  @Query(() => FileSearchPage, {
    description:
      'Files in all folders of an owner. Errors: BAD_REQUEST with `reason` q_too_long, invalid_file_type or invalid_user_id, FORBIDDEN for another’s.',
  })
  searchFiles(@Args(() => SearchArgs) args: SearchArgs, @Ctx() { viewer, database }: Context): Promise<FileSearchPage> {
    const { ownerAddress } = args;
    requireOwner(viewer, ownerAddress);
    const order = readOrder(args.sortBy, args.sortOrder);
    return searchFiles(database, {
      ownerAddress,
      text: readText(args.q),
      type: readFileType(args.fileType),
      sizeMin: readBound(args.sizeMin, 'least'),
      sizeMax: readBound(args.sizeMax, 'most'),
      createdFrom: readBound(args.dateFrom, 'least'),
      createdTo: readBound(args.dateTo, 'most'),
      order,
      ...readPage(args.offset, args.limit),
      after: readCursor(order, args.after),
    });
  }
}
