import { Arg, Args, ArgsType, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import { DateTime } from '../../../../kernel/scalars/scalars.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { createSubToken, listSubTokens, revokeSubToken } from './sub-token.actions.js';
import type { SubTokenAction, SubTokenScope } from '../grant/grant.js';
import { IssuedSubToken, SubToken, SubTokenActionEnum, SubTokenScopeEnum } from './sub-token.js';
import { readSubTokenInput } from './sub-token.rules.js';

@ArgsType()
class SubTokenArgs {
  @Field(() => String, { description: 'Name, 1 to 100 characters.' })
  name!: string;

  @Field(() => SubTokenScopeEnum, { description: 'Which buckets it applies to.' })
  scopeType!: SubTokenScope;

  @Field(() => [String], {
    nullable: true,
    description:
      'Names of your buckets, at most 100. Required for `single_bucket`, which may list several; not allowed for `all_buckets`.',
  })
  bucketNames?: string[] | null;

  @Field(() => [SubTokenActionEnum], { description: 'Allowed actions, at least one.' })
  actions!: SubTokenAction[];

  @Field(() => [String], { nullable: true, description: 'Allowed key prefixes, at most 50. Empty: every key.' })
  allowedPrefixes?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'IP addresses or networks (CIDR) from which it may be used, at most 50. Empty: any address.',
  })
  ipAllowlist?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'Start of validity.' })
  notBefore?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End of validity.' })
  expiresAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'One of your sub-tokens as parent. The new sub-token never has more access than its parent.',
  })
  parentId?: number | null;
}

@Resolver(() => SubToken)
export class SubTokenResolver {
  @Query(() => [SubToken], {
    description: 'Your sub-tokens, newest first: all that are not revoked, and the last 200 revoked ones.',
  })
  subTokens(@Ctx() context: InfrastructureContext): Promise<SubToken[]> {
    return listSubTokens(context, requireUser(context.viewer).userId);
  }

  @Mutation(() => IssuedSubToken, {
    description:
      'Creates an access key for your buckets. The secret is returned only once. The key opens a bucket once the operator of the object store has added a user with this key id and secret to it. Errors: BAD_REQUEST for invalid input and for buckets or a parent that are not yours; CONFLICT for more than 200 valid sub-tokens, more than 1000 including expired ones that are not revoked, a bucket policy larger than 20 KiB, or more than 64 KiB of prefixes and addresses in total; RATE_LIMITED for more than 400 a day.',
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
    const input = readSubTokenInput({ ...args, ...lists, notBefore, expiresAt, parentId }, context.now());
    return createSubToken(context, userId, input);
  }

  @Mutation(() => SubToken, {
    description:
      'Revokes a sub-token and the access of its children. Repeating it has no further effect. Error NOT_FOUND.',
  })
  revokeSubToken(
    @Arg('id', () => Int, { description: 'The sub-token.' }) id: number,
    @Ctx() context: InfrastructureContext,
  ): Promise<SubToken> {
    return revokeSubToken(context, requireUser(context.viewer).userId, id);
  }
}
