import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../kernel/scalars.js';

@ObjectType({ description: 'What a TAO token cost at a block.', simpleResolvers: true })
export class TokenPrice {
  @Field(() => Decimal, { description: 'US dollars for one token.' })
  priceUsd!: string;

  @Field(() => Int, { description: 'The block the price belongs to.' })
  blockNumber!: number;

  @Field(() => DateTime, { description: 'When the price was recorded; the latest counts.' })
  createdAt!: Date;
}
