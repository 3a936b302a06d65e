import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import { Decimal } from '../../../../kernel/scalars.js';
import { requireRole } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { refreshTokenPrice } from './price-feed.js';
import { latestTokenPrice, recordTokenPrice } from './token-price.actions.js';
import { TokenPrice } from './token-price.js';

@Resolver()
export class TokenPriceResolver {
  @Query(() => TokenPrice, {
    description: 'The latest price of a TAO token; public. Error NOT_FOUND while there is none.',
  })
  async latestTokenPrice(@Ctx() context: AccountsContext): Promise<TokenPrice> {
    const price = await latestTokenPrice(context);
    if (!price) throw notFound('There is no price data yet.');
    return price;
  }

  @Mutation(() => TokenPrice, { description: 'Records the price of a token. Needs the role ADMIN.' })
  adminRecordTokenPrice(
    @Arg('priceUsd', () => Decimal, { description: 'US dollars for one token, above zero.' }) priceUsd: string,
    @Arg('blockNumber', () => Int, { description: 'The block the price belongs to.' }) blockNumber: number,
    @Ctx() context: AccountsContext,
  ): Promise<TokenPrice> {
    requireRole(context.viewer, 'ADMIN');
    if (!/[1-9]/.test(priceUsd) || priceUsd.startsWith('-')) throw badRequest('`priceUsd` must be above zero.');
    if (blockNumber < 0) throw badRequest('`blockNumber` must not be negative.');
    return recordTokenPrice(context, { priceUsd, blockNumber, source: 'administrator', createdAt: context.now() });
  }

  @Mutation(() => TokenPrice, {
    description:
      'Asks the sources of the TAO price now instead of within the minute. Needs the role ADMIN. Error UNAVAILABLE when they give none that can be believed.',
  })
  adminRefreshTokenPrice(@Ctx() context: AccountsContext): Promise<TokenPrice> {
    requireRole(context.viewer, 'ADMIN');
    return refreshTokenPrice(context);
  }
}
