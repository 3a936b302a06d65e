import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'What a TAO token cost at a block.', simpleResolvers: true })
export class TokenPrice {
  @Field(() => Decimal, { description: 'US dollars for one token.' })
  priceUsd!: string;

  @Field(() => Int, { description: 'The block the price belongs to.' })
  blockNumber!: number;

  @Field(() => String, { description: '`feed`, `administrator` where one recorded it, or `sandbox` for play money.' })
  source!: 'administrator' | 'feed' | 'sandbox';

  @Field(() => DateTime, { description: 'When the price was recorded; the latest counts.' })
  createdAt!: Date;

  @Field(() => Int, { description: 'Seconds since then.' })
  ageSeconds!: number;

  @Field(() => Boolean, {
    description: 'Whether it is too old for a payment: after 15 minutes, where a feed is set up.',
  })
  isStale!: boolean;
}
