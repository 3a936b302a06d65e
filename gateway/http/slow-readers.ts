import { METRICS } from '../../kernel/telemetry/metrics.js';
import type { Server, ServerResponse } from 'node:http';

/** How long a response may wait while the client reads nothing. */
const TIMEOUT_MS = 30_000;

/** Connections that were closed because their client did not read. */
export const SLOW_READERS = METRICS.counter(
  'slow_readers_closed_total',
  'Connections that were closed because their client did not read.',
  ['protocol'],
);

// From zero, so that the first one is an increase.
for (const protocol of ['http', 'websocket']) SLOW_READERS.add([protocol], 0);

/** Closes connections whose client does not read the response, which stays in memory until then. Slow handlers are not affected. */
export function closeSlowReaders(server: Server, timeoutMs = TIMEOUT_MS): void {
  server.on('request', (_, response: ServerResponse) => {
    // Node counts a socket as idle only when the client has read no byte either.
    response.setTimeout(timeoutMs, () => {
      const { socket } = response;
      if (!socket || socket.writableLength === 0) return;
      SLOW_READERS.add(['http']);
      socket.destroy();
    });
  });
}
