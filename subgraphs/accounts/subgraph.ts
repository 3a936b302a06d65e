import type { SubgraphManifest } from '../../kernel/subgraph.js';
import { CreditBalanceResolver } from './credit/credit-balance.resolver.js';
import { TokenPriceResolver } from './price/token-price.resolver.js';
import { SignInResolver } from './sign-in/sign-in.resolver.js';
import { TokenResolver } from './token/token.resolver.js';
import { ensureSuperuser } from './user/user.actions.js';
import { userReference } from './user/user.reference.js';
import { UserResolver } from './user/user.resolver.js';

export const accounts: SubgraphManifest = {
  name: 'accounts',
  resolvers: [SignInResolver, TokenResolver, UserResolver, CreditBalanceResolver, TokenPriceResolver],
  types: [],
  references: { User: userReference },
  prepare: async ({ database, now }, { adminToken }) => {
    if (adminToken) await ensureSuperuser(database, adminToken, now());
  },
};
