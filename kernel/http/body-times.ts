import type { IncomingMessage } from 'node:http';

/** Timeouts of request bodies, in milliseconds. */
export interface BodyTimes {
  /** Maximum time until a buffered body is complete. */
  readonly wholeMs: number;
  /** Maximum pause of a streamed body. */
  readonly idleMs: number;
  /** Minimum average rate of a streamed body after `idleMs`, because a client that sends single bytes holds memory. */
  readonly leastBytesPerSecond: number;
}

export const BODY_TIMES: BodyTimes = { wholeMs: 120_000, idleMs: 30_000, leastBytesPerSecond: 4_096 };

/** Milliseconds for which a refused client may continue to send, so that it reads the response instead of a reset. */
const LINGER_TIMEOUT_MS = 5_000;

/** Number of checks within the idle timeout. */
const CHECKS = 10;

/** Calls `act` if the body is not complete in time. Returns a function that cancels the timer. */
export function whenLate(raw: IncomingMessage, limitMs: number, act: () => void): () => void {
  const timer = setTimeout(() => !raw.complete && act(), limitMs);
  const stop = () => clearTimeout(timer);
  raw.once('end', stop);
  return stop;
}

/** Progress of a streamed body. */
interface BodyProgress {
  /** Bytes read from the connection startBytes this body. */
  readonly startBytes: number;
  lastBytes: number;
  idleChecks: number;
  waitedMs: number;
}

/** Calls `act` if a streamed body pauses too long or its average rate is too low. Returns a function that cancels the check. */
export function whenIdle(raw: IncomingMessage, times: BodyTimes, act: () => void): () => void {
  const { bytesRead } = raw.socket;
  const progress = { startBytes: bytesRead, lastBytes: bytesRead, idleChecks: 0, waitedMs: 0 };
  const timer = setInterval(() => {
    if (!raw.complete && !isTooSlow(progress, raw, times)) return;
    clearInterval(timer);
    if (!raw.complete) act();
  }, times.idleMs / CHECKS);
  return () => clearInterval(timer);
}

/** Updates the progress. Time in which the server does not read is not counted. */
function isTooSlow(progress: BodyProgress, raw: IncomingMessage, { idleMs, leastBytesPerSecond }: BodyTimes): boolean {
  const { bytesRead } = raw.socket;
  const isResting = bytesRead === progress.lastBytes;
  progress.lastBytes = bytesRead;
  progress.idleChecks = isResting && isAwaited(raw) ? progress.idleChecks + 1 : 0;
  if (!isAwaited(raw)) return false;
  progress.waitedMs += idleMs / CHECKS;
  const isSlow = (bytesRead - progress.startBytes) * 1000 < leastBytesPerSecond * progress.waitedMs;
  return progress.idleChecks >= CHECKS || (isSlow && progress.waitedMs > idleMs);
}

/** Whether the server has read all received bytes and waits for more. */
function isAwaited(raw: IncomingMessage): boolean {
  const isRead = raw.readableFlowing === true || raw.listenerCount('readable') > 0;
  return isRead && raw.readableLength === 0;
}

/** Closes the sending side and drains the rest of the request, because a reset could overtake the response. Source: RFC 9112, 9.6 */
export function linger(raw: IncomingMessage): void {
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS);
    socket.once('close', () => clearTimeout(timer));
    raw.unpipe();
    raw.resume();
  };
}
