import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ByteSource } from './bytes.js';
import { responseOf } from './response-of.js';

/**
 * Sends the preamble, waits for `100 Continue`, then streams the bytes with backpressure. An early response ends the
 * sending and leaves the rest of the source unread. The request has the header `Expect: 100-continue`.
 * @param timeoutMs for each of: `100 Continue`, accepting a chunk, the final response. `102 Processing` starts it again.
 * @throws errors of the source and of the request
 */
export async function sendBytes(
  request: ClientRequest,
  preamble: Buffer,
  { source, timeoutMs }: { readonly source: ByteSource; readonly timeoutMs: number },
): Promise<IncomingMessage> {
  const inTime = <Result>(work: Promise<Result>) => withTimeout(request, timeoutMs, work);
  const stop = new AbortController();
  const answered = responseOf(request);
  answered.then(
    () => stop.abort(EARLY_RESPONSE),
    (error: unknown) => stop.abort(error),
  );
  const continued = once(request, 'continue', { signal: stop.signal });
  try {
    request.write(preamble);
    await inTime(Promise.race([continued, answered]));
    if (!stop.signal.aborted) {
      const drained = () => inTime(once(request, 'drain', { signal: stop.signal }));
      await source.read((piece) => (request.write(piece) ? undefined : drained()), stop.signal);
      request.end();
    }
  } catch (error) {
    if (stop.signal.aborted && stop.signal.reason === EARLY_RESPONSE) return answered;
    request.destroy();
    throw error;
  }
  return inTime(answered);
}

const EARLY_RESPONSE = new Error('the response came before the bytes were sent');

async function withTimeout<Result>(request: ClientRequest, timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeoutMs);
  const restart = () => timer.refresh();
  request.on('information', restart);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    request.off('information', restart);
  }
}
