import { Arg, Args, ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/security/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { networkOf, readAddress } from '../grant/cidr.rules.js';
import type { SubTokenAction } from '../grant/grant.js';
import { SubTokenActionEnum } from '../sub-token/sub-token.js';
import { checkKey } from '../sub-token/sub-token.rules.js';
import { explainAccess, listAccess } from './access.actions.js';
import { AccessExplanation, BucketAccess } from './access.js';

@ArgsType()
class AttemptArgs {
  @Field(() => String, { description: 'One of your buckets.' })
  bucket!: string;

  @Field(() => String, { description: 'Key of the object, 1 to 1024 bytes.' })
  key!: string;

  @Field(() => SubTokenActionEnum, { description: 'The action to check.' })
  action!: SubTokenAction;
}

@Resolver()
export class AccessResolver {
  @Query(() => [BucketAccess], {
    description: 'The sub-tokens, actions and prefixes that apply to each of your buckets, ordered by bucket name.',
  })
  objectStoreAcl(@Ctx() context: InfrastructureContext): Promise<BucketAccess[]> {
    return listAccess(context, requireUser(context.viewer).userId);
  }

  @Query(() => AccessExplanation, {
    description:
      'Explains which of your sub-tokens allow an action in one of your buckets, and why. Of revoked sub-tokens only the last 200 are included. Errors: BAD_REQUEST, NOT_FOUND for the bucket.',
  })
  async explainAccess(
    @Args(() => AttemptArgs) { bucket, key, action }: AttemptArgs,
    @Arg('address', () => String, { nullable: true, description: 'IP address of the client. Omitted: any address.' })
    address: string | null | undefined,
    @Ctx() context: InfrastructureContext,
  ): Promise<AccessExplanation> {
    const { userId } = requireUser(context.viewer);
    checkKey(key);
    const from = address == null ? undefined : networkOf(readAddress(address, 'address'));
    return explainAccess(context, userId, { bucket, key, action, address: from, now: context.now() });
  }
}
