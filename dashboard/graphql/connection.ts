import { createClient, type Client } from 'graphql-ws';
import { createStore } from '../app/store';
import { accessToken, SessionEnded } from '../session/access-token';

/** State of the websocket; `idle` until something subscribes. */
export type Connection = 'idle' | 'connecting' | 'live' | 'lost';

/** Milliseconds until the first and at most until any further try to connect again. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Codes by which the server closes a websocket whose token is unknown, expired or revoked. */
const TOKEN_ENDED: readonly number[] = [4401, 4403];

/** Milliseconds until a server that does not answer is asked for a token again. */
const TOKEN_WAIT_MS = 2_000;

export const connection = createStore<Connection>('idle');

/** A websocket for all subscriptions. It connects again by itself, with a token that is valid, and the subscriptions start again. */
export function connect(): Client {
  const url = new URL('/graphql', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  let used = '';
  return createClient({
    url: async () => {
      used = await tokenInTime();
      return url.href;
    },
    connectionParams: () => ({ Authorization: `Bearer ${used}` }),
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: waitToRetry,
    on: {
      connecting: (isRetry) => connection.set(isRetry ? 'lost' : 'connecting'),
      connected: () => connection.set('live'),
      closed: (event) => {
        const isEnded = event instanceof CloseEvent && TOKEN_ENDED.includes(event.code);
        // Signs out if there is no other token. What else can fail is tried again with the next connection.
        if (isEnded) void accessToken(used).catch(() => undefined);
        const isIdle = event instanceof CloseEvent && event.wasClean && event.code === 1000;
        connection.set(isIdle ? 'idle' : isEnded ? 'connecting' : 'lost');
      },
    },
  });
}

/** A valid token, as soon as the server answers. @throws SessionEnded */
async function tokenInTime(): Promise<string> {
  for (;;) {
    const token = await accessToken().catch((error: unknown) => error);
    if (typeof token === 'string') return token;
    if (token instanceof SessionEnded) throw token;
    connection.set('lost');
    await new Promise((resolve) => setTimeout(resolve, TOKEN_WAIT_MS));
  }
}

/** Waits longer after each try, and less long when the browser comes back online or the tab is shown. */
function waitToRetry(tries: number): Promise<void> {
  connection.set('lost');
  const longest = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  const waitMs = longest * (0.5 + Math.random() / 2); // so that clients of a restarted server do not come all at once
  return new Promise((resolve) => {
    const wake = () => {
      if (document.visibilityState === 'hidden') return;
      done();
    };
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    window.addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
  });
}
