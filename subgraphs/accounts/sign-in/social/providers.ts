import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
  type Configuration,
} from 'openid-client';
import type { OidcConfig } from '../../config.js';
import { notFound, unavailable } from '../../../../kernel/errors.js';
import type { Runtime } from '../../../../kernel/subgraph/context.js';

/** Timeout in seconds for each request to a provider. */
const ISSUER_TIMEOUT_SECONDS = 5;

/** Milliseconds to cache the discovery document of a provider. */
const DISCOVERY_TTL_MS = 3_600_000;

/** Secrets that verify the provider's answer. */
export interface LoginChecks {
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** The identity of a user at a provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined unless the issuer has verified the address. */
  readonly email: string | undefined;
}

interface CachedConfiguration {
  readonly configuration: Promise<Configuration>;
  readonly at: number;
}

type ClockAndLog = Pick<Runtime, 'now' | 'log'>;

/** The configured providers; each is discovered at first use. */
export class Providers {
  private readonly cached = new Map<string, CachedConfiguration>();

  constructor(private readonly settings: ReadonlyMap<string, OidcConfig>) {}

  /** The names of the providers in alphabetical order. */
  names(): string[] {
    return [...this.settings.keys()].toSorted();
  }

  /** @throws NOT_FOUND for a provider that is not configured */
  require(name: string): OidcConfig {
    const settings = this.settings.get(name);
    if (!settings) throw notFound('There is no such sign-in provider.');
    return settings;
  }

  /** The URL at which the user signs in. @throws NOT_FOUND, UNAVAILABLE when the issuer does not answer in time */
  async authorizationUrl(
    name: string,
    login: LoginChecks & { readonly redirectUri: string; readonly state: string },
    runtime: ClockAndLog,
  ): Promise<string> {
    const configuration = await this.configurationOf(name, runtime);
    return buildAuthorizationUrl(configuration, {
      redirect_uri: login.redirectUri,
      scope: this.require(name).scope,
      state: login.state,
      nonce: login.nonce,
      code_challenge: await calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /** Exchanges the provider's code and verifies the identity token. @throws errors of openid-client */
  async identify(
    name: string,
    login: LoginChecks & { readonly currentUrl: URL; readonly state: string },
    runtime: ClockAndLog,
  ): Promise<Identity> {
    const configuration = await this.configurationOf(name, runtime);
    const tokens = await authorizationCodeGrant(configuration, login.currentUrl, {
      pkceCodeVerifier: login.codeVerifier,
      expectedNonce: login.nonce,
      expectedState: login.state,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the issuer sent no identity token');
    const { iss: issuer, sub: subject } = claims;
    const hasEmailInToken =
      claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
    const about = hasEmailInToken ? claims : await fetchUserInfo(configuration, tokens.access_token, subject);
    return { issuer, subject, email: verifiedEmail(about) };
  }

  private async configurationOf(name: string, { now, log }: ClockAndLog): Promise<Configuration> {
    const settings = this.require(name);
    const nowMs = now().getTime();
    const kept = this.cached.get(name);
    const isFresh = kept !== undefined && nowMs - kept.at < DISCOVERY_TTL_MS;
    const known = isFresh ? kept : { configuration: discover(settings), at: nowMs };
    this.cached.set(name, known);
    try {
      return await known.configuration;
    } catch (error) {
      if (this.cached.get(name) === known) {
        this.cached.delete(name);
        log.warn({ err: error, provider: name }, 'could not discover a sign-in provider');
      }
      throw unavailable('The sign-in provider is not responding.');
    }
  }
}

/** Some issuers send `email_verified` as a text. Source: Sign in with Apple, "Authenticating users" */
function verifiedEmail({ email, email_verified: verified }: Readonly<Record<string, unknown>>): string | undefined {
  return (verified === true || verified === 'true') && typeof email === 'string' ? email : undefined;
}

function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const url = new URL(issuer);
  const authentication = clientSecret === undefined ? None() : secretOf(clientSecret);
  return discovery(url, clientId, undefined, authentication, {
    timeout: ISSUER_TIMEOUT_SECONDS,
    // Verifies signatures of identity tokens with the issuer's published keys, also of tokens received over TLS.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
}

/** "If omitted, the default is client_secret_basic" (OpenID Connect Discovery 1.0, 3) */
function secretOf(secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (takesBody ? inBody : inHeader)(server, ...rest);
  };
}
