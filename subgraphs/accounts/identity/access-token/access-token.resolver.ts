import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { requirePlatform, requireUser } from '../../../../kernel/viewer.js';
import type { AccountsContext } from '../../services.js';
import { TokenHolder } from '../token/token.js';
import { findAccessTokenHolder, issueMasterToken, refreshMasterToken } from './access-token.actions.js';
import { MasterToken } from './access-token.js';

@Resolver()
export class AccessTokenResolver {
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
