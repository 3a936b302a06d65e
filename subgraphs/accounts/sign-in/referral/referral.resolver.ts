import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import { User } from '../../identity/user/user.js';
import { findReferralReward, loadReferralCode, setReferralReward } from './referral.actions.js';
import { checkReward } from './referral.rules.js';

@Resolver(() => User)
export class ReferralResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Your referral code, which never changes; null on other users.',
  })
  async referralCode(@Root() { id }: User, @Ctx() context: Context): Promise<string | null> {
    const { viewer } = context;
    return viewer.kind === 'user' && viewer.userId === id ? ((await loadReferralCode(context, id)) ?? null) : null;
  }

  @Query(() => Decimal, {
    description: 'Credits that both users of a referral receive; 0 for none. Requires the role ADMIN.',
  })
  referralReward(@Ctx() { viewer, database }: Context): Promise<string> {
    requireRole(viewer, 'ADMIN');
    return findReferralReward(database);
  }

  @Mutation(() => Decimal, {
    description:
      'Sets the reward of new referrals. A referrer is rewarded for at most 100 referrals; further referrals give no reward to either user. Requires the role ADMIN.',
  })
  adminSetReferralReward(
    @Arg('credits', () => Decimal, { description: 'Credits for each user, 0 to 1000; 0 for none.' }) credits: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<string> {
    requireRole(viewer, 'ADMIN');
    checkReward(credits);
    return setReferralReward(database, credits);
  }
}
