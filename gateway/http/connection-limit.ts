import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { maxOpenFiles } from '../../kernel/telemetry/process-metrics.js';

/** The share of the open files of this process that connections may use. The rest is for the database, other processes and files. */
const SHARE_OF_FILES = 0.9;

/**
 * Limits the connections of a server. Above the limit each new one ends the one that is longest without a request, so clients that
 * send nothing keep out nobody. Websockets and connections with a request stay; when all are such, the new one ends.
 */
export function limitConnections(server: Server, max = SHARE_OF_FILES * maxOpenFiles()): void {
  let open = 0;
  /** Those without a request, the longest first. */
  const idle = new Set<Socket>();
  /** Requests of a connection; a client may send the next before the answer. */
  const running = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: 1 | -1) => {
    const requests = (running.get(socket) ?? 0) + change;
    running.set(socket, requests);
    if (requests > 0) idle.delete(socket);
    else if (!socket.destroyed) idle.add(socket);
  };
  server.on('connection', (socket: Socket) => {
    open++;
    idle.add(socket);
    socket.once('close', () => {
      open--;
      idle.delete(socket);
    });
    if (open <= max) return;
    const [longest] = idle;
    longest?.destroy();
    // `close` comes later, and the next connection may come before.
    if (longest) idle.delete(longest);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => idle.delete(socket));
}
