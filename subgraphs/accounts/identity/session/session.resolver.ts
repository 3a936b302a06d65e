import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { hasRole, requirePlatform, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { TokenHolder } from '../token/token.js';
import { findAccessTokenHolder, issueMasterToken, refreshMasterToken } from './access-token.js';
import { listSessions, revokeSession } from './session.actions.js';
import { MasterToken, Session } from './session.js';

@Resolver()
export class SessionResolver {
  @Query(() => [Session], { description: 'Your sessions that go on by refresh tokens, newest first.' })
  sessions(@Ctx() { viewer, database, now }: AccountsContext): Promise<Session[]> {
    return listSessions(database, requireUser(viewer), now());
  }

  @Mutation(() => MasterToken, {
    description:
      'Begins a session: a short-lived access token and a refresh token. It ends with the token or session you ask with; of more than 100 the oldest ends. For users; a service has no session. Errors FORBIDDEN for services, RATE_LIMITED beyond 30 a minute.',
  })
  issueMasterToken(@Ctx() context: AccountsContext): Promise<MasterToken> {
    return issueMasterToken(context, requireUser(context.viewer));
  }

  @Mutation(() => MasterToken, {
    description:
      'The next pair of a session; the refresh token is used up. The same one again gets the same successor for 20 seconds, and ends the session after that. Error UNAUTHENTICATED.',
  })
  refreshMasterToken(
    @Arg('refreshToken', () => String, { description: 'The session’s latest.' }) refreshToken: string,
    @Ctx() context: AccountsContext,
  ): Promise<MasterToken> {
    return refreshMasterToken(context, refreshToken);
  }

  @Mutation(() => Boolean, {
    description:
      'Ends one of your sessions, or as an administrator any, and those begun from it; their access tokens end with them and open websockets close. Errors NOT_FOUND for others; FORBIDDEN where only a superuser may.',
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
    description: 'Who holds an access token; asked by the gateway once per request.',
  })
  async sessionHolder(
    @Arg('accessToken', () => String, { description: 'The JWT.' }) accessToken: string,
    @Ctx() context: AccountsContext,
  ): Promise<TokenHolder | null> {
    requirePlatform(context.viewer);
    return (await findAccessTokenHolder(context, accessToken)) ?? null;
  }
}
