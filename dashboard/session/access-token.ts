/** An access token, which lives for some minutes. Only memory holds it. */
export interface AccessToken {
  readonly text: string;
  /** The session that it belongs to. */
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const NAME = 'archipelago.session';
const PATH = '/dashboard/session';

/** A token is replaced this long before it expires, so that it does not expire on its way. */
const MARGIN_MS = 30_000;

/** Milliseconds that an answer may take. Meanwhile no other tab refreshes the session. */
const TIMEOUT_MS = 10_000;

/** The other tabs and workers of this browser: one refreshes, all use the new token. `null`: the session ended. */
const channel = new BroadcastChannel(NAME);

let present: AccessToken | undefined;
let changed: (token: AccessToken | null) => void = () => undefined;

channel.addEventListener('message', ({ data }: MessageEvent<AccessToken | null>) => take(data));

/** Calls the listener when this tab gets a new token, and with `null` when the session ended, in this tab or another. */
export function onTokenChange(listener: (token: AccessToken | null) => void): void {
  changed = listener;
}

/**
 * A token that is valid for a while. @param refused one that the server refused, which is replaced unless that has happened meanwhile
 * @throws SessionEnded when there is no session, NoAnswer
 */
export async function accessToken(refused?: string): Promise<string> {
  if (refused !== undefined && present?.text === refused) present = undefined;
  if (!isFresh(present)) await refreshOnce();
  if (!present) throw new SessionEnded();
  return present.text;
}

/** Starts a session with an API token, which the session replaces if it was made for this sign-in. @throws Error with the reason */
export async function startSession(
  token: string,
  { replacesToken }: { readonly replacesToken: boolean },
): Promise<void> {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  const answer = await request('POST', '', { headers, body: JSON.stringify({ replaces_token: replacesToken }) });
  if (!answer.ok) throw new Error(await reasonOf(answer));
  publish(await tokenOf(answer));
}

/** Ends the session in every tab, after a refresh that is on its way. @throws Error with the reason, and the session goes on */
export function stopSession(): Promise<void> {
  return inTurn(async () => {
    const answer = await request('DELETE', '');
    if (!answer.ok) throw new Error(await reasonOf(answer));
    publish(null);
  });
}

/** Thrown when there is no session, or no longer. */
export class SessionEnded extends Error {
  constructor() {
    super('Your session has ended; sign in again.');
  }
}

/** Thrown when the server does not answer, or not in time. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The server does not answer.', { cause });
  }
}

let refreshing: Promise<void> | undefined;

/**
 * Gets the next token by the cookie. Tabs take turns, so that each sends the refresh token that the one before received.
 * Where a browser has no locks, the server answers uses at the same moment alike.
 */
function refreshOnce(): Promise<void> {
  refreshing ??= inTurn(async () => {
    if (!isFresh(present)) await refresh();
  }).finally(() => (refreshing = undefined));
  return refreshing;
}

async function refresh(): Promise<void> {
  const answer = await request('POST', '/refresh');
  if (answer.status === 401) publish(null);
  else if (answer.ok) publish(await tokenOf(answer));
  else throw new Error(await reasonOf(answer));
}

function inTurn(work: () => Promise<void>): Promise<void> {
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks ? locks.request(NAME, work) : work();
}

function isFresh(token: AccessToken | undefined): boolean {
  return token !== undefined && token.expiresAt - MARGIN_MS > Date.now();
}

function publish(token: AccessToken | null): void {
  take(token);
  channel.postMessage(token);
}

function take(token: AccessToken | null): void {
  present = token ?? undefined;
  changed(token);
}

/** The header is one that no other site may send. @throws NoAnswer */
async function request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...init.headers, 'x-requested-with': 'XMLHttpRequest' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(PATH + path, { ...init, method, headers, credentials: 'same-origin', signal });
  } catch (error) {
    throw new NoAnswer(error);
  }
}

async function tokenOf(answer: Response): Promise<AccessToken> {
  const { access_token: text, expires_in: seconds } = (await answer.json()) as {
    readonly access_token: string;
    readonly expires_in: number;
  };
  return { text, sessionId: sessionOf(text), expiresAt: Date.now() + seconds * 1000 };
}

/** The claim `sid` of a JWT. */
function sessionOf(jwt: string): string {
  const [, claims = ''] = jwt.split('.');
  const { sid } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly sid: string };
  return sid;
}

async function reasonOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => ({}))) as { readonly error?: string };
  return body.error ?? `The server answered ${answer.status}.`;
}
