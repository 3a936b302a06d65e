import type { FastifyRequest } from 'fastify';
import { hashToken, tokenOf } from '../../kernel/security/credentials.js';
import { unauthenticated, unavailable } from '../../kernel/errors.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { ANONYMOUS, type Role, type Viewer } from '../../kernel/viewer.js';

const HOLDER = '{ tokenId userId username substrateAddress roles expiresAt }';
const TOKEN_HOLDER = `query TokenHolder($hash: String!) { holder: tokenHolder(hash: $hash) ${HOLDER} }`;
const SESSION_HOLDER = `query SessionHolder($accessToken: String!) { holder: sessionHolder(accessToken: $accessToken) ${HOLDER} }`;

/** The request for which a token is looked up; without an address the look is no use of the token. */
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
 * Who sends this Authorization header; no header is anonymous.
 * @throws UNAUTHENTICATED for another scheme and for tokens that are unknown, expired or revoked
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
    ? { query: SESSION_HOLDER, variables: { accessToken: token } }
    : { query: TOKEN_HOLDER, variables: { hash: hashToken(token) } };
  const { data, errors } = await accounts.execute({
    ...lookup,
    viewer: { kind: 'platform', subgraph: 'gateway' },
    ...authentication,
  });
  if (!data || errors) throw unavailable('Sign-in cannot be checked just now.', { retryAfter: 1 });
  const holder = data.holder as TokenHolder | null;
  if (!holder) throw unauthenticated('The token is invalid, expired or revoked.');
  return viewerOf(holder);
}

/** Access tokens are JWTs: three parts, of which the first is a JSON object. API tokens have no dots. */
function isAccessToken(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);
}

function viewerOf({ userId, username, substrateAddress, ...token }: TokenHolder): Viewer {
  if (userId === null) return { kind: 'service', name: username, ...token };
  return { kind: 'user', userId, username, substrateAddress, ...token };
}

/** The viewer of each request, found once. */
export class Viewers {
  private readonly known = new WeakMap<FastifyRequest, Viewer>();

  constructor(private readonly accounts: SubgraphClient) {}

  /** The viewer that `admit` found; anonymous where nobody asked. */
  of(request: FastifyRequest): Viewer {
    return this.known.get(request) ?? ANONYMOUS;
  }

  /** Lets anyone in who sends no token or a valid one. @throws UNAUTHENTICATED */
  async admit(request: FastifyRequest): Promise<Viewer> {
    const viewer = await findViewer(this.accounts, request.headers.authorization, {
      requestId: request.id,
      clientAddress: request.ip,
    });
    this.known.set(request, viewer);
    return viewer;
  }
}
