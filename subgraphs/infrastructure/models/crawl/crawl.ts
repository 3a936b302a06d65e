import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'The comparison of the index with all of the registry that goes on, or the last one.',
  simpleResolvers: true,
})
export class ModelCrawl {
  @Field(() => Int, { description: 'Counts up; 0: there was none yet.' })
  number!: number;

  @Field(() => Boolean, { description: 'Whether it goes on, or will soon.' })
  isPending!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while it goes on.' })
  finishedAt!: Date | null;
}

/** The columns of the crawl under the names of its fields. */
export const CRAWL_COLUMNS = `number::integer AS number, is_due OR finished_at IS NULL AS "isPending",
  CASE WHEN isfinite(finished_at) THEN finished_at END AS "finishedAt"`;
