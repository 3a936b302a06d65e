import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import type { SubTokenAction, SubTokenStatus } from '../grant/grant.js';
import { SubToken, SubTokenActionEnum, SubTokenStatusEnum } from '../sub-token/sub-token.js';

@ObjectType({
  description: 'The access of a sub-token to a bucket, after the limits of its parents are applied.',
  simpleResolvers: true,
})
export class SubTokenAccess {
  @Field(() => Int, { description: 'The sub-token.' })
  id!: number;

  @Field(() => String, { description: 'The name you gave it.' })
  name!: string;

  @Field(() => String, { description: 'Access key id for the object store (S3).' })
  accessKeyId!: string;

  @Field(() => [SubTokenActionEnum], { description: 'Allowed actions, at least one.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { description: 'Allowed key prefixes. Empty: every key.' })
  prefixes!: string[];

  @Field(() => SubTokenStatusEnum, { description: 'Current status.' })
  status!: SubTokenStatus;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it or one of its parents expires, whichever is first; null: never.',
  })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'One of your buckets with the sub-tokens that give access to it.', simpleResolvers: true })
export class BucketAccess {
  @Field(() => String, { description: 'The bucket.' })
  bucket!: string;

  @Field(() => [SubTokenAccess], { description: 'Sub-tokens that are not revoked, ordered by id.' })
  subTokens!: SubTokenAccess[];
}

@ObjectType({ description: 'Whether one sub-token allows the action, and why.', simpleResolvers: true })
export class SubTokenVerdict {
  @Field(() => SubToken, { description: 'The sub-token.' })
  subToken!: SubToken;

  @Field(() => Boolean, { description: 'Whether this sub-token allows the action.' })
  isAllowed!: boolean;

  @Field(() => String, { description: 'The reason, as a sentence.' })
  reason!: string;
}

@ObjectType({
  description: 'Explains whether an action in one of your buckets is allowed, and by which sub-tokens.',
  simpleResolvers: true,
})
export class AccessExplanation {
  @Field(() => Boolean, { description: 'Whether any sub-token allows the action.' })
  isAllowed!: boolean;

  @Field(() => String, { description: 'The deciding reason, as a sentence.' })
  reason!: string;

  @Field(() => [SubTokenVerdict], { description: 'The result for each sub-token, allowing ones first.' })
  verdicts!: SubTokenVerdict[];
}
