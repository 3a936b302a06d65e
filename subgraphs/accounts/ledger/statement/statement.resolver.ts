import { Arg, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { forbidden } from '../../../../kernel/errors.js';
import { hasRole, requireSignedIn, requireUser } from '../../../../kernel/security/viewer.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import { statementOf } from './statement.actions.js';
import { Statement } from './statement.js';
import { statementRange } from './statement.rules.js';

@Resolver()
export class StatementResolver {
  @Directive(listSize('first', ['lines']))
  @Query(() => Statement, {
    description:
      'All movements of your credits, newest first. Administrators can pass the address of another account. Errors BAD_REQUEST, NOT_FOUND.',
  })
  async statement(
    @Arg('first', () => Int, { nullable: true, description: 'Number of lines: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Cursor: returns the lines after this one.' })
    after: string | null,
    @Arg('substrateAddress', () => String, {
      nullable: true,
      description: 'SS58 address of the account; default: your account.',
    })
    substrateAddress: string | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<Statement> {
    if (substrateAddress == null) {
      const { userId } = requireUser(viewer);
      return statementOf(database, userId, statementRange(first, after));
    }
    requireSignedIn(viewer);
    const own = viewer.kind === 'user' && viewer.substrateAddress === substrateAddress;
    if (!own && !hasRole(viewer, 'ADMIN'))
      throw forbidden('Only administrators can read the statement of another account.');
    const page = await statementOf(
      database,
      (await userByAddress(database, substrateAddress)).id,
      statementRange(first, after),
    );
    // Subjects are objects of the user, which administrators cannot read.
    return own ? page : { ...page, lines: page.lines.map((line) => ({ ...line, subjectId: null })) };
  }
}
