import { isDeepStrictEqual } from 'node:util';
import { unauthenticated } from '../../../kernel/errors.js';
import type { Viewer } from '../../../kernel/security/viewer.js';
import type { Revocations } from './revocations.js';

/** A viewer with a token. */
export type TokenViewer = Extract<Viewer, { readonly tokenId: string }>;

/** The longest timer of Node, about 24 days. Tokens can live longer, so the timer is set again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface WatchedToken {
  readonly viewer: TokenViewer;
  /** Looks the token up again. @throws UNAUTHENTICATED when it is revoked or expired */
  readonly findViewer: () => Promise<Viewer>;
  /** Called when the token has ended, or when its viewer has changed. */
  readonly close: (reason: 'ended' | 'changed') => void;
}

/** Watches the token of a long answer until the returned function is called. */
export function watchToken(revocations: Revocations, { viewer, findViewer, close }: WatchedToken): () => void {
  const stopWatching = revocations.watch({
    tokenId: viewer.tokenId,
    findViewer,
    compare: (found) => {
      if (!found) close('ended');
      else if (!isSameViewer(found, viewer)) close('changed');
    },
  });
  const cancelExpiry = callAt(viewer.expiresAt, () => close('ended'));
  return () => {
    stopWatching();
    cancelExpiry();
  };
}

/** Whether neither the user nor the roles differ. The access tokens of one session end at different times. */
export function isSameViewer(one: Viewer, other: Viewer): boolean {
  return isDeepStrictEqual(withoutExpiry(one), withoutExpiry(other));
}

function withoutExpiry(viewer: Viewer): object {
  return { ...viewer, expiresAt: undefined };
}

/** Checks the token of a viewer who was admitted earlier. @throws UNAUTHENTICATED when it has expired */
export function refuseExpired(viewer: Viewer): void {
  const expiresAt = 'tokenId' in viewer ? viewer.expiresAt : null;
  if (expiresAt !== null && new Date(expiresAt).getTime() <= Date.now())
    throw unauthenticated('The token has expired while the request arrived.');
}

/** Calls the function at a time, but not before this call has returned; null: never. Returns a function that cancels it. */
function callAt(time: string | null, callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const ms = new Date(time ?? 0).getTime() - Date.now();
    timer = setTimeout(ms > MAX_TIMER_MS ? wait : callback, Math.max(0, Math.min(ms, MAX_TIMER_MS))).unref();
  };
  if (time !== null) wait();
  return () => clearTimeout(timer);
}
