import { createStore, type Store } from '../runtime/store';
import { accessToken, onTokenChange, SessionEnded, startSession, stopSession, type AccessToken } from './access-token';
import { clearTab } from './provider-sign-in';

/** Who is signed in. */
export interface Session {
  readonly id: string;
}

/** `null`: nobody is signed in; `undefined`: not known yet. */
export const session = createStore<Session | null | undefined>(undefined);

/** A sentence that the sign-in page shows, e.g. why the session ended. */
export const signOutMessage = createStore('');

/** Why it is not known yet whether somebody is signed in; empty before the first answer. */
export const restoreProblem = createStore('');

/** A store that begins again with each session: what one user did is not shown to the next. */
export function createSessionStore<T>(initial: T): Store<T> {
  const store = createStore(initial);
  session.subscribe(() => store.set(initial));
  return store;
}

/** Milliseconds between two questions to a server that does not answer. */
const RETRY_MS = 2_000;

/** Finds the session of this browser; waits for a server that does not answer. */
export async function restoreSession(): Promise<void> {
  onTokenChange(follow);
  while (session.get() === undefined) {
    const failure = await accessToken().catch((error: unknown) => error);
    if (!(failure instanceof Error) || failure instanceof SessionEnded) continue;
    restoreProblem.set(failure.message);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Signs in every tab with the API token of a sign-in, which is used up, or with one that the user keeps. */
export async function beginSession(token: string, { isKept }: { readonly isKept: boolean }): Promise<void> {
  await startSession(token, { replacesToken: !isKept });
}

/** Signs out every tab. */
export async function endSession(): Promise<void> {
  leaving = true;
  try {
    await stopSession();
  } finally {
    leaving = false;
  }
}

let leaving = false;

function follow(token: AccessToken | null): void {
  const present = session.get();
  if (token && present?.id === token.sessionId) return;
  if (present || !token) clearTab(); // with what pages keep for this session, such as the phrase of the files
  if (token) return session.set({ id: token.sessionId });
  if (present) signOutMessage.set(leaving ? '' : new SessionEnded().message);
  session.set(null);
}
