import { randomBytes } from 'node:crypto';
import { badRequest, errorCode } from '../../../../kernel/errors.js';
import { decrypt, encrypt, keyOf } from '../../../../kernel/security/encryption.js';
import type { AccountsContext } from '../../services.js';
import { errorFields, returnUrlOf, withQuery } from './callback.rules.js';
import type { LoginChecks } from './providers.js';
import { issueCode, storeLogin, takeLogin } from './social-sign-in.actions.js';
import type { SocialSignInStart } from './social-sign-in.js';

/** The parameters of a provider's redirect. Source: RFC 6749, 4.1.2; RFC 9207 */
export interface ProviderAnswer {
  readonly state: string;
  readonly code: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
  readonly errorDescription: string | undefined;
}

const SECRET = /^[\w-]{43}$/;

/** Starts a sign-in. @throws NOT_FOUND for an unknown provider, BAD_REQUEST for an invalid return URL, UNAVAILABLE */
export async function beginLogin(
  { database, services, publicUrl, now, log }: AccountsContext,
  login: { readonly provider: string; readonly next: string; readonly browserSecret: string | undefined },
): Promise<SocialSignInStart> {
  const { provider } = login;
  services.providers.require(provider);
  const returnUrl = returnUrlOf(login.next, publicUrl, services.config.callbackUrls);
  if (!returnUrl) throw badRequest('`next` is not a registered address.');
  const state = newSecret();
  // Sign-ins in several windows of a browser share the cookie and have their own states.
  const isKnown = login.browserSecret !== undefined && SECRET.test(login.browserSecret);
  const browserSecret = isKnown ? login.browserSecret : newSecret();
  const checks: LoginChecks = { codeVerifier: newSecret(), nonce: newSecret() };
  const redirectUri = callbackAddress(publicUrl, provider);
  const location = await services.providers.authorizationUrl(provider, { ...checks, redirectUri, state }, { now, log });
  const sealedChecks = encrypt(keyOf(state), JSON.stringify(checks));
  await storeLogin(database, { provider, callbackUrl: returnUrl.href, sealedChecks, state, browserSecret }, now());
  return { location, browser: browserSecret };
}

/**
 * Completes a sign-in; returns the redirect URL with a code or with the provider's error.
 * @throws BAD_REQUEST if this browser did not start it, NOT_FOUND for an unknown provider
 */
export async function completeLogin(
  context: AccountsContext,
  { provider, browserSecret, answer }: { provider: string; browserSecret: string | undefined; answer: ProviderAnswer },
): Promise<string> {
  const { database, services, now } = context;
  services.providers.require(provider);
  const pending = await takeLogin(
    database,
    { provider, state: answer.state, browserSecret: browserSecret ?? '' },
    now(),
  );
  if (!pending) throw badRequest('This sign-in was not started in this browser, or it has expired; start again.');
  if (answer.error !== undefined)
    return withQuery(pending.callbackUrl, errorFields(answer.error, answer.errorDescription));
  try {
    const checks = JSON.parse(decrypt(keyOf(answer.state), pending.sealedChecks)) as LoginChecks;
    const currentUrl = new URL(withQuery(callbackAddress(context.publicUrl, provider), answerFields(answer)));
    const identity = await services.providers.identify(
      provider,
      { ...checks, state: answer.state, currentUrl },
      context,
    );
    const code = await issueCode(database, { provider, identity }, now());
    return withQuery(pending.callbackUrl, { code });
  } catch (error) {
    context.log.warn({ requestId: context.requestId, provider, err: error }, 'a social sign-in failed');
    const word = errorCode(error) === 'UNAVAILABLE' ? 'temporarily_unavailable' : 'server_error';
    return withQuery(pending.callbackUrl, errorFields(word, 'The provider’s answer could not be used; sign in again.'));
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function callbackAddress(publicUrl: string, provider: string): string {
  return `${publicUrl}/accounts/${provider}/callback/`;
}

function answerFields({ state, code, iss }: ProviderAnswer): Record<string, string> {
  return { state, ...(code !== undefined && { code }), ...(iss !== undefined && { iss }) };
}
