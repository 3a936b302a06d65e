import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { badRequest, notFound } from '../../../kernel/errors.js';
import { Decimal } from '../../../kernel/scalars.js';
import { requireRole } from '../../../kernel/viewer.js';
import { latestTokenPrice, recordTokenPrice } from './token-price.actions.js';
import { TokenPrice } from './token-price.js';

@Resolver()
export class TokenPriceResolver {
  @Query(() => TokenPrice, {
    description: 'The latest price of a TAO token; public. Error NOT_FOUND while there is none.',
  })
  async latestTokenPrice(@Ctx() { database }: Context): Promise<TokenPrice> {
    const price = await latestTokenPrice(database);
    if (!price) throw notFound('There is no price data yet.');
    return price;
  }

  @Mutation(() => TokenPrice, { description: 'Records the price of a token. Needs the role ADMIN.' })
  adminRecordTokenPrice(
    @Arg('priceUsd', () => Decimal, { description: 'US dollars for one token, above zero.' }) priceUsd: string,
    @Arg('blockNumber', () => Int, { description: 'The block the price belongs to.' }) blockNumber: number,
    @Ctx() { viewer, database, now }: Context,
  ): Promise<TokenPrice> {
    requireRole(viewer, 'ADMIN');
    if (!/[1-9]/.test(priceUsd) || priceUsd.startsWith('-')) throw badRequest('`priceUsd` must be above zero.');
    if (blockNumber < 0) throw badRequest('`blockNumber` must not be negative.');
    return recordTokenPrice(database, { priceUsd, blockNumber }, now());
  }
}
