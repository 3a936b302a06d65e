import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import { countByAddress } from '../../identity/rate-limit/rate.actions.js';
import type { AccountsContext } from '../../services.js';
import { beginLogin, completeLogin } from './login.js';
import { exchangeCode } from './social-sign-in.actions.js';
import { CodeExchange, SocialSignInStart } from './social-sign-in.js';

/** Allowed starts of a social sign-in for each attempt of a wallet sign-in. */
const STARTS_PER_ATTEMPT = 4;

@Resolver()
export class SocialSignInResolver {
  @Query(() => [String], {
    description:
      'Names of the configured social sign-in providers. A sign-in starts at /accounts/<name>/login/. Needs no sign-in.',
  })
  signInProviders(@Ctx() { services }: AccountsContext): string[] {
    return services.providers.names();
  }

  @Mutation(() => SocialSignInStart, {
    description:
      'Starts a sign-in with a social provider. Errors NOT_FOUND for an unknown provider, BAD_REQUEST for an unregistered address, RATE_LIMITED above 120 per minute from one client address, UNAVAILABLE if the provider does not respond.',
  })
  async startSocialSignIn(
    @Arg('provider', () => String, { description: 'Name of the provider, lower case.' }) provider: string,
    @Arg('next', () => String, {
      description:
        'URL to return to: below the public URL or a registered address, or /get-token/?callback_url=… with one of these. The callback itself must not be a /get-token/ page.',
    })
    next: string,
    @Arg('browser', () => String, {
      nullable: true,
      description: 'The value of `browser` from an earlier start in this browser.',
    })
    browser: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<SocialSignInStart> {
    await countByAddress(context, 'social-sign-in', STARTS_PER_ATTEMPT);
    return beginLogin(context, { provider, next, browserSecret: browser ?? undefined });
  }

  @Mutation(() => String, {
    description:
      'Completes a sign-in with a social provider; returns the URL to go to, with a code or an error. Error BAD_REQUEST if this browser did not start it.',
  })
  completeSocialSignIn(
    @Arg('provider', () => String, { description: 'Name of the provider, lower case.' }) provider: string,
    @Arg('state', () => String, { description: 'The value from the provider.' }) state: string,
    @Arg('code', () => String, { nullable: true, description: 'The value from the provider.' }) code: string | null,
    @Arg('iss', () => String, { nullable: true, description: 'The value from the provider.' }) iss: string | null,
    @Arg('error', () => String, { nullable: true, description: 'The value from the provider.' }) error: string | null,
    @Arg('errorDescription', () => String, { nullable: true, description: 'The value from the provider.' })
    errorDescription: string | null,
    @Arg('browser', () => String, { nullable: true, description: 'The value of `browser` from the start.' })
    browser: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<string> {
    const answer = {
      state,
      code: code ?? undefined,
      iss: iss ?? undefined,
      error: error ?? undefined,
      errorDescription: errorDescription ?? undefined,
    };
    return completeLogin(context, { provider, browserSecret: browser ?? undefined, answer });
  }

  @Mutation(() => CodeExchange, {
    description: 'Exchanges the code of a social sign-in for an API token, once. Error BAD_REQUEST.',
  })
  async exchangeAuthCode(
    @Arg('code', () => String, { description: 'The code; valid for two minutes.' }) code: string,
    @Ctx() { database, now }: AccountsContext,
  ): Promise<CodeExchange> {
    const exchange = await exchangeCode(database, code, now());
    if (!exchange) throw badRequest('The code is invalid, expired or used; sign in again.');
    return exchange;
  }
}
