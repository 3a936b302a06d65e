import { CloseCode, makeServer, type ServerOptions } from 'graphql-ws';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { METRICS } from '../../kernel/telemetry/metrics.js';
import { SLOW_READERS } from '../http/slow-readers.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import { readMessage } from './client-message.js';
import { Outlet } from './outlet.js';

/** A websocket. Its request is not kept. */
export interface Connection {
  readonly socket: WebSocket;
  readonly outlet: Outlet;
  readonly client: SocketClient;
}

/** What the request of a websocket tells about its client. */
export interface SocketClient {
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
}

const SOCKETS = METRICS.gauge('websocket_connections', 'Open websockets.', []);
// An autoscaler needs a value of each process.
SOCKETS.add([], 0);

/** Clients may send any code from 1000 to 4999; only these are labels. */
const KNOWN_CLOSE_CODES: ReadonlySet<number> = new Set([
  1000, 1001, 1005, 1006, 1009, 1011, 1012, 4400, 4401, 4403, 4408, 4409, 4429,
]);
const CLOSED = METRICS.counter('websocket_closed_total', 'Closed websockets, by close code.', ['code']);

/** Options of the server of `ws`. */
export const SOCKET_OPTIONS = {
  noServer: true,
  /** Handles one message of a socket per turn of the event loop, so that a flooding client does not delay others. */
  allowSynchronousEvents: false,
  /** Milliseconds from the close frame to the end of the connection, for a client that does not answer it. */
  closeTimeout: 2_000,
} as const;

interface WebsocketOptions {
  readonly log: Logger;
  /** Milliseconds between pings. A socket without an answer by the next ping is closed, later if it has much to read. */
  readonly keepAliveMs: number;
  /** Maximum bytes that a client has not read. Above it the server reads no messages until they are sent. */
  readonly maxBufferedBytes: number;
}

/** Returns a function that runs graphql-ws on a socket. An error on one socket is logged and closes only that socket. */
export function openWebsocketServer<State extends Connection>(
  options: ServerOptions<Record<string, unknown>, State>,
  { log, keepAliveMs, maxBufferedBytes }: WebsocketOptions,
): (socket: WebSocket, stream: Socket, client: SocketClient) => void {
  const server = makeServer(options);
  return (socket, stream, client) => {
    SOCKETS.add([], 1);
    const stopPinging = keepAlive(socket, stream, keepAliveMs);
    // Occurs for large or malformed frames; ws closes the socket itself.
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket sent an invalid frame'));
    const connection: Connection = { socket, outlet: new Outlet(socket, stream), client };
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          void socket.on('message', (data: Buffer) => {
            // Ignore messages after the close frame, such as a mutation with a revoked token.
            if (socket.readyState !== socket.OPEN) return;
            // graphql-ws takes parsed messages too, which its types do not say.
            take(readMessage(data.toString()) as string).catch((error: unknown) => closeWithError(socket, error, log));
            if (socket.bufferedAmount > maxBufferedBytes) waitForReader(connection);
          }),
      },
      connection as State,
    );
    socket.once('close', (code, reason) => {
      SOCKETS.add([], -1);
      CLOSED.add([KNOWN_CLOSE_CODES.has(code) ? `${code}` : 'other']);
      stopPinging();
      void closed(code, reason.toString());
    });
  };
}

/** Stops reading until the client has read its answers. `keepAlive` closes the socket of a client that never reads. */
function waitForReader({ socket, outlet }: Connection): void {
  if (socket.isPaused) return;
  socket.pause();
  void outlet.drained().then(() => socket.resume());
}

function closeWithError(socket: WebSocket, error: unknown, log: Logger): void {
  // graphql-ws throws this for a message type that only servers may send.
  if (error instanceof Error && error.message.startsWith('Unexpected message'))
    return socket.close(CloseCode.BadRequest, 'Clients cannot send a message of this type.');
  log.error({ err: error }, 'a message on a socket failed');
  socket.close(CloseCode.InternalServerError, 'Internal server error.');
}

/** Resolves when the text is sent, and also when the client has disconnected. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, () => resolve());
  });
}

/** The slowest rate at which a client may read. */
const MIN_BYTES_PER_SECOND = 4 * 1024;

/** Maximum pings without an answer, however many bytes stand before them. */
const MAX_MISSED_PINGS = 10;

function keepAlive(socket: WebSocket, stream: Socket, everyMs: number): () => void {
  let [isAnswered, missed, payload] = [true, 0, ''];
  /** Bytes written before the last ping, and before the last ping that was answered. */
  let [pingedBytes, answeredBytes] = [stream.bytesWritten, stream.bytesWritten];
  socket.on('pong', (answer: Buffer) => {
    // A client that reads nothing does not know the payload.
    if (answer.toString() !== payload) return;
    isAnswered = true;
    answeredBytes = pingedBytes;
  });
  const timer = setInterval(() => {
    if (isAnswered) {
      if (socket.readyState !== socket.OPEN) return;
      [isAnswered, missed, payload, pingedBytes] = [false, 0, randomUUID(), stream.bytesWritten];
      return socket.ping(payload);
    }
    missed += 1;
    const readingMs = ((pingedBytes - answeredBytes) / MIN_BYTES_PER_SECOND) * 1_000;
    if (missed <= Math.min(readingMs / everyMs, MAX_MISSED_PINGS)) return;
    if (socket.isPaused) SLOW_READERS.add(['websocket']);
    socket.terminate();
  }, everyMs);
  return () => clearInterval(timer);
}
