import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Int64 } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'The storage that an account used in a period, as a validator measured it.',
  simpleResolvers: true,
})
export class UsageRecord {
  @Field(() => Int64, { description: 'Never changes, never used again.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the account.' })
  accountSs58!: string | null;

  @Field(() => DateTime, { description: 'When the period began.' })
  periodStart!: Date;

  @Field(() => DateTime, { description: 'When the period ended.' })
  periodEnd!: Date;

  @Field(() => Int64, { description: 'Bytes stored in the period: a number up to 2^53 - 1, a string beyond.' })
  storageBytes!: string;

  @Field(() => DateTime, { description: 'When it was first recorded.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last recorded.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'A page of usage records.', simpleResolvers: true })
export class UsageRecordPage {
  @Field(() => Int, { description: 'Records on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Records a page holds at most.' })
  pageSize!: number;

  @Field(() => [UsageRecord], { description: 'Latest period first.' })
  results!: UsageRecord[];
}

/** The columns of a record under the names of its fields. */
export const USAGE_COLUMNS = `
  r.id::text AS id, u.substrate_address AS "accountSs58", r.period_start AS "periodStart", r.period_end AS "periodEnd",
  r.storage_bytes::text AS "storageBytes", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;
