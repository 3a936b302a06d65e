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
      'The movements of your credits, newest first. Administrators can read another account. Errors: BAD_REQUEST, FORBIDDEN for another account, NOT_FOUND.',
  })
  async statement(
    @Arg('first', () => Int, { nullable: true, description: 'Number of lines: default 50, maximum 200.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'Cursor: the `next` of the previous page.' })
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
    const isOwn = viewer.kind === 'user' && viewer.substrateAddress === substrateAddress;
    if (!isOwn && !hasRole(viewer, 'ADMIN'))
      throw forbidden('Only administrators can read the statement of another account.');
    const page = await statementOf(
      database,
      (await userByAddress(database, substrateAddress)).id,
      statementRange(first, after),
    );
    // Subjects are objects of the user, which administrators cannot read.
    return isOwn ? page : { ...page, lines: page.lines.map((line) => ({ ...line, subjectId: null })) };
  }
}
