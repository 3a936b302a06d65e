import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import { DateTime, Int64 } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'Storage used by an account in a period, as measured by a validator, or else by the platform.',
  simpleResolvers: true,
})
export class UsageRecord {
  @Field(() => Int64, { description: 'Stable id; never reused.' })
  id!: Opt<string>;

  @Field(() => String, { nullable: true, description: 'SS58 address of the account.' })
  accountSs58!: Computed<string> | null;

  @Field(() => DateTime, { description: 'Start of the period.' })
  @Property({ type: 'datetime' })
  periodStart!: Date;

  @Field(() => DateTime, { description: 'End of the period.' })
  @Property({ type: 'datetime' })
  periodEnd!: Date;

  @Field(() => Int64, { description: 'Bytes stored in the period: a number up to 2^53 - 1, a string above.' })
  @Property({ type: 'bigint' })
  storageBytes!: string;

  @Field(() => DateTime, { description: 'When the record was created.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the record was last updated.' })
  @Property({ type: 'datetime' })
  updatedAt!: Date;
}

/** Who recorded a usage: a validator, or the platform each night. */
export type UsageSource = 'validator' | 'platform';

@Entity({ tableName: 'usage_record' })
export class UsageRecordRow extends UsageRecord {
  /** Null for a record of an earlier version. */
  @Property({ type: 'text', nullable: true }) source!: UsageSource | null;
  @PrimaryKey({ type: 'integer', autoincrement: false }) userId!: number;
  @PrimaryKey({ type: 'bigint', generated: 'identity', autoincrement: true }) override id!: Opt<string>;
}

@ObjectType({ description: 'A page of usage records.', simpleResolvers: true })
export class UsageRecordPage extends NumberedPage {
  @Field(() => [UsageRecord], { description: 'Records, latest period first.' })
  results!: UsageRecord[];
}

/** The columns of a record `r` of a user `u` in GraphQL. */
export const USAGE_COLUMNS = [
  'r.id',
  'u.substrateAddress as accountSs58',
  'r.periodStart',
  'r.periodEnd',
  'r.storageBytes',
  'r.createdAt',
  'r.updatedAt',
] as const;
