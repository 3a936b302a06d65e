import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { requirePlatform, requireUser } from '../../../../kernel/security/viewer.js';
import type { AccountsContext } from '../../services.js';
import { endSessionOf } from '../session/session.actions.js';
import { TokenHolder } from '../api-token/token.js';
import { findAccessTokenHolder, issueMasterToken, refreshMasterToken } from './jwt.actions.js';
import { MasterToken } from './access-token.js';

@Resolver()
export class AccessTokenResolver {
  @Mutation(() => MasterToken, {
    description:
      'Creates a session: a short-lived access token and a refresh token. The session ends when the token or session that created it ends: it is revoked, or has expired by the next refresh. Beyond 100 sessions the oldest ends. For users only. Errors FORBIDDEN for services, BAD_REQUEST if there is no API token to replace, RATE_LIMITED above 30 per minute.',
  })
  issueMasterToken(
    @Arg('userAgent', () => String, {
      nullable: true,
      description: 'The program that starts the session, for the list of sessions; cut after 300 characters.',
    })
    userAgent: string | null,
    @Arg('replacesToken', () => Boolean, {
      defaultValue: false,
      description: 'Whether the session takes the place of the API token of this request, which is revoked.',
    })
    replacesToken: boolean,
    @Ctx() context: AccountsContext,
  ): Promise<MasterToken> {
    return issueMasterToken(context, requireUser(context.viewer), { userAgent, replacesToken });
  }

  @Mutation(() => MasterToken, {
    description:
      'Exchanges a refresh token for a new pair of tokens; each refresh token works once. Reusing it within 20 seconds returns the same pair; reusing it later ends the session, as does the expiry of the token or session that created it. Errors UNAUTHENTICATED, RATE_LIMITED above 60 per minute.',
  })
  refreshMasterToken(
    @Arg('refreshToken', () => String, { description: 'The latest refresh token of the session.' })
    refreshToken: string,
    @Ctx() context: AccountsContext,
  ): Promise<MasterToken> {
    return refreshMasterToken(context, refreshToken);
  }

  @Mutation(() => Boolean, {
    description: 'Ends the session of a refresh token, as signing out does. True for an unknown token as well.',
  })
  async revokeRefreshToken(
    @Arg('refreshToken', () => String, { description: 'Any refresh token of the session.' }) refreshToken: string,
    @Ctx() { database, now }: AccountsContext,
  ): Promise<boolean> {
    await endSessionOf(database, refreshToken, now());
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
