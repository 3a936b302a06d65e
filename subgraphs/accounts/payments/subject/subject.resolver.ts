import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AccountsContext } from '../../services.js';
import { StatementGroup } from '../../ledger/statement/days.js';
import { StatementLine } from '../../ledger/statement/statement.js';
import { StatementSubject } from '../../ledger/statement/subject.js';
import { subjectOf } from './subject.actions.js';

@Resolver(() => StatementLine)
export class SubjectResolver {
  @FieldResolver(() => StatementSubject, {
    nullable: true,
    description:
      'Your machine, payment or day of storage that the movement is about; null if it is about none of them.',
  })
  async subject(@Root() line: StatementLine, @Ctx() context: AccountsContext): Promise<object | null> {
    return subjectOf(context, line);
  }
}

@Resolver(() => StatementGroup)
export class GroupSubjectResolver {
  @FieldResolver(() => StatementSubject, {
    nullable: true,
    description:
      'Your machine, payment or day of storage that the movements are about; null if they are about none of them.',
  })
  async subject(@Root() group: StatementGroup, @Ctx() context: AccountsContext): Promise<object | null> {
    return subjectOf(context, group);
  }
}
