import { SingleFlight } from '../../../../kernel/concurrency/single-flight.js';
import type { RegistryConfig } from '../../config.js';
import { parseObject, readBody, RegistryFault } from './body.js';

/** Maximum size of a token response in bytes. */
const MAX_BYTES = 64 * 1024;

/** Time-out of a token request in milliseconds. */
const TIMEOUT_MS = 15_000;

/** Default lifetime of a token in seconds. Source: distribution token specification, expires_in */
const DEFAULT_TTL_SECONDS = 60;

interface Token {
  readonly header: string;
  readonly usableUntilMs: number;
}

/** Authorization for a registry: Basic, or Bearer tokens, as its challenge requires. */
export class RegistryCredentials {
  private readonly tokens = new Map<string, Token>();
  private readonly running = new SingleFlight<string, string | undefined>();
  private readonly basic: string | undefined;

  constructor({ credentials }: Pick<RegistryConfig, 'credentials'>) {
    this.basic = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  /** The cached Authorization header for a scope. @param nowMs monotonic time */
  known(scope: string, nowMs: number): string | undefined {
    const token = this.tokens.get(scope);
    return token && token.usableUntilMs > nowMs ? token.header : undefined;
  }

  /**
   * Authorization for a challenge; concurrent callers share one request. Undefined when there are no credentials.
   * @param refused the header that was sent, if any @throws RegistryFault
   */
  answer(challenge: string, scope: string, request: { refused: string | undefined; nowMs: number }) {
    const since = this.known(scope, request.nowMs);
    if (since !== undefined && since !== request.refused) return Promise.resolve(since);
    return this.running.join(scope, () => this.requestToken(challenge, scope, request.nowMs));
  }

  private async requestToken(challenge: string, scope: string, nowMs: number): Promise<string | undefined> {
    const header = /^\s*bearer\b/i.test(challenge) ? await this.fetchToken(challenge, scope) : undefined;
    const token = header ?? (this.basic === undefined ? undefined : { header: this.basic, expiresIn: Infinity });
    for (const [other, { usableUntilMs }] of this.tokens) if (usableUntilMs <= nowMs) this.tokens.delete(other);
    if (token) this.tokens.set(scope, { header: token.header, usableUntilMs: nowMs + (token.expiresIn - 10) * 1000 });
    return token?.header;
  }

  private async fetchToken(challenge: string, scope: string) {
    const url = issuerOf(challenge, scope);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { signal, headers: this.basic === undefined ? {} : { authorization: this.basic } });
    const body = parseObject(await readBody(answer, MAX_BYTES)) ?? {};
    if (!answer.ok) throw new RegistryFault(`the issuer of tokens answered ${answer.status}`, answer.status);
    const value = body.token ?? body.access_token;
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw new RegistryFault('the issuer gave no token');
    const expiresIn = typeof body.expires_in === 'number' ? body.expires_in : DEFAULT_TTL_SECONDS;
    return { header: `Bearer ${value}`, expiresIn };
  }
}

/** URL of the token request. Source: distribution token specification */
function issuerOf(challenge: string, scope: string): URL {
  const { realm = '', service, scope: requested = scope } = parametersOf(challenge);
  if (!/^https?:\/\//.test(realm) || !URL.canParse(realm)) throw new RegistryFault('the registry names no issuer');
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('scope', requested);
  return url;
}

function parametersOf(challenge: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  );
}
