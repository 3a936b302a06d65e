import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { User } from '../../identity/user/user.js';
import { mayRead } from '../../identity/user/user.rules.js';
import { balanceOfUser } from './credit-balance.actions.js';
import { CreditBalance } from './credit-balance.js';

@Resolver(() => User)
export class UserBalanceResolver {
  @FieldResolver(() => CreditBalance, {
    nullable: true,
    description: 'Credit balance; null unless you may see it.',
  })
  creditBalance(@Root() user: User, @Ctx() { viewer, database }: Context): Promise<CreditBalance> | null {
    return mayRead(viewer, user.id) ? balanceOfUser(database, user.id) : null;
  }
}
