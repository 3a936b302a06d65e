import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SLOW_READERS } from './slow-readers.js';

/** Maximum bytes that all clients together leave unread: they are in memory. */
const MAX_UNREAD_BYTES = 512 * 1024 * 1024;

/** Milliseconds between two checks, while a response is under way or something is unread. */
const CHECK_INTERVAL_MS = 500;

/** A response or a websocket, and the connection that it is written to. */
interface Output {
  readonly protocol: 'http' | 'websocket';
  readonly connection: Duplex;
  readonly unreadBytes: () => number;
}

/** Closes connections when their clients together leave too much unread: those with the most first, then the oldest. */
export function limitUnread(server: Server, maxBytes = MAX_UNREAD_BYTES): void {
  const outputs = new Set<Output>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    let responses = 0;
    for (const output of outputs)
      // Responses that wait for an earlier one on their connection do not learn of its end.
      if (output.connection.destroyed) outputs.delete(output);
      else if (output.protocol === 'http') responses++;
    if (closeSome(outputs, maxBytes) > 0 || responses > 0) checkLater();
  };
  const checkLater = () => void (timer ??= setTimeout(check, CHECK_INTERVAL_MS).unref());
  const add = (output: Output) => {
    outputs.add(output);
    checkLater();
    return () => outputs.delete(output);
  };
  server.on('request', ({ socket: connection }: IncomingMessage, response: ServerResponse) => {
    // One that is still written waits for its reader.
    const unreadBytes = () => (response.writableEnded ? response.writableLength : 0);
    response.once('close', add({ protocol: 'http', connection, unreadBytes }));
  });
  server.on('upgrade', (_: IncomingMessage, socket: Duplex) => {
    socket.once('close', add({ protocol: 'websocket', connection: socket, unreadBytes: () => socket.writableLength }));
  });
}

/** Returns the unread bytes before connections were closed. */
function closeSome(outputs: Iterable<Output>, maxBytes: number): number {
  const unread = new Map<Duplex, { readonly protocol: Output['protocol']; bytes: number }>();
  let total = 0;
  for (const { protocol, connection, unreadBytes } of outputs) {
    const bytes = unreadBytes();
    if (bytes === 0) continue;
    total += bytes;
    const known = unread.get(connection);
    if (known) known.bytes += bytes;
    else unread.set(connection, { protocol, bytes });
  }
  if (total <= maxBytes) return total;
  let left = total;
  for (const [connection, { protocol, bytes }] of [...unread].toSorted(([, a], [, b]) => b.bytes - a.bytes)) {
    if (left <= maxBytes) break;
    left -= bytes;
    SLOW_READERS.add([protocol]);
    connection.destroy();
  }
  return total;
}
