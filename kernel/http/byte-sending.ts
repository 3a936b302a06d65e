import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ByteSource } from './bytes.js';

/** Milliseconds that the other side may leave us waiting: to be told to go on, to take a piece, to answer at the end. */
const TIMEOUT_MS = 25_000;

/**
 * Sends what precedes the bytes, waits to be told to go on, then sends the bytes as they come and no faster than they are
 * taken. An answer that comes earlier ends it, the rest unread. The request expects `100-continue`.
 * @throws what is wrong with the source; the request's own error
 */
export async function sendBytes(
  request: ClientRequest,
  preamble: Buffer,
  source: ByteSource,
): Promise<IncomingMessage> {
  const stop = new AbortController();
  const answered = once(request, 'response').then(([response]) => response as IncomingMessage);
  answered.then(
    () => stop.abort(EARLY),
    (error: unknown) => stop.abort(error),
  );
  const goOn = once(request, 'continue', { signal: stop.signal });
  try {
    request.write(preamble);
    await inTime(request, Promise.race([goOn, answered]));
    if (!stop.signal.aborted) {
      await source.read((piece) => (request.write(piece) ? undefined : drained(request, stop.signal)), stop.signal);
      request.end();
    }
  } catch (error) {
    if (stop.signal.aborted && stop.signal.reason === EARLY) return answered;
    request.destroy();
    throw error;
  }
  return inTime(request, answered);
}

const EARLY = new Error('the answer came before the bytes were sent');

async function drained(request: ClientRequest, signal: AbortSignal): Promise<void> {
  await inTime(request, once(request, 'drain', { signal }));
}

async function inTime<Result>(request: ClientRequest, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => request.destroy(new Error('no answer in time')), TIMEOUT_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
