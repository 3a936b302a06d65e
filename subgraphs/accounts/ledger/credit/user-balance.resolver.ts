import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { User } from '../../identity/user/user.js';
import { mayRead } from '../../identity/user/user.rules.js';
import { loadBalance } from './credit-balance.actions.js';
import { CreditBalance } from './credit-balance.js';

@Resolver(() => User)
export class UserBalanceResolver {
  @FieldResolver(() => CreditBalance, {
    nullable: true,
    description: 'Credit balance; null unless you may see it.',
  })
  async creditBalance(@Root() { id }: User, @Ctx() context: Context): Promise<CreditBalance | null> {
    return mayRead(context.viewer, id) ? ((await loadBalance(context, id)) ?? null) : null;
  }
}
