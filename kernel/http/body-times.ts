import type { IncomingMessage } from 'node:http';

/** How long bodies are waited for, in milliseconds. */
export interface BodyTimes {
  /** A body that is read whole must be complete by then. */
  readonly wholeMs: number;
  /** A body that is read as it comes may rest so long. */
  readonly idleMs: number;
  /** From then on it must have come at least so fast on the whole: who sends a byte now and then holds memory for nothing. */
  readonly leastBytesPerSecond: number;
}

export const BODY_TIMES: BodyTimes = { wholeMs: 120_000, idleMs: 30_000, leastBytesPerSecond: 4_096 };

/** Milliseconds that a client who was refused may go on sending, so that it reads the refusal instead of a reset. */
const LINGER_MS = 5_000;

/** How often within the limit an idle body is looked at. */
const LOOKS = 10;

/** Calls back when the body is not complete in time. Returns how to stop waiting. */
export function whenLate(raw: IncomingMessage, limitMs: number, act: () => void): () => void {
  const timer = setTimeout(() => !raw.complete && act(), limitMs);
  const stop = () => clearTimeout(timer);
  raw.once('end', stop);
  return stop;
}

/** What is known of a body that is streamed. */
interface Watch {
  /** Bytes that its connection had brought before it. */
  readonly before: number;
  seen: number;
  idleLooks: number;
  waitedMs: number;
}

/** Calls back when a body that is streamed rests, or comes too slowly on the whole. Returns how to stop watching. */
export function whenIdle(raw: IncomingMessage, times: BodyTimes, act: () => void): () => void {
  const { bytesRead } = raw.socket;
  const watch = { before: bytesRead, seen: bytesRead, idleLooks: 0, waitedMs: 0 };
  const timer = setInterval(() => {
    if (!raw.complete && !isTooSlow(watch, raw, times)) return;
    clearInterval(timer);
    if (!raw.complete) act();
  }, times.idleMs / LOOKS);
  return () => clearInterval(timer);
}

/** Looks at a body again. Time that passes while we do not read is not the client's. */
function isTooSlow(watch: Watch, raw: IncomingMessage, { idleMs, leastBytesPerSecond }: BodyTimes): boolean {
  const { bytesRead } = raw.socket;
  const isResting = bytesRead === watch.seen;
  watch.seen = bytesRead;
  watch.idleLooks = isResting && isAwaited(raw) ? watch.idleLooks + 1 : 0;
  if (!isAwaited(raw)) return false;
  watch.waitedMs += idleMs / LOOKS;
  const isSlow = (bytesRead - watch.before) * 1000 < leastBytesPerSecond * watch.waitedMs;
  return watch.idleLooks >= LOOKS || (isSlow && watch.waitedMs > idleMs);
}

/** Whether we have read all that has come and want more. */
function isAwaited(raw: IncomingMessage): boolean {
  const isRead = raw.readableFlowing !== false || raw.listenerCount('readable') > 0;
  return isRead && raw.readableLength === 0;
}

/** Ends our side and lets the other run dry: a reset would overtake the answer. Source: RFC 9112, 9.6 */
export function linger(raw: IncomingMessage): void {
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    raw.unpipe();
    raw.resume();
  };
}
