import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { hasRole, requirePlatform, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { TokenHolder } from '../token/token.js';
import { findAccessTokenHolder, issueMasterToken, refreshMasterToken } from './access-token.js';
import { listSessions } from './active-sessions.actions.js';
import { revokeSession } from './session.actions.js';
import { MasterToken, Session } from './session.js';

@Resolver()
export class SessionResolver {
  @Query(() => [Session], { description: 'Your sessions with a refresh token, newest first.' })
  sessions(@Ctx() { viewer, database, now }: AccountsContext): Promise<Session[]> {
    return listSessions(database, requireUser(viewer), now());
  }

  @Mutation(() => MasterToken, {
    description:
      'Creates a session: a short-lived access token and a refresh token. The session ends when the token or session that created it ends; beyond 100 sessions the oldest ends. For users only. Errors FORBIDDEN for services, RATE_LIMITED above 30 per minute.',
  })
  issueMasterToken(@Ctx() context: AccountsContext): Promise<MasterToken> {
    return issueMasterToken(context, requireUser(context.viewer));
  }

  @Mutation(() => MasterToken, {
    description:
      'Exchanges a refresh token for a new pair of tokens; each refresh token works once. Reusing it within 20 seconds returns the same pair; reusing it later ends the session. Error UNAUTHENTICATED.',
  })
  refreshMasterToken(
    @Arg('refreshToken', () => String, { description: 'The latest refresh token of the session.' })
    refreshToken: string,
    @Ctx() context: AccountsContext,
  ): Promise<MasterToken> {
    return refreshMasterToken(context, refreshToken);
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

  @Directive('@inaccessible')
  @Query(() => TokenHolder, {
    nullable: true,
    description: 'The holder of an access token; the gateway calls this once per request.',
  })
  async sessionHolder(
    @Arg('accessToken', () => String, { description: 'The JWT.' }) accessToken: string,
    @Ctx() context: AccountsContext,
  ): Promise<TokenHolder | null> {
    requirePlatform(context.viewer);
    return (await findAccessTokenHolder(context, accessToken)) ?? null;
  }
}
