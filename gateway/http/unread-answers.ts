import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SLOW_READERS } from './slow-readers.js';

/** Maximum bytes that all clients together leave unread: they are in memory. */
const MAX_UNREAD_BYTES = 512 * 1024 * 1024;

/** Milliseconds between two checks, while a response is under way, a websocket is open or something is unread. */
const CHECK_INTERVAL_MS = 500;

/** What is written to a connection. */
interface Output {
  readonly protocol: 'http' | 'websocket';
  /** Those that are not closed. */
  readonly responses: ServerResponse[];
}

/**
 * Closes connections when their clients together leave too much unread: those with the most first, then the oldest. There is
 * a list per connection, because V8 chains the tables that a map or a set outgrows: responses in one set for all would be kept by them
 * until the next full collection.
 */
export function limitUnread(server: Server, maxBytes = MAX_UNREAD_BYTES): void {
  const outputs = new Map<Duplex, Output>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    if (closeSome(outputs, maxBytes) > 0 || hasWriters(outputs.values())) checkLater();
  };
  const checkLater = () => void (timer ??= setTimeout(check, CHECK_INTERVAL_MS).unref());
  server.on('connection', (connection: Duplex) => {
    outputs.set(connection, { protocol: 'http', responses: [] });
    connection.once('close', () => outputs.delete(connection));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = outputs.get(socket)?.responses ?? [];
    responses.push(response);
    response.once('close', () => responses.splice(responses.indexOf(response), 1));
    checkLater();
  });
  server.on('upgrade', (_: IncomingMessage, socket: Duplex) => {
    outputs.set(socket, { protocol: 'websocket', responses: [] });
    // The socket of a second address of `localhost` comes only here.
    socket.once('close', () => outputs.delete(socket));
    checkLater();
  });
}

/** Whether something may be written: a websocket gets events at any time. */
function hasWriters(outputs: Iterable<Output>): boolean {
  for (const { protocol, responses } of outputs) if (protocol === 'websocket' || responses.length > 0) return true;
  return false;
}

/** Returns the unread bytes before connections were closed. */
function closeSome(outputs: ReadonlyMap<Duplex, Output>, maxBytes: number): number {
  const unread: { readonly connection: Duplex; readonly protocol: Output['protocol']; readonly bytes: number }[] = [];
  let total = 0;
  for (const [connection, { protocol, responses }] of outputs) {
    const bytes = protocol === 'websocket' ? connection.writableLength : unreadBytes(responses);
    if (bytes === 0) continue;
    total += bytes;
    unread.push({ connection, protocol, bytes });
  }
  if (total <= maxBytes) return total;
  let left = total;
  for (const { connection, protocol, bytes } of unread.toSorted((a, b) => b.bytes - a.bytes)) {
    if (left <= maxBytes) break;
    left -= bytes;
    SLOW_READERS.add([protocol]);
    connection.destroy();
  }
  return total;
}

function unreadBytes(responses: readonly ServerResponse[]): number {
  let bytes = 0;
  for (const { writableLength } of responses) bytes += writableLength;
  return bytes;
}
