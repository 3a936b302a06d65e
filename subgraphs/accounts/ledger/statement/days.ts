import { Field, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../../../kernel/scalars/scalars.js';

@ObjectType({ description: 'The movements of a day that are about the same, added up.', simpleResolvers: true })
export class StatementGroup {
  @Field(() => String, { description: 'Cursor of its newest line in `statement`.' })
  cursor!: string;

  @Field(() => Int, { description: 'Number of its lines.' })
  lines!: number;

  @Field(() => Decimal, { description: 'Sum of its amounts, exactly.' })
  amount!: string;

  @Field(() => Boolean, { description: 'Whether the movements changed the debt instead of the balance.' })
  isDebt!: boolean;

  @Field(() => String, { description: 'The source of the movements, e.g. `administrator`.' })
  source!: string;

  @Field(() => String, { description: 'The kind of movement, e.g. `grant` or `settlement`.' })
  kind!: string;

  @Field(() => String, { description: 'The reason, as a sentence.' })
  reason!: string;

  /** A value of the SQL function `accounts.transfer_subject`. */
  subjectId!: string | null;
}

@ObjectType({ description: 'A day of a user’s statement.', simpleResolvers: true })
export class StatementDay {
  @Field(() => String, { description: 'The date in UTC, as YYYY-MM-DD.' })
  date!: string;

  @Field(() => Decimal, { description: 'The balance after its last movement.' })
  balance!: string;

  @Field(() => [StatementGroup], { description: 'Its movements by what they are about, latest first.' })
  groups!: StatementGroup[];
}

@ObjectType({ description: 'A page of the days of a user’s statement, newest first.', simpleResolvers: true })
export class StatementDays {
  @Field(() => [StatementDay], { description: 'The days that have movements, newest first.' })
  days!: StatementDay[];

  @Field(() => String, { nullable: true, description: 'Cursor of the next page; null on the last page.' })
  next!: string | null;
}
