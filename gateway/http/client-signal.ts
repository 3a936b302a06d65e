import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the client leaves, or has left, before the response is sent. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const abort = () => {
    if (!response.writableFinished) left.abort();
  };
  if (response.destroyed) abort();
  else response.once('close', abort);
  return left.signal;
}
