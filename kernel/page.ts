import { Field, Int, ObjectType } from 'type-graphql';

/** What pages with a number say beside their items. */
@ObjectType({ simpleResolvers: true })
export abstract class NumberedPage {
  @Field(() => Int, { description: 'Number of items on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'Page number, starting at 1.' })
  page!: number;

  @Field(() => Int, { description: 'Page size.' })
  pageSize!: number;
}

/** What pages say beside their items that continue after a cursor. */
@ObjectType({ simpleResolvers: true })
export abstract class CursorPage {
  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;
}
