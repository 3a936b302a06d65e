import type { FastifyRequest } from 'fastify';
import { hashToken, tokenOf } from '../../kernel/security/credentials.js';
import { unauthenticated, unavailable } from '../../kernel/errors.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { ANONYMOUS, type Role, type Viewer } from '../../kernel/security/viewer.js';
import type { RequestRates } from '../http/request-rates.js';
import { isSameViewer } from './token-watch/token-watch.js';

const TOKEN_FIELDS = '{ tokenId userId username substrateAddress roles expiresAt }';
const TOKEN_QUERY = `query TokenHolder($hash: String!) { holder: tokenHolder(hash: $hash) ${TOKEN_FIELDS} }`;
const SESSION_QUERY = `query SessionHolder($accessToken: String!) { holder: sessionHolder(accessToken: $accessToken) ${TOKEN_FIELDS} }`;

/** The request that a token authenticates. Without an address the lookup does not count as a use of the token. */
export interface Authentication {
  readonly requestId: string;
  readonly clientAddress?: string;
}

interface TokenHolder {
  readonly tokenId: string;
  readonly userId: number | null;
  readonly username: string;
  readonly substrateAddress: string | null;
  readonly roles: readonly Role[];
  readonly expiresAt: string | null;
}

/**
 * Finds the viewer of an Authorization header; without a header the viewer is anonymous.
 * @throws UNAUTHENTICATED for another scheme and for unknown, expired or revoked tokens
 */
export async function findViewer(
  accounts: SubgraphClient,
  authorization: string | undefined,
  authentication: Authentication,
): Promise<Viewer> {
  if (authorization === undefined) return ANONYMOUS;
  const token = tokenOf(authorization);
  if (token === undefined)
    throw unauthenticated('The Authorization header must be `Token <token>` or `Bearer <token>`.');
  const lookup = isAccessToken(token)
    ? { query: SESSION_QUERY, variables: { accessToken: token } }
    : { query: TOKEN_QUERY, variables: { hash: hashToken(token) } };
  const { data, errors } = await accounts.execute({
    ...lookup,
    viewer: { kind: 'platform', subgraph: 'gateway' },
    ...authentication,
  });
  if (!data || errors) throw unavailable('Authentication is temporarily unavailable.', { retryAfter: 1 });
  const holder = data.holder as TokenHolder | null;
  if (!holder) throw unauthenticated('The token is invalid, expired or revoked.');
  return viewerOf(holder, isAccessToken(token));
}

/** Access tokens are JWTs: three parts, the first a JSON object. API tokens have no dots. */
function isAccessToken(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);
}

function viewerOf({ userId, username, substrateAddress, ...token }: TokenHolder, isSession: boolean): Viewer {
  if (userId === null) return { kind: 'service', name: username, ...token };
  return { kind: 'user', userId, username, substrateAddress, isSession, ...token };
}

/** Milliseconds for which an admission is not checked again: most requests are executed by then. */
const ADMISSION_MS = 1_000;

interface Admission {
  readonly viewer: Viewer;
  readonly atMs: number;
}

/** Finds the viewer of each request and remembers it. */
export class Viewers {
  private readonly admissions = new WeakMap<FastifyRequest, Admission>();

  constructor(
    private readonly accounts: SubgraphClient,
    private readonly rates: RequestRates,
  ) {}

  /** Returns the viewer that `admit` found, or the anonymous one. */
  of(request: FastifyRequest): Viewer {
    return this.admissions.get(request)?.viewer ?? ANONYMOUS;
  }

  /** Authenticates the request; a request without a token is anonymous. @throws UNAUTHENTICATED, RATE_LIMITED */
  async admit(request: FastifyRequest): Promise<Viewer> {
    const viewer = await findViewer(this.accounts, request.headers.authorization, {
      requestId: request.id,
      clientAddress: request.ip,
    });
    this.rates.countByUser(viewer);
    this.admissions.set(request, { viewer, atMs: performance.now() });
    return viewer;
  }

  /**
   * Runs the work of a request. Looks its token up again if the admission was a while ago: the body came slowly, or the request has
   * waited for its turn. @throws UNAUTHENTICATED when the token has ended, UNAVAILABLE when the account has changed
   */
  run<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    const admission = this.admissions.get(request);
    const isRecent = !admission || performance.now() - admission.atMs < ADMISSION_MS;
    return isRecent ? work() : this.confirm(request, admission.viewer).then(work);
  }

  private async confirm(request: FastifyRequest, viewer: Viewer): Promise<void> {
    if (!isSameViewer(await this.findAgain(request), viewer))
      throw unavailable('Your account has changed while the request waited; send it again.', { retryAfter: 1 });
  }

  /** Looks the token of a request up again, which does not count as a use of it. @throws UNAUTHENTICATED */
  findAgain({ id: requestId, headers: { authorization } }: FastifyRequest): Promise<Viewer> {
    return findViewer(this.accounts, authorization, { requestId });
  }
}
