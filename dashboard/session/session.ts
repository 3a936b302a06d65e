import { createStore } from '../app/store';
import { accessToken, onTokenChange, SessionEnded, startSession, stopSession, type AccessToken } from './access-token';

/** Who is signed in. */
export interface Session {
  readonly id: string;
}

/** `null`: nobody is signed in; `undefined`: not known yet. */
export const session = createStore<Session | null | undefined>(undefined);

/** A sentence that the sign-in page shows, e.g. why the session ended. */
export const signOutMessage = createStore('');

/** Milliseconds between two questions to a server that does not answer. */
const RETRY_MS = 2_000;

/** Finds the session of this browser; waits for a server that does not answer. */
export async function restoreSession(): Promise<void> {
  onTokenChange(follow);
  while (session.get() === undefined) {
    const failure = await accessToken().catch((error: unknown) => error);
    if (failure instanceof Error && !(failure instanceof SessionEnded))
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
  if (token) {
    if (present?.id !== token.sessionId) session.set({ id: token.sessionId });
    return;
  }
  sessionStorage.clear(); // with what pages keep for this session, such as the phrase of the files
  if (present) signOutMessage.set(leaving ? '' : new SessionEnded().message);
  session.set(null);
}
