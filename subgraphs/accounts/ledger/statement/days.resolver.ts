import { Arg, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { requireUser } from '../../../../kernel/security/viewer.js';
import { statementDaysOf } from './days.actions.js';
import { StatementDays } from './days.js';
import { statementRange } from './statement.rules.js';

@Resolver()
export class StatementDaysResolver {
  @Directive(listSize('first', ['days']))
  @Query(() => StatementDays, {
    description:
      'The movements of your credits by day and by what they are about, newest first. A day of more than 20000 movements continues as the first day of the next page. Error BAD_REQUEST.',
  })
  async statementDays(
    @Arg('first', () => Int, { nullable: true, description: 'Number of days: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Cursor: returns the days after this one.' })
    after: string | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<StatementDays> {
    return statementDaysOf(database, requireUser(viewer).userId, statementRange(first, after));
  }
}
