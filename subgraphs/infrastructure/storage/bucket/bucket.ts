import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime } from '../../../../kernel/scalars/scalars.js';

const BUCKET_POLICY_STATES = [
  'unconfigured',
  'pending',
  'in_sync',
  'drifted',
  'missing',
  'refused',
  'unreachable',
] as const;
type BucketPolicyState = (typeof BUCKET_POLICY_STATES)[number];

const BucketPolicyStateEnum = Object.fromEntries(BUCKET_POLICY_STATES.map((state) => [state, state]));

registerEnumType(BucketPolicyStateEnum, {
  name: 'BucketPolicyState',
  description:
    '`unconfigured`: no object store is configured; `pending`: the policy is being written; `in_sync`: the store has the expected policy; `drifted`: the statements for your sub-tokens were changed in the store; `missing`: the store has no such bucket; `refused`: the store rejected the policy, or it would be larger than 20 KiB; `unreachable`: the store does not answer and will be tried again.',
});

@ObjectType({
  description: 'The bucket policy in the object store: expected statements, stored policy and state.',
  simpleResolvers: true,
})
export class BucketPolicy {
  @Field(() => BucketPolicyStateEnum, { description: 'Whether the store has the expected policy.' })
  state!: BucketPolicyState;

  @Field(() => String, { nullable: true, description: 'Why the store does not have the expected policy.' })
  fault!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The policy found in the store at the last check, as JSON; null: none.',
  })
  found!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the store was last checked.' })
  checkedAt!: Date | null;
}

@Directive('@key(fields: "name")')
@ObjectType({ description: 'One of your buckets.', simpleResolvers: true })
export class Bucket {
  @Field(() => String, { description: 'Name, unique among all users.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => BucketPolicy, { description: 'State of its policy in the object store.' })
  policy!: Computed<BucketPolicy>;

  /** Its owner. */
  userId!: number;

  @Field(() => DateTime, { description: 'When it was created or assigned to you.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;
}

@Entity({ tableName: 'bucket' })
export class BucketRow extends Bucket {
  @PrimaryKey({ type: 'integer', autoincrement: false }) override userId!: number;
  @PrimaryKey({ type: 'integer', generated: 'identity', autoincrement: true }) id!: Opt<number>;
  @Property({ type: 'boolean', default: false }) isAbsentSeen!: Opt<boolean>;
  @Property({ type: 'boolean', default: false }) isMade!: Opt<boolean>;
  @Property({ type: 'integer', default: 1 }) accessRevision!: Opt<number>;
  @Property({ type: 'integer', default: 0 }) writtenRevision!: Opt<number>;
  @Property({ type: 'text', nullable: true }) written!: string | null;
  @Property({ type: 'text', nullable: true }) found!: string | null;
  @Property({ type: 'text', defaultRaw: `'pending'::text` }) state!: Opt<Exclude<BucketPolicyState, 'unconfigured'>>;
  @Property({ type: 'text', nullable: true }) fault!: string | null;
  @Property({ type: 'datetime', nullable: true }) checkedAt!: Date | null;
}
