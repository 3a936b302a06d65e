import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars.js';
import { requireUser } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { createSubToken, listSubTokens, revokeSubToken } from './sub-token.actions.js';
import type { SubTokenAction, SubTokenScope } from '../grant/grant.js';
import { IssuedSubToken, SubToken, SubTokenActionEnum, SubTokenScopeEnum } from './sub-token.js';
import { readSubTokenInput } from './sub-token.rules.js';

@ArgsType()
class SubTokenArgs {
  @Field(() => String, { description: 'What you call it, 1 to 100 characters.' })
  name!: string;

  @Field(() => SubTokenScopeEnum, { description: 'Which buckets it is for.' })
  scopeType!: SubTokenScope;

  @Field(() => [String], { nullable: true, description: 'Your buckets that it is for, where it is not for all.' })
  bucketNames?: string[] | null;

  @Field(() => [SubTokenActionEnum], { description: 'What it may do, one thing at least.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { nullable: true, description: 'What keys must begin with, at most 50; none: every key.' })
  allowedPrefixes?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'IP addresses, or networks of them, that it may be used from, at most 50; none: everywhere.',
  })
  ipAllowlist?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'From when it is valid.' })
  notBefore?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Until when it is valid.' })
  expiresAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'A sub-token of yours that it is cut by: whatever it says, it may never do more than that.',
  })
  parentId?: number | null;
}

@Resolver(() => SubToken)
export class SubTokenResolver {
  @Query(() => [SubToken], {
    description: 'Your sub-tokens, newest first: all that were not revoked, and the last 200 that were.',
  })
  subTokens(@Ctx() context: InfrastructureContext): Promise<SubToken[]> {
    return listSubTokens(context, requireUser(context.viewer).userId);
  }

  @Mutation(() => IssuedSubToken, {
    description:
      'Gives somebody access to buckets of yours; the secret is answered this once. Errors: BAD_REQUEST for its terms, and for buckets and a parent that are not yours, CONFLICT for more than 200 at a time, or 1000 with those that ended and were not revoked, for a bucket whose policy would have more than 20 KiB, and for more than 64 KiB of prefixes and addresses in all, RATE_LIMITED for more than 400 a day.',
  })
  async createSubToken(
    @Args(() => SubTokenArgs) args: SubTokenArgs,
    @Ctx() context: InfrastructureContext,
  ): Promise<IssuedSubToken> {
    const { userId } = requireUser(context.viewer);
    const { bucketNames, allowedPrefixes, ipAllowlist, notBefore = null, expiresAt = null, parentId = null } = args;
    const lists = {
      bucketNames: bucketNames ?? [],
      allowedPrefixes: allowedPrefixes ?? [],
      ipAllowlist: ipAllowlist ?? [],
    };
    const wishes = readSubTokenInput({ ...args, ...lists, notBefore, expiresAt, parentId }, context.now());
    return createSubToken(context, userId, wishes);
  }

  @Mutation(() => SubToken, {
    description: 'Takes a sub-token’s access away, and that of its children; again is the same. Error NOT_FOUND.',
  })
  revokeSubToken(
    @Arg('id', () => Int, { description: 'The sub-token.' }) id: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<SubToken> {
    return revokeSubToken(context, requireUser(context.viewer).userId, id);
  }
}
