import { createClient, type Client } from 'graphql-ws';
import { createStore } from '../app/store';

/** State of the websocket; `idle` until something subscribes. */
export type Connection = 'idle' | 'connecting' | 'live' | 'lost';

/** Milliseconds until the first and at most until any further try to connect again. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Close codes after which trying again with the same token is of no use. */
const SIGNED_OUT: readonly number[] = [4401, 4403];

export const connection = createStore<Connection>('idle');

/** A websocket for all subscriptions. It connects again by itself, and the subscriptions start again. */
export function connect(token: string, signedOut: (sentence: string) => void): Client {
  const url = new URL('/graphql', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return createClient({
    url: url.href,
    connectionParams: { Authorization: `Token ${token}` },
    retryAttempts: Infinity,
    shouldRetry: (event) => !isSignedOut(event),
    retryWait: waitToRetry,
    on: {
      connecting: (isRetry) => connection.set(isRetry ? 'lost' : 'connecting'),
      connected: () => connection.set('live'),
      closed: (event) => {
        if (isSignedOut(event)) signedOut(event.reason || 'Your token is no longer valid; sign in again.');
        else connection.set(event instanceof CloseEvent && event.wasClean && event.code === 1000 ? 'idle' : 'lost');
      },
    },
  });
}

function isSignedOut(event: unknown): event is CloseEvent {
  return event instanceof CloseEvent && SIGNED_OUT.includes(event.code);
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
