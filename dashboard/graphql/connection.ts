import { Socket, type SocketState } from '../../sdk/src/socket';
import { Transport } from '../../sdk/src/transport';
import { createStore } from '../runtime/store';
import { accessToken, SessionEnded } from '../session/access-token';

/** Milliseconds until a server that does not answer is asked for a token again. */
const TOKEN_WAIT_MS = 2_000;

/** Whether what is shown is live. `lost`, too, while a subscription waits to begin again. */
export const connection = createStore<SocketState>('idle');

let socketState: SocketState = 'idle';
let socket: Socket | undefined;
const interrupted = new Set<object>();

/** A websocket for all subscriptions. It connects again by itself, with a token that is valid, and the subscriptions start again. */
export function connect(): Socket {
  const transport = new Transport({ url: location.origin, token: tokenInTime, wait: waitToRetry });
  return (socket = new Socket(transport, { onSocketState: enter }));
}

// Another network may not carry what was sent over the one before.
window.addEventListener('online', () => socket?.check());

/** Notes that the server ended a subscription, or that it works again. */
export function setInterrupted(subscription: object, isInterrupted: boolean): void {
  if (isInterrupted) interrupted.add(subscription);
  else interrupted.delete(subscription);
  enter(socketState);
}

function enter(state: SocketState): void {
  socketState = state;
  connection.set(state === 'live' && interrupted.size > 0 ? 'lost' : state);
}

/** A valid token, as soon as the server answers. @throws SessionEnded */
async function tokenInTime(refused?: string): Promise<string> {
  for (;;) {
    const token = await accessToken(refused).catch((error: unknown) => error);
    if (typeof token === 'string') return token;
    if (token instanceof SessionEnded) throw token;
    enter('lost');
    await new Promise((resolve) => setTimeout(resolve, TOKEN_WAIT_MS));
  }
}

/** Waits less long when the browser comes back online or the tab is shown. */
export function waitToRetry(waitMs: number): Promise<void> {
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
