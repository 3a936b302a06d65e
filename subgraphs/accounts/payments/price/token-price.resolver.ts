import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import { Decimal } from '../../../../kernel/scalars/scalars.js';
import { requireRole } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { refreshTokenPrice } from './price-feed.js';
import { latestTokenPrice, recordTokenPrice } from './token-price.actions.js';
import { TokenPrice } from './token-price.js';

@Resolver()
export class TokenPriceResolver {
  @Query(() => TokenPrice, {
    description: 'The latest TAO price. No sign-in required. Error NOT_FOUND before the first price.',
  })
  async latestTokenPrice(@Ctx() context: AccountsContext): Promise<TokenPrice> {
    const price = await latestTokenPrice(context);
    if (!price) throw notFound('There is no price data yet.');
    return price;
  }

  @Mutation(() => TokenPrice, { description: 'Records the price of TAO. Requires the role ADMIN.' })
  adminRecordTokenPrice(
    @Arg('priceUsd', () => Decimal, { description: 'Price of one TAO in US dollars, above zero.' }) priceUsd: string,
    @Arg('blockNumber', () => Int, { description: 'Number of the block for which the price holds.' })
    blockNumber: number,
    @Ctx() context: AccountsContext,
  ): Promise<TokenPrice> {
    requireRole(context.viewer, 'ADMIN');
    if (!/[1-9]/.test(priceUsd) || priceUsd.startsWith('-')) throw badRequest('`priceUsd` must be above zero.');
    if (blockNumber < 0) throw badRequest('`blockNumber` must not be negative.');
    return recordTokenPrice(context, { priceUsd, blockNumber, source: 'administrator', createdAt: context.now() });
  }

  @Mutation(() => TokenPrice, {
    description:
      'Fetches the TAO price from its sources now; otherwise it is fetched every minute. Requires the role ADMIN. Error UNAVAILABLE if no source returns a plausible price.',
  })
  adminRefreshTokenPrice(@Ctx() context: AccountsContext): Promise<TokenPrice> {
    requireRole(context.viewer, 'ADMIN');
    return refreshTokenPrice(context);
  }
}
