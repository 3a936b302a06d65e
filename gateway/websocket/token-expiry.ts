/** The longest timer of Node, about 24 days. Tokens can live longer, so the timer is set again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `close` when the token expires. Returns a function that cancels it. */
export function closeAt(expiresAt: string | null, close: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const ms = new Date(expiresAt ?? 0).getTime() - Date.now();
    timer = ms > 0 ? setTimeout(wait, Math.min(ms, MAX_TIMER_MS)).unref() : undefined;
    if (ms <= 0) close();
  };
  if (expiresAt !== null) wait();
  return () => clearTimeout(timer);
}
