import { Field, ObjectType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/page.js';
import { DateTime, Int64 } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'Storage used by an account in a period, as measured by a validator.',
  simpleResolvers: true,
})
export class UsageRecord {
  @Field(() => Int64, { description: 'Stable id; never reused.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'SS58 address of the account.' })
  accountSs58!: string | null;

  @Field(() => DateTime, { description: 'Start of the period.' })
  periodStart!: Date;

  @Field(() => DateTime, { description: 'End of the period.' })
  periodEnd!: Date;

  @Field(() => Int64, { description: 'Bytes stored in the period: a number up to 2^53 - 1, a string above.' })
  storageBytes!: string;

  @Field(() => DateTime, { description: 'When the record was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the record was last updated.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'A page of usage records.', simpleResolvers: true })
export class UsageRecordPage extends NumberedPage {
  @Field(() => [UsageRecord], { description: 'Records, latest period first.' })
  results!: UsageRecord[];
}

/** The columns of a record under the names of its fields. */
export const USAGE_COLUMNS = `
  r.id::text AS id, u.substrate_address AS "accountSs58", r.period_start AS "periodStart", r.period_end AS "periodEnd",
  r.storage_bytes::text AS "storageBytes", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;
