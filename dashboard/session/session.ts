import { createStore } from '../app/store';

/** Who is signed in: `null` is nobody, `undefined` is not known yet. */
export interface Session {
  readonly token: string;
  /** Whether the sign-in page got the token, so that signing out revokes it. */
  readonly isOurs: boolean;
}

type Message = { readonly kind: 'ask' } | { readonly kind: 'session'; readonly session: Session | null };

const KEY = 'archipelago.session';

/** Milliseconds that a new tab waits for the other tabs. */
const OTHER_TABS_MS = 200;

export const session = createStore<Session | null | undefined>(undefined);

/** A sentence that the sign-in page shows, e.g. why the session ended. */
export const farewell = createStore('');

const channel = new BroadcastChannel(KEY);

/** Finds the session of this tab, or of another open tab. The token is kept until the last tab is closed. */
export async function restoreSession(): Promise<void> {
  channel.addEventListener('message', receive);
  const kept = sessionStorage.getItem(KEY);
  if (kept !== null) return session.set(JSON.parse(kept) as Session);
  send({ kind: 'ask' });
  await new Promise((resolve) => setTimeout(resolve, OTHER_TABS_MS));
  if (session.get() === undefined) session.set(null);
}

/** Signs in this tab and the other ones. */
export function beginSession(next: Session): void {
  keep(next);
  send({ kind: 'session', session: next });
}

/** Signs out this tab and the other ones. */
export function endSession(sentence = ''): void {
  if (session.get() === null) return;
  farewell.set(sentence);
  keep(null);
  send({ kind: 'session', session: null });
}

function receive({ data }: MessageEvent<Message>): void {
  const present = session.get();
  if (data.kind === 'session') keep(data.session);
  else if (present) send({ kind: 'session', session: present });
}

function keep(next: Session | null): void {
  if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
  else sessionStorage.clear(); // with what pages keep for this session, such as the phrase of the files
  if (session.get()?.token === next?.token && session.get() !== undefined) return;
  session.set(next);
}

function send(message: Message): void {
  channel.postMessage(message);
}
