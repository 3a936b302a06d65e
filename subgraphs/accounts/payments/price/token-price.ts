import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Computed } from '../../../../kernel/database/query.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'Price of a TAO token at a block.', simpleResolvers: true })
export class TokenPrice {
  @Field(() => Decimal, { description: 'Price of one token in US dollars.' })
  @Property({ type: 'numeric', precision: 38, scale: 18 })
  priceUsd!: string;

  @Field(() => Int, { description: 'Block number of the price.' })
  @Property({ type: 'integer' })
  blockNumber!: number;

  @Field(() => String, { description: 'Source of the price: `feed`, `administrator`, or `sandbox` for test money.' })
  @Property({ type: 'text', defaultRaw: `'administrator'::text` })
  source!: Opt<'administrator' | 'feed' | 'sandbox'>;

  @Field(() => DateTime, { description: 'When the price was recorded.' })
  @Property({ type: 'datetime' })
  createdAt!: Date;

  @Field(() => Int, { description: 'Age of the price in seconds.' })
  ageSeconds!: Computed<number>;

  @Field(() => Boolean, {
    description: 'Whether the price is too old for payments: after 15 minutes if a price feed is configured.',
  })
  isStale!: Computed<boolean>;
}

@Entity({ tableName: 'token_price' })
export class TokenPriceRow extends TokenPrice {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
}
