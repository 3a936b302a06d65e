import { Arg, Ctx, Directive, Int, Query, Resolver } from 'type-graphql';
import { listSize } from '../../../../kernel/paging/page.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import { forbidden } from '../../../../kernel/errors.js';
import { hasRole, requireSignedIn, requireUser } from '../../../../kernel/security/viewer.js';
import { userByKey } from '../../identity/user/user.actions.js';
import { userKeyOf } from '../../identity/user/user-key.js';
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
      description: 'SS58 address of the account; or give `userId`. Default: your account.',
    })
    substrateAddress: string | null,
    @Arg('userId', () => Int, { nullable: true, description: 'Id of the user, who may have no SS58 address.' })
    userId: number | null,
    @Ctx() { viewer, database }: Context,
  ): Promise<Statement> {
    if (substrateAddress == null && userId == null)
      return statementOf(database, requireUser(viewer).userId, statementRange(first, after));
    requireSignedIn(viewer);
    const isOwn =
      viewer.kind === 'user' &&
      (userId ?? viewer.userId) === viewer.userId &&
      (substrateAddress ?? viewer.substrateAddress) === viewer.substrateAddress;
    if (!isOwn && !hasRole(viewer, 'ADMIN'))
      throw forbidden('Only administrators can read the statement of another account.');
    const user = await userByKey(database, userKeyOf({ substrateAddress, userId }));
    const page = await statementOf(database, user.id, statementRange(first, after));
    // Subjects are objects of the user, which administrators cannot read.
    return isOwn ? page : { ...page, lines: page.lines.map((line) => ({ ...line, subjectId: null })) };
  }
}
