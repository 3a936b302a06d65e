import { call, graphql, type Json, type Reply } from '../platform.js';
import { cookieOf } from './social.js';
import { signIn, type SignedIn } from './wallet.js';

/** The pair of tokens of a new session. */
export interface Pair {
  readonly access: string;
  readonly refresh: string;
}

/** Starts a session, of a new user by default. */
export async function beginSession(user?: SignedIn): Promise<Pair & { readonly user: SignedIn }> {
  const holder = user ?? (await signIn());
  const { body } = await call('GET /api/auth/token/', { token: holder.token });
  return { user: holder, access: body.access_token, refresh: body.refresh_token };
}

/** Starts a session with the access token of another one. */
export async function beginSessionFrom({ access, user }: { access: string; user: SignedIn }) {
  return beginSession({ ...user, token: access });
}

export const refresh = (refresh_token: unknown): Promise<Reply> =>
  call('POST /api/auth/token/refresh/', { body: { refresh_token } });

/** Returns the status of a request with this access token. */
export async function statusWith(token: string): Promise<number> {
  return (await call('GET /api/billing/credits/balance/', { headers: { authorization: `Bearer ${token}` } })).status;
}

/** Decodes the claims of a JWT, or its header with 0. */
export function partOf(jwt: string, place: 0 | 1 = 1): Json {
  return JSON.parse(Buffer.from(jwt.split('.')[place] ?? '', 'base64url').toString());
}

export const sessionsOf = async (token: string): Promise<Json[]> =>
  (await graphql('{ sessions { id createdAt expiresAt lastUsedAt lastAddress isCurrent } }', { token })).data.sessions;

export const revokeSession = (id: string, token: string): Promise<Json> =>
  graphql('mutation ($id: String!) { revokeSession(id: $id) }', { token, variables: { id } });

/** A session of a browser, with the cookie that holds its refresh token. */
export interface BrowserSession {
  readonly cookie: string;
  readonly user: SignedIn;
  readonly reply: Reply;
}

interface BrowserCall {
  readonly token?: string;
  readonly cookie?: string;
  readonly body?: Json;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends a request as a page of the dashboard does. */
export function browserCall(target: string, { token, cookie, body, headers }: BrowserCall = {}): Promise<Reply> {
  const all = { 'x-requested-with': 'XMLHttpRequest', ...(cookie !== undefined && { cookie }), ...headers };
  const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  return call(target, { ...(token !== undefined && { token }), body, headers: Object.fromEntries(sent) });
}

/** Starts the session of a browser, of a new user. */
export async function beginBrowserSession(options: BrowserCall = {}): Promise<BrowserSession> {
  const user = await signIn();
  const reply = await browserCall('POST /dashboard/session', { ...options, token: user.token });
  return { user, reply, cookie: cookieOf(reply) };
}
