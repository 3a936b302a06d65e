import { ArgsType, Field, Int, ObjectType } from 'type-graphql';

/** Fields of a page in offset pagination. */
@ObjectType({ simpleResolvers: true })
export abstract class NumberedPage {
  @Field(() => Int, { description: 'Number of items on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'Page number, starting at 1.' })
  page!: number;

  @Field(() => Int, { description: 'Page size.' })
  pageSize!: number;
}

/**
 * The `@listSize` directive of a field whose argument limits its items; 50 are assumed without the argument.
 * @param lists fields below it that are limited; empty if the field itself is the list
 */
export function listSize(argument: 'first' | 'pageSize' | 'limit', lists: readonly string[] = ['results']): string {
  const sized = lists.length > 0 ? `, sizedFields: ${JSON.stringify(lists)}` : '';
  return `@listSize(assumedSize: 50, slicingArguments: ["${argument}"]${sized}, requireOneSlicingArgument: false)`;
}

/** Arguments of a page in offset pagination, with 50 items by default. */
@ArgsType()
export class PageArguments {
  @Field(() => Int, { nullable: true, description: 'Page number, starting at 1. Default 1.' })
  page!: number | null;

  @Field(() => Int, { nullable: true, description: 'Page size: default 50, maximum 200.' })
  pageSize!: number | null;
}

/** Fields of a page in cursor pagination. */
@ObjectType({ simpleResolvers: true })
export abstract class CursorPage {
  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;
}
