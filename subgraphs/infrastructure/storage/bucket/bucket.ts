import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';

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
    '`unconfigured`: there is no store to tell; `drifted`: somebody else has changed what it was told; `missing`: it has no such bucket; `refused`: it does not take it, or it would have more than 20 KiB; `unreachable`: it is tried again.',
});

@ObjectType({
  description: 'What the store was told of who may use a bucket, and what it says.',
  simpleResolvers: true,
})
export class BucketPolicy {
  @Field(() => BucketPolicyStateEnum, { description: 'Whether the store has what it was told.' })
  state!: BucketPolicyState;

  @Field(() => String, { nullable: true, description: 'Why it does not.' })
  fault!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The policy that was found when the store was last looked at, in JSON; null: none.',
  })
  found!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the store was last looked at.' })
  checkedAt!: Date | null;
}

@ObjectType({ description: 'A bucket of yours.', simpleResolvers: true })
export class Bucket {
  @Field(() => String, { description: 'Nobody else has one of this name.' })
  name!: string;

  @Field(() => BucketPolicy, { description: 'What the store was told of who may use it.' })
  policy!: BucketPolicy;

  @Field(() => DateTime, { description: 'When it became yours.' })
  createdAt!: Date;
}
