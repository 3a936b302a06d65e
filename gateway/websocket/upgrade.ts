import type { GraphQLError } from 'graphql';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode, internal } from '../../kernel/errors.js';
import { PLATFORM_DIALECT, refusalAnswer } from '../rest/interpreter/answers.js';

/** Runs a check of an upgrade request. Answers the request with the error that it throws. Returns whether there is none. */
export function passes(check: () => void, socket: Duplex): boolean {
  try {
    check();
    return true;
  } catch (error) {
    refuseUpgrade(socket, errorCode(error) ? (error as GraphQLError) : internal());
    return false;
  }
}

/** Answers as /graphql answers other requests, and closes the connection. */
function refuseUpgrade(socket: Duplex, error: GraphQLError): void {
  const { status, headers } = refusalAnswer(PLATFORM_DIALECT, error);
  const body = JSON.stringify({ errors: [error] });
  const fields = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  endUpgrade(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Sends the last bytes and closes the connection: nobody reads it, so its other end could hold it for ever. */
export function endUpgrade(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy());
}

/** Registered in its own function: a listener made beside the request would keep it as long as the connection. */
export function destroyOnError(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
}
