import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ByteSource } from './bytes.js';

/** Timeout in milliseconds for each of: `100 Continue`, accepting a chunk, the final response. */
const TIMEOUT_MS = 25_000;

/**
 * Sends the preamble, waits for `100 Continue`, then streams the bytes with backpressure. An early response ends the
 * sending and leaves the rest of the source unread. The request has the header `Expect: 100-continue`.
 * @throws errors of the source and of the request
 */
export async function sendBytes(
  request: ClientRequest,
  preamble: Buffer,
  source: ByteSource,
): Promise<IncomingMessage> {
  const stop = new AbortController();
  const answered = once(request, 'response').then(([response]) => response as IncomingMessage);
  answered.then(
    () => stop.abort(EARLY_RESPONSE),
    (error: unknown) => stop.abort(error),
  );
  const continued = once(request, 'continue', { signal: stop.signal });
  try {
    request.write(preamble);
    await withTimeout(request, Promise.race([continued, answered]));
    if (!stop.signal.aborted) {
      await source.read((piece) => (request.write(piece) ? undefined : drained(request, stop.signal)), stop.signal);
      request.end();
    }
  } catch (error) {
    if (stop.signal.aborted && stop.signal.reason === EARLY_RESPONSE) return answered;
    request.destroy();
    throw error;
  }
  return withTimeout(request, answered);
}

const EARLY_RESPONSE = new Error('the response came before the bytes were sent');

async function drained(request: ClientRequest, signal: AbortSignal): Promise<void> {
  await withTimeout(request, once(request, 'drain', { signal }));
}

async function withTimeout<Result>(request: ClientRequest, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => request.destroy(new Error('no answer in time')), TIMEOUT_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
