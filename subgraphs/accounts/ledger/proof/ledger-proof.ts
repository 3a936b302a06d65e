import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

@ObjectType({
  description: 'What the ledger adds up to; sums are exact decimals of any length.',
  simpleResolvers: true,
})
export class LedgerFigures {
  @Field(() => Int, { description: 'Users with an account.' })
  users!: number;

  @Field(() => Decimal, { description: 'Movements.' })
  transfers!: string;

  @Field(() => Decimal, { description: 'Their entries.' })
  entries!: string;

  @Field(() => String, { description: 'The balances of all users.' })
  balances!: string;

  @Field(() => String, { description: 'Of them, set aside.' })
  held!: string;

  @Field(() => String, { description: 'The debts of all users.' })
  debts!: string;

  @Field(() => String, { description: 'Credits granted and not taken back.' })
  issued!: string;

  @Field(() => String, { description: 'Credits spent.' })
  spent!: string;

  @Field(() => String, { description: 'All entries together: zero.' })
  sum!: string;
}

@ObjectType({ description: 'A figure that is not what its entries add up to.', simpleResolvers: true })
export class LedgerDifference {
  @Field(() => String, { description: 'Whose figure, e.g. `user 7` or `transfer 12`.' })
  of!: string;

  @Field(() => String, { description: 'Which figure, e.g. `balance`.' })
  figure!: string;

  @Field(() => String, { description: 'As it is kept.' })
  kept!: string;

  @Field(() => String, { description: 'As it adds up.' })
  added!: string;
}

@ObjectType({ description: 'The ledger added up in one consistent snapshot.', simpleResolvers: true })
export class LedgerProof {
  @Field(() => DateTime, { description: 'When it was added up.' })
  provedAt!: Date;

  @Field(() => Boolean, { description: 'Whether every figure is what its entries add up to.' })
  holds!: boolean;

  @Field(() => LedgerFigures, { description: 'What it adds up to.' })
  figures!: LedgerFigures;

  @Field(() => [LedgerDifference], { description: 'The first hundred differences; empty when it holds.' })
  differences!: LedgerDifference[];
}
