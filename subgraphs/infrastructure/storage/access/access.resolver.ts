import { Arg, Args, ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import { requireUser } from '../../../../kernel/viewer.js';
import type { InfrastructureContext } from '../../services.js';
import { networkOf, readAddress } from '../grant/cidr.rules.js';
import type { SubTokenAction } from '../grant/grant.js';
import { SubTokenActionEnum } from '../sub-token/sub-token.js';
import { checkKey } from '../sub-token/sub-token.rules.js';
import { explainAccess, listAccess } from './access.actions.js';
import { AccessExplanation, BucketAccess } from './access.js';

@ArgsType()
class AttemptArgs {
  @Field(() => String, { description: 'A bucket of yours.' })
  bucket!: string;

  @Field(() => String, { description: 'Of an object, 1 to 1024 bytes.' })
  key!: string;

  @Field(() => SubTokenActionEnum, { description: 'What somebody wants to do.' })
  action!: SubTokenAction;
}

@Resolver()
export class AccessResolver {
  @Query(() => [BucketAccess], {
    description: 'For each bucket of yours, by name, which sub-tokens, actions and prefixes apply.',
  })
  objectStoreAcl(@Ctx() context: InfrastructureContext): Promise<BucketAccess[]> {
    return listAccess(context, requireUser(context.viewer).userId);
  }

  @Query(() => AccessExplanation, {
    description:
      'Says which of your sub-tokens may do something in a bucket of yours, and why, or why not; of those that were revoked the last 200 are named. Errors: BAD_REQUEST, NOT_FOUND for the bucket.',
  })
  async explainAccess(
    @Args(() => AttemptArgs) { bucket, key, action }: AttemptArgs,
    @Arg('address', () => String, { nullable: true, description: 'The IP address it is tried from.' })
    address: string | null | undefined,
    @Ctx() context: InfrastructureContext,
  ): Promise<AccessExplanation> {
    const { userId } = requireUser(context.viewer);
    checkKey(key);
    const from = address == null ? undefined : networkOf(readAddress(address, 'address'));
    return explainAccess(context, userId, { bucket, key, action, address: from, now: context.now() });
  }
}
