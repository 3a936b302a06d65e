import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'Price of a TAO token at a block.', simpleResolvers: true })
export class TokenPrice {
  @Field(() => Decimal, { description: 'Price of one token in US dollars.' })
  priceUsd!: string;

  @Field(() => Int, { description: 'Block number of the price.' })
  blockNumber!: number;

  @Field(() => String, { description: 'Source of the price: `feed`, `administrator`, or `sandbox` for test money.' })
  source!: 'administrator' | 'feed' | 'sandbox';

  @Field(() => DateTime, { description: 'When the price was recorded.' })
  createdAt!: Date;

  @Field(() => Int, { description: 'Age of the price in seconds.' })
  ageSeconds!: number;

  @Field(() => Boolean, {
    description: 'Whether the price is too old for payments: after 15 minutes if a price feed is configured.',
  })
  isStale!: boolean;
}
