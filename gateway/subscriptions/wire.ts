import { CloseCode, makeServer, type ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../kernel/telemetry/log.js';

interface WebsocketServer {
  readonly log: Logger;
  /** Milliseconds between pings; a socket that leaves one unanswered for as long is ended. */
  readonly keepAliveMs: number;
  /** Bytes that may wait for a client that asks on and on without reading the answers. */
  readonly unreadBytes: number;
}

/** Runs graphql-ws on sockets; what goes wrong on one is a line of our log and ends that one. */
export function wire<State extends Extra>(
  sockets: WebSocketServer,
  options: ServerOptions<Record<string, unknown>, State>,
  { log, keepAliveMs, unreadBytes }: WebsocketServer,
): void {
  const server = makeServer(options);
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const stopPinging = keepAlive(socket, keepAliveMs);
    // Frames that are too large or malformed: ws answers those itself.
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket sent what cannot be read'));
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (text) => send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          void socket.on('message', (data: Buffer) => {
            if (socket.bufferedAmount > unreadBytes) return socket.terminate();
            take(data.toString()).catch((error: unknown) => refuse(socket, error, log));
          }),
      },
      { socket, request } as never,
    );
    socket.once('close', (code, reason) => {
      stopPinging();
      void closed(code, reason.toString());
    });
  });
}

function refuse(socket: WebSocket, error: unknown, log: Logger): void {
  // How graphql-ws says that a client sent what only servers send.
  if (error instanceof Error && error.message.startsWith('Unexpected message'))
    return socket.close(CloseCode.BadRequest, 'This is no message of a client.');
  log.error({ err: error }, 'a message on a socket failed');
  socket.close(CloseCode.InternalServerError, 'Something went wrong on our side.');
}

/** Settles when the text has left for the network, also when the client is gone: nobody is left to be told. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, () => resolve());
  });
}

function keepAlive(socket: WebSocket, everyMs: number): () => void {
  let isAnswered = true;
  socket.on('pong', () => (isAnswered = true));
  const timer = setInterval(() => {
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs);
  return () => clearInterval(timer);
}
