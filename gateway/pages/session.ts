import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, errorCode, forbidden, unauthenticated, unavailable } from '../../kernel/errors.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { publicErrors } from '../engine/public-errors.js';
import type { Viewers } from '../graphql/viewer.js';
import { userAgentOf } from '../http/client-address.js';

/** The path of the session of a browser. The browser sends the cookie to no other path. */
const SESSION_PATH = '/dashboard/session';

const COOKIE = 'archipelago-session';

/** The cookie lives as long as a refresh token. */
const COOKIE_SECONDS = 30 * 86_400;

const PAIR = '{ accessToken refreshToken expiresIn }';
const BEGIN = `mutation BeginSession($userAgent: String, $replacesToken: Boolean!) {
  pair: issueMasterToken(userAgent: $userAgent, replacesToken: $replacesToken) ${PAIR}
}`;
const REFRESH = `mutation RefreshSession($refreshToken: String!) {
  pair: refreshMasterToken(refreshToken: $refreshToken) ${PAIR}
}`;
const END = 'mutation EndSession($refreshToken: String!) { revokeRefreshToken(refreshToken: $refreshToken) }';

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

export interface SessionDependencies {
  readonly accounts: SubgraphClient;
  readonly viewers: Viewers;
  readonly publicUrl: string;
}

/**
 * Adds the session of a browser. Scripts get access tokens only; the refresh token is in a cookie that they cannot read:
 * POST starts a session with the token of the request, POST …/refresh continues it, DELETE ends it.
 */
export function addSession(app: FastifyInstance, { accounts, viewers, publicUrl }: SessionDependencies): void {
  const sendPair = async (call: Operation, request: FastifyRequest, reply: FastifyReply) => {
    const data = await execute({ accounts, viewers }, call, request);
    const { accessToken, refreshToken, expiresIn } = data.pair as Pair;
    setCookie(reply, publicUrl, { value: refreshToken, seconds: COOKIE_SECONDS });
    return reply.send({ access_token: accessToken, expires_in: expiresIn });
  };
  const ownPages = async (request: FastifyRequest) => refuseOtherOrigins(request);
  app.route({
    method: 'POST',
    url: SESSION_PATH,
    onRequest: [ownPages, async (request) => void (await viewers.admit(request))],
    handler: (request, reply) => {
      const { body = {} } = request;
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw badRequest('The body must be an object.');
      const { replaces_token: replacesToken = false } = body as { replaces_token?: unknown };
      if (typeof replacesToken !== 'boolean') throw badRequest('`replaces_token` must be true or false.');
      const userAgent = request.headers['user-agent'] ?? null;
      return sendPair({ query: BEGIN, variables: { userAgent, replacesToken } }, request, reply);
    },
  });
  app.route({
    method: 'POST',
    url: `${SESSION_PATH}/refresh`,
    onRequest: ownPages,
    handler: async (request, reply) => {
      const refreshToken = cookieOf(request);
      if (refreshToken === undefined) throw unauthenticated('There is no session in this browser.');
      return sendPair({ query: REFRESH, variables: { refreshToken } }, request, reply).catch((error: unknown) => {
        if (errorCode(error) === 'UNAUTHENTICATED') setCookie(reply, publicUrl, { value: '', seconds: 0 });
        throw error;
      });
    },
  });
  app.route({
    method: 'DELETE',
    url: SESSION_PATH,
    onRequest: ownPages,
    handler: async (request, reply) => {
      const refreshToken = cookieOf(request);
      if (refreshToken !== undefined)
        await execute({ accounts, viewers }, { query: END, variables: { refreshToken } }, request);
      setCookie(reply, publicUrl, { value: '', seconds: 0 });
      return reply.code(204).send();
    },
  });
}

/**
 * Refuses requests that a page of another origin could have caused. A form cannot send the header, and a script of another
 * origin may not, since the answer to its preflight allows no credentials. @throws FORBIDDEN
 */
function refuseOtherOrigins({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isHost(headers.origin, headers.host) : site === 'same-origin';
  if (!isOwn || headers['x-requested-with'] === undefined)
    throw forbidden('Sessions of the dashboard are for its own pages; send the header X-Requested-With.');
}

/** Older browsers, and those without TLS, send no Sec-Fetch-Site. Source: Fetch Metadata */
function isHost(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

async function execute(
  { accounts, viewers }: Pick<SessionDependencies, 'accounts' | 'viewers'>,
  call: Operation,
  request: FastifyRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { data, errors } = await accounts.execute({
    ...call,
    viewer: viewers.of(request),
    requestId: request.id,
    clientAddress: request.ip,
    userAgent: userAgentOf(request),
  });
  const [error] = publicErrors(errors, () => undefined);
  if (error || !data) throw error ?? unavailable('Sessions are temporarily unavailable.', { retryAfter: 1 });
  return data;
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split(/=(.*)/s));
  return pairs.find(([name]) => name === COOKIE)?.[1] || undefined;
}

/** Scripts cannot read it (HttpOnly), other sites cannot cause it to be sent (SameSite=Strict). Source: RFC 6265bis, 5.6 */
function setCookie(
  reply: FastifyReply,
  publicUrl: string,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=${SESSION_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  reply.header('cache-control', 'no-store').header('set-cookie', `${COOKIE}=${value}; ${attributes}`);
}
