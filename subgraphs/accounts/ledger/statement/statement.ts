import { Field, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars.js';

@ObjectType({ description: 'One movement of a user’s credits or debt.', simpleResolvers: true })
export class StatementLine {
  @Field(() => String, { description: 'Its cursor: counts from 1 for each user, without gaps.' })
  cursor!: string;

  @Field(() => Decimal, { description: 'Credits that came in; below zero: that went out.' })
  amount!: string;

  @Field(() => Boolean, {
    description:
      'Whether it moved the debt and not the balance: what came in paid some of it, what went out added to it.',
  })
  isDebt!: boolean;

  @Field(() => Decimal, { description: 'The balance after it.' })
  balance!: string;

  @Field(() => Decimal, { description: 'The debt after it.' })
  debt!: string;

  @Field(() => String, { description: 'The part of the platform it comes from, e.g. `administrator`.' })
  source!: string;

  @Field(() => String, { description: 'What it is, e.g. `grant` or `settlement`.' })
  kind!: string;

  @Field(() => String, { description: 'Why, as a sentence.' })
  reason!: string;

  @Field(() => String, { description: 'What it belongs to, e.g. the id of a transaction.' })
  link!: string;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A stretch of a user’s statement, newest first.', simpleResolvers: true })
export class Statement {
  @Field(() => [StatementLine], { description: 'Newest first.' })
  lines!: StatementLine[];

  @Field(() => String, { nullable: true, description: 'Where older lines continue; null at the end.' })
  next!: string | null;
}
