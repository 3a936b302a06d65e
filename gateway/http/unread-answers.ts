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
  /** Its unread bytes at the last check. */
  lastBytes: number;
}

/**
 * Closes connections when their clients together leave too much unread: first those on which nothing was read since the last check, and
 * of them those with the most.
 */
export function limitUnread(server: Server, maxBytes = MAX_UNREAD_BYTES): void {
  const outputs = new Set<Output>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    if (closeSome(outputs, maxBytes) > 0) checkLater();
  };
  const checkLater = () => void (timer ??= setTimeout(check, CHECK_INTERVAL_MS).unref());
  const add = (output: Omit<Output, 'lastBytes'>) => {
    const added = { ...output, lastBytes: Infinity };
    outputs.add(added);
    return () => outputs.delete(added);
  };
  server.on('request', ({ socket: connection }: IncomingMessage, response: ServerResponse) => {
    response.once('close', add({ protocol: 'http', connection, stream: response }));
    checkLater();
  });
  server.on('upgrade', (_: IncomingMessage, socket: Duplex) => {
    socket.once('close', add({ protocol: 'websocket', connection: socket, stream: socket }));
    checkLater();
  });
}

/** Returns the unread bytes before connections were closed. */
function closeSome(outputs: Set<Output>, maxBytes: number): number {
  // Responses that wait for an earlier one on their connection do not learn of its end.
  for (const output of outputs) if (output.connection.destroyed) outputs.delete(output);
  const unread = [...outputs].map((output) => ({ ...output, output, bytes: output.stream.writableLength }));
  const total = unread.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { output, bytes } of unread) output.lastBytes = bytes;
  if (total <= maxBytes) return total;
  const isRead = ({ bytes, lastBytes }: (typeof unread)[number]) => Number(bytes < lastBytes);
  let left = total;
  for (const one of unread.toSorted((a, b) => isRead(a) - isRead(b) || b.bytes - a.bytes)) {
    if (left <= maxBytes) break;
    left -= one.bytes;
    SLOW_READERS.add([one.protocol]);
    one.connection.destroy();
  }
  return total;
}
