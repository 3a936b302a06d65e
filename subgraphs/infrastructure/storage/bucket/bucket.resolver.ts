import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { requireRole, requireUser } from '../../../../kernel/viewer.js';
import { askUserId } from '../../calls.js';
import type { InfrastructureContext } from '../../services.js';
import { addBucket, listBuckets, type KnownPolicy } from './bucket.actions.js';
import { Bucket, BucketPolicy } from './bucket.js';
import { deleteBucket } from './delete.actions.js';
import { checkBucketName } from './bucket.rules.js';
import { lookNow } from './policy.actions.js';

@Resolver()
export class BucketResolver {
  @Query(() => [Bucket], { description: 'Your buckets by name.' })
  buckets(@Ctx() context: InfrastructureContext): Promise<Bucket[]> {
    return listBuckets(context, requireUser(context.viewer).userId);
  }

  @Mutation(() => Bucket, {
    description:
      'Makes a bucket of yours, to which sub-tokens give access; where there is a store it is made there. Errors: BAD_REQUEST for its name, CONFLICT for a name that is taken, for too many, and where your sub-tokens for all buckets would make its policy larger than 20 KiB, UNAVAILABLE.',
  })
  async createBucket(
    @Arg('name', () => String, {
      description: '3 to 63 lower-case letters, digits, dashes and dots, as stores have it.',
    })
    name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    const { userId } = requireUser(context.viewer);
    checkBucketName(name);
    return addBucket(context, { userId, name, isMade: false });
  }

  @Mutation(() => Boolean, {
    description:
      'Gives a bucket of yours up and deletes it in the store, with its policy; answers whether there was one. Sub-tokens for all buckets stay. Errors: CONFLICT while sub-tokens name it that were not revoked, and while it has objects, UNAVAILABLE.',
  })
  deleteBucket(
    @Arg('name', () => String, { description: 'Of the bucket; another user may take it then.' }) name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<boolean> {
    return deleteBucket(context, requireUser(context.viewer).userId, name);
  }

  @Mutation(() => Bucket, {
    description:
      'Gives a bucket that is in the store already to a user. Needs the role ADMIN. Errors: BAD_REQUEST for its name, NOT_FOUND for the address, CONFLICT for a bucket that somebody has, for too many, and for a policy of more than 20 KiB.',
  })
  async adminAssignBucket(
    @Arg('name', () => String, { description: 'Of the bucket in the store.' }) name: string,
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    requireRole(context.viewer, 'ADMIN');
    checkBucketName(name);
    const userId = await askUserId(context, substrateAddress);
    return addBucket(context, { userId, name, isMade: true });
  }

  @Mutation(() => Bucket, {
    description:
      'Looks at once whether the store has what it was told. Errors: NOT_FOUND, UNAVAILABLE without a store.',
  })
  checkBucketPolicy(
    @Arg('name', () => String, { description: 'Of the bucket.' }) name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    return lookNow(context, requireUser(context.viewer).userId, { name, isWritten: false });
  }

  @Mutation(() => Bucket, {
    description:
      'Tells the store again what it should have of your sub-tokens; statements of others stay. Errors: NOT_FOUND, UNAVAILABLE without a store.',
  })
  restoreBucketPolicy(
    @Arg('name', () => String, { description: 'Of the bucket.' }) name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    return lookNow(context, requireUser(context.viewer).userId, { name, isWritten: true });
  }
}

@Resolver(() => BucketPolicy)
export class BucketPolicyResolver {
  @FieldResolver(() => String, {
    description: 'The statements that the policy has to have for your sub-tokens, in JSON.',
  })
  wanted(@Root() policy: KnownPolicy): Promise<string> {
    return policy.readWanted();
  }
}
