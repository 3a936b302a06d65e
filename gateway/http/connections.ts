import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

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

/** Answers a request that Node cannot read, and ends its connection. */
export function sendParserError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_BY_PARSER_ERROR[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ error: `The request cannot be read: ${status.slice(4)}.` });
  socket.end(
    `HTTP/1.1 ${status}\r\nx-request-id: ${randomUUID()}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
