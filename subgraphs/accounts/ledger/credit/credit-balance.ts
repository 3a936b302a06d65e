import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'Credits a user holds; 1 USD buys 1 credit.', simpleResolvers: true })
export class CreditBalance {
  @Field(() => Decimal, { description: 'Exact credits.' })
  balance!: string;

  @Field(() => Decimal, { description: 'Credits of the balance that are set aside for something under way.' })
  held!: string;

  @Field(() => Decimal, {
    description:
      'Credits taken back that the balance did not hold: the next grants pay it, until then nothing is spent.',
  })
  debt!: string;

  @Field(() => DateTime, { description: 'When the balance last changed.' })
  lastUpdated!: Date;

  @Field(() => String, { nullable: true, description: 'SS58 address of the holder; null for a user without one.' })
  accountSs58!: string | null;
}

@ObjectType({ description: 'The balance of an account that has an SS58 address.', simpleResolvers: true })
export class AccountBalance extends CreditBalance {
  @Field(() => String, { description: 'SS58 address of the account.' })
  override accountSs58!: string;
}

@ObjectType({ description: 'A page of balances.', simpleResolvers: true })
export class CreditBalancePage {
  @Field(() => Int, { description: 'Balances on all pages.' })
  count!: number;

  @Field(() => Int, { description: 'The page given, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'Balances a page holds at most.' })
  pageSize!: number;

  @Field(() => [AccountBalance], { description: 'Oldest account first.' })
  results!: AccountBalance[];
}
