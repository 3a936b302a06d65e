import { Field, ObjectType } from 'type-graphql';
import { NumberedPage } from '../../../../kernel/paging/page.js';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'Credit balance of a user; 1 USD buys 1 credit.', simpleResolvers: true })
export class CreditBalance {
  @Field(() => Decimal, { description: 'Credits as an exact decimal.' })
  balance!: string;

  @Field(() => Decimal, { description: 'The part of the balance that is reserved by open holds.' })
  held!: string;

  @Field(() => Decimal, {
    description:
      'Credits that were charged back but not covered by the balance. Later credits pay the debt first; until then nothing can be spent but what open holds reserve.',
  })
  debt!: string;

  @Field(() => DateTime, { description: 'When the balance last changed.' })
  lastUpdated!: Date;

  @Field(() => String, { nullable: true, description: 'SS58 address of the owner; null for a user without one.' })
  accountSs58!: string | null;
}

@ObjectType({ description: 'The balance of an account that has an SS58 address.', simpleResolvers: true })
export class AccountBalance extends CreditBalance {
  @Field(() => String, { description: 'SS58 address of the account.' })
  override accountSs58!: string;
}

@ObjectType({ description: 'A page of balances.', simpleResolvers: true })
export class CreditBalancePage extends NumberedPage {
  @Field(() => [AccountBalance], { description: 'Balances, oldest account first.' })
  results!: AccountBalance[];
}
