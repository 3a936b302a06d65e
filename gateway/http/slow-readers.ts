import type { Server, ServerResponse } from 'node:http';

/** Milliseconds for which an answer may wait for its reader without any of it being taken. */
const TIMEOUT_MS = 30_000;

/** Ends connections whose answers are not read: until then they hold them in memory. Slow work is waited for. */
export function closeSlowReaders(server: Server, timeoutMs = TIMEOUT_MS): void {
  server.on('request', (_, response: ServerResponse) => {
    // Node calls a socket idle only when no byte of what it is sending was taken either.
    response.setTimeout(timeoutMs, () => {
      const { socket } = response;
      if (socket && socket.writableLength > 0) socket.destroy();
    });
  });
}
