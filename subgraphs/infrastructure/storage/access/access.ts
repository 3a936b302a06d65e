import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import type { SubTokenAction, SubTokenStatus } from '../grant/grant.js';
import { SubToken, SubTokenActionEnum, SubTokenStatusEnum } from '../sub-token/sub-token.js';

@ObjectType({
  description: 'What a sub-token may do in a bucket when its parents are considered.',
  simpleResolvers: true,
})
export class SubTokenAccess {
  @Field(() => Int, { description: 'The sub-token.' })
  id!: number;

  @Field(() => String, { description: 'As you called it.' })
  name!: string;

  @Field(() => String, { description: 'By which a store knows it.' })
  accessKeyId!: string;

  @Field(() => [SubTokenActionEnum], { description: 'What it may do, at least one thing.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { description: 'What keys must begin with; none: every key.' })
  prefixes!: string[];

  @Field(() => SubTokenStatusEnum, { description: 'Whether it can be used now.' })
  status!: SubTokenStatus;

  @Field(() => DateTime, { nullable: true, description: 'When it ends, or the first of its parents does.' })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'A bucket of yours with the sub-tokens that are for it.', simpleResolvers: true })
export class BucketAccess {
  @Field(() => String, { description: 'The bucket.' })
  bucket!: string;

  @Field(() => [SubTokenAccess], { description: 'Those that were not revoked, by id.' })
  subTokens!: SubTokenAccess[];
}

@ObjectType({ description: 'What a sub-token says to an attempt.', simpleResolvers: true })
export class SubTokenVerdict {
  @Field(() => SubToken, { description: 'The sub-token.' })
  subToken!: SubToken;

  @Field(() => Boolean, { description: 'Whether it allows it.' })
  isAllowed!: boolean;

  @Field(() => String, { description: 'Why, or why not, in a sentence.' })
  reason!: string;
}

@ObjectType({ description: 'Who may do something in a bucket of yours, and why.', simpleResolvers: true })
export class AccessExplanation {
  @Field(() => Boolean, { description: 'Whether any sub-token allows it.' })
  isAllowed!: boolean;

  @Field(() => String, { description: 'Which one and why; or why none does, in a sentence.' })
  reason!: string;

  @Field(() => [SubTokenVerdict], { description: 'What each says: those that allow it first.' })
  verdicts!: SubTokenVerdict[];
}
