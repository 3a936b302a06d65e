import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { Decimal } from '../../../../kernel/scalars.js';
import { requireRole } from '../../../../kernel/viewer.js';
import { User } from '../../identity/user/user.js';
import { findReferralReward, referralCodeOf, setReferralReward } from './referral.actions.js';
import { checkReward } from './referral.rules.js';

@Resolver(() => User)
export class ReferralResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The code by which you bring others, which never changes; null for all but yourself.',
  })
  referralCode(@Root() user: User, @Ctx() { viewer, database }: Context): Promise<string | null> | null {
    return viewer.kind === 'user' && viewer.userId === user.id ? referralCodeOf(database, user.id) : null;
  }

  @Query(() => Decimal, {
    description: 'Credits that both sides of a referral are given; 0: none. Needs the role ADMIN.',
  })
  referralReward(@Ctx() { viewer, database }: Context): Promise<string> {
    requireRole(viewer, 'ADMIN');
    return findReferralReward(database);
  }

  @Mutation(() => Decimal, {
    description:
      'Decides what a referral earns from now on. A referrer is rewarded for at most 100 referrals; those beyond earn nobody anything. Needs the role ADMIN.',
  })
  adminSetReferralReward(
    @Arg('credits', () => Decimal, { description: 'Credits for each side, 0 to 1000; 0: none.' }) credits: string,
    @Ctx() { viewer, database }: Context,
  ): Promise<string> {
    requireRole(viewer, 'ADMIN');
    checkReward(credits);
    return setReferralReward(database, credits);
  }
}
