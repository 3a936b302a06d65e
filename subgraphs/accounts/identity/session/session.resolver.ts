import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { checkLine } from '../../../../kernel/scalars/text.js';
import { hasRole, requireUser } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { listSessions } from './active-sessions.actions.js';
import { labelSession, revokeSession } from './session.actions.js';
import { Session } from './session.js';

/** Also a constraint of the database. */
const MAX_LABEL_LENGTH = 100;

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

  @Mutation(() => Boolean, {
    description: 'Gives one of your sessions a name. Error NOT_FOUND for sessions of other users and ended ones.',
  })
  async labelSession(
    @Arg('id', () => String, { description: 'The id of the session.' }) id: string,
    @Arg('label', () => String, { nullable: true, description: 'Its name, 1 to 100 characters; null removes it.' })
    label: string | null | undefined,
    @Ctx() { viewer, database }: AccountsContext,
  ): Promise<boolean> {
    const { userId } = requireUser(viewer);
    const name = label == null ? null : checkLine('label', label.trim(), MAX_LABEL_LENGTH);
    await labelSession(database, { id, userId, label: name });
    return true;
  }
}
