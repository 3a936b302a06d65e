import type { GraphQLError } from 'graphql';
import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '../../kernel/errors.js';
import { pathOf } from './host.js';

/** Time to receive all headers of a request, and how often Node looks for late ones. */
const HEADER_TIMES = { wholeMs: 60_000, checkEveryMs: 30_000 } as const;

/** Milliseconds. */
export interface HeaderTimes {
  readonly wholeMs: number;
  readonly checkEveryMs: number;
}

/** "A server MAY ignore a received Upgrade header field" (RFC 9110, 7.8): so h2c is ignored. */
const WEBSOCKET_UPGRADES_ONLY: ServerOptions = {
  shouldUpgradeCallback: ({ method, headers }) => method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
};

/** Returns the options of Node's HTTP server. */
export function connectionOptions({ wholeMs, checkEveryMs }: HeaderTimes = HEADER_TIMES): ServerOptions {
  const times = { headersTimeout: wholeMs, connectionsCheckingInterval: checkEveryMs };
  return { requireHostHeader: false, ...times, ...WEBSOCKET_UPGRADES_ONLY };
}

/** Status by error code of Node's HTTP parser; 400 for other codes. */
const STATUS_BY_PARSER_ERROR: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that came last. Fastify's type is that of their JSON. */
  readonly rawPacket?: unknown;
}

/**
 * Answers a request that Node cannot read, and ends its connection.
 * @param refusalAt returns the body for the path, which is undefined if the last packet does not begin with it
 */
export function sendParserError(
  error: ParserError,
  socket: Socket,
  refusalAt: (url: string | undefined, refusal: GraphQLError) => unknown,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_BY_PARSER_ERROR[error.code ?? ''] ?? '400 Bad Request';
  const refusal = badRequest(`The request cannot be read: ${status.slice(4)}.`);
  const body = JSON.stringify(refusalAt(requestedPath(error), refusal));
  socket.end(
    `HTTP/1.1 ${status}\r\nx-request-id: ${randomUUID()}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function requestedPath({ rawPacket }: ParserError): string | undefined {
  const [, target] = (Buffer.isBuffer(rawPacket) && /^[A-Z]+ (\S+)/.exec(rawPacket.toString('latin1'))) || [];
  return target === undefined ? undefined : pathOf(target);
}
