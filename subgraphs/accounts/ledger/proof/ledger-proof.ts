import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({
  description: 'Totals of the ledger, as exact decimals.',
  simpleResolvers: true,
})
export class LedgerFigures {
  @Field(() => Int, { description: 'Number of users with a ledger account.' })
  users!: number;

  @Field(() => Decimal, { description: 'Number of transfers.' })
  transfers!: string;

  @Field(() => Decimal, { description: 'Number of entries.' })
  entries!: string;

  @Field(() => String, { description: 'Sum of all user balances.' })
  balances!: string;

  @Field(() => String, { description: 'Sum of all open holds.' })
  held!: string;

  @Field(() => String, { description: 'Sum of all user debts.' })
  debts!: string;

  @Field(() => String, { description: 'Credits granted, minus credits charged back.' })
  issued!: string;

  @Field(() => String, { description: 'Credits spent.' })
  spent!: string;

  @Field(() => String, { description: 'Sum of all entries; must be zero.' })
  sum!: string;
}

@ObjectType({ description: 'A stored total that differs from the sum of its entries.', simpleResolvers: true })
export class LedgerDifference {
  @Field(() => String, { description: 'Owner of the total, e.g. `user 7` or `transfer 12`.' })
  of!: string;

  @Field(() => String, { description: 'Name of the total, e.g. `balance`.' })
  figure!: string;

  @Field(() => String, { description: 'The stored value.' })
  kept!: string;

  @Field(() => String, { description: 'The calculated value.' })
  added!: string;
}

@ObjectType({ description: 'Result of a ledger check on one consistent snapshot.', simpleResolvers: true })
export class LedgerProof {
  @Field(() => DateTime, { description: 'When the check ran.' })
  @Property({ type: 'datetime' })
  provedAt!: Date;

  @Field(() => Boolean, { description: 'Whether every stored total equals the sum of its entries.' })
  @Property({ type: 'boolean' })
  holds!: boolean;

  @Field(() => LedgerFigures, { description: 'Totals of the ledger.' })
  @Property({ type: 'jsonb' })
  figures!: LedgerFigures;

  @Field(() => [LedgerDifference], { description: 'The first 100 differences; empty if there are none.' })
  @Property({ type: 'jsonb' })
  differences!: LedgerDifference[];
}

@Entity({ tableName: 'ledger_proof' })
export class LedgerProofRow extends LedgerProof {
  @PrimaryKey({ type: 'integer', generated: 'identity' }) id!: Opt<number>;
}
