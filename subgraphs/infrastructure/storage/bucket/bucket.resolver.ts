import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { requireRole, requireUser } from '../../../../kernel/security/viewer.js';
import { fetchUserId } from '../../calls.js';
import type { InfrastructureContext } from '../../services.js';
import { addBucket, listBuckets, type KnownPolicy } from './bucket.actions.js';
import { Bucket, BucketPolicy } from './bucket.js';
import { deleteBucket } from './delete.actions.js';
import { checkBucketName } from './bucket.rules.js';
import { checkNow } from './policy.actions.js';

@Resolver()
export class BucketResolver {
  @Query(() => [Bucket], { description: 'Your buckets, ordered by name.' })
  buckets(@Ctx() context: InfrastructureContext): Promise<Bucket[]> {
    return listBuckets(context, requireUser(context.viewer).userId);
  }

  @Query(() => Boolean, {
    description:
      'Whether an object store is configured (`BLOB_URL` of the platform). Without one, buckets are kept as records only and hold no objects. No sign-in required.',
  })
  hasObjectStore(@Ctx() { services }: InfrastructureContext): boolean {
    return services.store !== undefined;
  }

  @Mutation(() => Bucket, {
    description:
      'Creates a bucket, also in the object store if one is configured. Errors: BAD_REQUEST for the name; CONFLICT for a name that is taken, for too many buckets, and when your sub-tokens for all buckets would make its policy larger than 20 KiB; UNAVAILABLE.',
  })
  async createBucket(
    @Arg('name', () => String, {
      description: 'Name by the rules of S3: 3 to 63 lower-case letters, digits, dashes and dots.',
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
      'Deletes one of your buckets and its policy, also in the object store. Returns whether the bucket existed. Sub-tokens for all buckets stay valid. Errors: CONFLICT while a sub-token that is not revoked names the bucket and while the bucket has objects; UNAVAILABLE.',
  })
  deleteBucket(
    @Arg('name', () => String, {
      description: 'Name of the bucket. Afterwards another user can create a bucket with this name.',
    })
    name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<boolean> {
    return deleteBucket(context, requireUser(context.viewer).userId, name);
  }

  @Mutation(() => Bucket, {
    description:
      'Assigns a bucket that already exists in the object store to a user. Requires the role ADMIN. Errors: BAD_REQUEST for the name; NOT_FOUND for the address; CONFLICT for a bucket that is already assigned, for too many buckets, and for a policy larger than 20 KiB.',
  })
  async adminAssignBucket(
    @Arg('name', () => String, { description: 'Name of the bucket in the object store.' }) name: string,
    @Arg('substrateAddress', () => String, { description: 'SS58 address of the user.' }) substrateAddress: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    requireRole(context.viewer, 'ADMIN');
    checkBucketName(name);
    const userId = await fetchUserId(context, substrateAddress);
    return addBucket(context, { userId, name, isMade: true });
  }

  @Mutation(() => Bucket, {
    description:
      'Checks now whether the object store has the expected policy. Errors: NOT_FOUND, UNAVAILABLE when no store is configured.',
  })
  checkBucketPolicy(
    @Arg('name', () => String, { description: 'Name of the bucket.' }) name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    return checkNow(context, requireUser(context.viewer).userId, { name, isWritten: false });
  }

  @Mutation(() => Bucket, {
    description:
      'Writes the statements for your sub-tokens to the object store again. Other statements of the policy stay. Errors: NOT_FOUND, UNAVAILABLE when no store is configured.',
  })
  restoreBucketPolicy(
    @Arg('name', () => String, { description: 'Name of the bucket.' }) name: string,
    @Ctx() context: InfrastructureContext,
  ): Promise<Bucket> {
    return checkNow(context, requireUser(context.viewer).userId, { name, isWritten: true });
  }
}

@Resolver(() => BucketPolicy)
export class BucketPolicyResolver {
  @FieldResolver(() => String, {
    description: 'The statements that the policy must contain for your sub-tokens, as JSON.',
  })
  wanted(@Root() policy: KnownPolicy): Promise<string> {
    return policy.readDesired();
  }
}
