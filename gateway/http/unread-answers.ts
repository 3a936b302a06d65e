import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SLOW_READERS } from './slow-readers.js';

/** Maximum bytes that all clients together leave unread: they are in memory. */
const MAX_UNREAD_BYTES = 512 * 1024 * 1024;

/** Milliseconds between two checks, while something is unread. */
const CHECK_INTERVAL_MS = 500;

/** A response or a websocket, and the connection that it is written to. */
interface Output {
  readonly protocol: 'http' | 'websocket';
  readonly connection: Duplex;
  readonly stream: Pick<Duplex, 'writableLength'>;
}

/** Closes connections when their clients together leave too much unread: those with the most first, then the oldest. */
export function limitUnread(server: Server, maxBytes = MAX_UNREAD_BYTES): void {
  const outputs = new Set<Output>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    // Responses that wait for an earlier one on their connection do not learn of its end.
    for (const output of outputs) if (output.connection.destroyed) outputs.delete(output);
    if (closeSome(outputs, maxBytes) > 0) checkLater();
  };
  const checkLater = () => void (timer ??= setTimeout(check, CHECK_INTERVAL_MS).unref());
  const add = (output: Output) => {
    outputs.add(output);
    checkLater();
    return () => outputs.delete(output);
  };
  server.on('request', ({ socket: connection }: IncomingMessage, response: ServerResponse) => {
    response.once('close', add({ protocol: 'http', connection, stream: response }));
    // It may have been made long after the check that its request has begun.
    response.once('prefinish', checkLater);
  });
  server.on('upgrade', (_: IncomingMessage, socket: Duplex) => {
    socket.once('close', add({ protocol: 'websocket', connection: socket, stream: socket }));
  });
}

/** Returns the unread bytes before connections were closed. */
function closeSome(outputs: Iterable<Output>, maxBytes: number): number {
  const unread = [];
  let total = 0;
  for (const output of outputs) {
    const bytes = output.stream.writableLength;
    total += bytes;
    if (bytes > 0) unread.push({ output, bytes });
  }
  if (total <= maxBytes) return total;
  let left = total;
  for (const { output, bytes } of unread.toSorted((a, b) => b.bytes - a.bytes)) {
    if (left <= maxBytes) break;
    left -= bytes;
    SLOW_READERS.add([output.protocol]);
    output.connection.destroy();
  }
  return total;
}
