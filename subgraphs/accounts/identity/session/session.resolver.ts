import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { hasRole, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { listSessions } from './active-sessions.actions.js';
import { revokeSession } from './session.actions.js';
import { Session } from './session.js';

@Resolver()
export class SessionResolver {
  @Query(() => [Session], { description: 'Your sessions with a refresh token, newest first.' })
  sessions(@Ctx() { viewer, database, now }: AccountsContext): Promise<Session[]> {
    return listSessions(database, requireUser(viewer), now());
  }

  @Mutation(() => Boolean, {
    description:
      'Revokes one of your sessions and the sessions created from it; administrators can revoke any session. Its access tokens stop working and open websockets close. Errors NOT_FOUND for sessions of other users, FORBIDDEN if only a superuser may revoke it.',
  })
  async revokeSession(
    @Arg('id', () => String, { description: 'The id of the session.' }) id: string,
    @Ctx() { viewer, database, now }: AccountsContext,
  ): Promise<boolean> {
    const userId = hasRole(viewer, 'ADMIN') ? undefined : requireUser(viewer).userId;
    await revokeSession(database, { id, userId, viewer }, now());
    return true;
  }
}
