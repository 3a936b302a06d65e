import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { badRequest } from '../../../../kernel/errors.js';
import type { AccountsContext } from '../../services.js';
import { beginLogin, completeLogin } from './login.js';
import { exchangeCode } from './social-sign-in.actions.js';
import { CodeExchange, SocialSignInStart } from './social-sign-in.js';

@Resolver()
export class SocialSignInResolver {
  @Mutation(() => SocialSignInStart, {
    description:
      'Begins a sign-in by a social provider. Errors: NOT_FOUND unknown provider, BAD_REQUEST unregistered address, UNAVAILABLE provider silent.',
  })
  startSocialSignIn(
    @Arg('provider', () => String, { description: 'Its name, lower case.' }) provider: string,
    @Arg('next', () => String, {
      description:
        'Where to return to: an address below ours or a registered one, or /get-token/?callback_url=… with one of these; the callback itself may not be a /get-token/ page.',
    })
    next: string,
    @Arg('browser', () => String, { nullable: true, description: 'As an earlier start in this browser answered.' })
    browser: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<SocialSignInStart> {
    return beginLogin(context, { provider, next, browser: browser ?? undefined });
  }

  @Mutation(() => String, {
    description:
      'Ends a sign-in by a social provider: the address to go to, with a code or an error. Error BAD_REQUEST when this browser did not begin it.',
  })
  completeSocialSignIn(
    @Arg('provider', () => String, { description: 'Its name, lower case.' }) provider: string,
    @Arg('state', () => String, { description: 'As the provider sent it.' }) state: string,
    @Arg('code', () => String, { nullable: true, description: 'As the provider sent it.' }) code: string | null,
    @Arg('iss', () => String, { nullable: true, description: 'As the provider sent it.' }) iss: string | null,
    @Arg('error', () => String, { nullable: true, description: 'As the provider sent it.' }) error: string | null,
    @Arg('errorDescription', () => String, { nullable: true, description: 'As the provider sent it.' })
    errorDescription: string | null,
    @Arg('browser', () => String, { nullable: true, description: 'As the start answered.' }) browser: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<string> {
    const answer = {
      state,
      code: code ?? undefined,
      iss: iss ?? undefined,
      error: error ?? undefined,
      errorDescription: errorDescription ?? undefined,
    };
    return completeLogin(context, { provider, browser: browser ?? undefined, answer });
  }

  @Mutation(() => CodeExchange, {
    description: 'Trades the code of a social sign-in for an API token, once. Error BAD_REQUEST.',
  })
  async exchangeAuthCode(
    @Arg('code', () => String, { description: 'Lives two minutes.' }) code: string,
    @Ctx() { database, now }: AccountsContext,
  ): Promise<CodeExchange> {
    const exchange = await exchangeCode(database, code, now());
    if (!exchange) throw badRequest('The code is invalid, expired or used; sign in again.');
    return exchange;
  }
}
