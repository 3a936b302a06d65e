import { Field, ObjectType } from 'type-graphql';
import { DateTime, Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'One movement of a user’s credits or debt.', simpleResolvers: true })
export class StatementLine {
  @Field(() => String, { description: 'Line number and cursor: counts from 1 per user, without gaps.' })
  cursor!: string;

  @Field(() => Decimal, { description: 'Credits added; negative for credits removed.' })
  amount!: string;

  @Field(() => Boolean, {
    description:
      'Whether the movement changed the debt instead of the balance: positive amounts pay debt, negative amounts add debt.',
  })
  isDebt!: boolean;

  @Field(() => Decimal, { description: 'The balance after it.' })
  balance!: string;

  @Field(() => Decimal, { description: 'The debt after it.' })
  debt!: string;

  @Field(() => String, { description: 'The source of the movement, e.g. `administrator`.' })
  source!: string;

  @Field(() => String, { description: 'The kind of movement, e.g. `grant` or `settlement`.' })
  kind!: string;

  @Field(() => String, { description: 'The reason, as a sentence.' })
  reason!: string;

  @Field(() => String, { description: 'The related object, e.g. the id of a transaction.' })
  link!: string;

  @Field(() => DateTime, { description: 'When the event happened.' })
  createdAt!: Date;

  /** A value of the SQL function `accounts.transfer_subject`. */
  subjectId!: string | null;
}

@ObjectType({ description: 'A page of a user’s statement, newest first.', simpleResolvers: true })
export class Statement {
  @Field(() => [StatementLine], { description: 'Items on this page, newest first.' })
  lines!: StatementLine[];

  @Field(() => String, { nullable: true, description: 'Cursor of the next page; null on the last page.' })
  next!: string | null;
}
