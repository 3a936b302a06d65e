import cors from '@fastify/cors';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GraphQLError } from 'graphql';
import { BODY_TIMES, type BodyTimes } from '../kernel/http/body-times.js';
import { badRequest, errorCode, internal, notFound, payloadTooLarge, rangeNotSatisfiable } from '../kernel/errors.js';
import type { Logger } from '../kernel/telemetry/log.js';
import type { Trace } from '../kernel/telemetry/trace.js';
import { jsonFault, parseExactly } from '../kernel/text.js';
import { MAX_BODY_BYTES, timeBodies } from './http/bodies.js';
import type { OperationReport } from './http/metrics.js';
import { malformedUrl } from './rest/interpreter/addresses.js';
import { refusalAnswer } from './rest/interpreter/answers.js';
import type { Route } from './rest/route.js';
import { dialectOf, send } from './rest/interpreter/router.js';
import { addTracing } from './http/tracing.js';
import { closeSlowReaders } from './http/slow-readers.js';

/** Bytes of a path parameter: as long as Node lets a request line be, so that each route refuses by its own rule. */
const MAX_PARAMETER_LENGTH = 16 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** What became of a GraphQL request, once that is known. */
    operation: OperationReport | undefined;
  }
  interface FastifyContextConfig {
    /** The body stays the text it came as. */
    readonly isRaw?: boolean;
    /** What is served there, where it is one of the documents'. */
    readonly route?: Route;
  }
}

/** Headers of ours that a page on another origin may read. */
const EXPOSED =
  'X-Request-Id, Retry-After, ETag, Accept-Ranges, Content-Range, Content-Disposition, ' +
  'X-Size-Bytes, X-Revision-Id, X-Revision-Seq, X-File-Id, X-Ss58-Address, X-Folder-Hash';

interface AppOptions {
  readonly bodyTimes?: BodyTimes;
  readonly unreadMs?: number;
  readonly stopping?: AbortSignal;
  readonly trace?: Trace | undefined;
}

/** The HTTP server without its routes: ids, bodies, CORS, logs, and refusals in the words of the document concerned. */
export async function createApp(
  log: Logger,
  isTrustedProxy?: (address: string) => boolean,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const refused = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    void refuse(error as FastifyError, request, reply, log);
  const app = fastify({
    logger: false,
    ...(isTrustedProxy && { trustProxy: isTrustedProxy }),
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => inboundId(request.headers['x-request-id']) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors: (error, request, reply) => refused(error, request as FastifyRequest, reply as FastifyReply),
    // "a server MUST accept the absolute-form in requests" (RFC 9112, 3.2.2)
    rewriteUrl: ({ url = '/' }) => pathOf(url),
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
    http: { requireHostHeader: false, headersTimeout: 60_000, ...OPEN_WEBSOCKETS_ONLY },
    forceCloseConnections: 'idle',
    // Bodies are timed each by its kind.
    requestTimeout: 0,
    connectionTimeout: 0,
  });
  app.decorateRequest('operation');
  closeSlowReaders(app.server, options.unreadMs);
  if (options.trace) addTracing(app, options.trace);
  addHeaders(app, options.stopping);
  await app.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
  });
  refuseEarly(app);
  timeBodies(app, options.bodyTimes ?? BODY_TIMES, refused);
  readJsonBodies(app);
  app.addHook('onResponse', async (request, reply) => logRequest(log, request, reply));
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    // An expectation that nobody knows is passed over, as RFC 9110 allows; the request is served.
    app.server.emit('request', request, response);
  });
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalAnswer(dialectOf(request.url), notFound('There is nothing at this address.'))),
  );
  app.setErrorHandler(refused);
  return app;
}

/** "A server MAY ignore a received Upgrade header field" (RFC 9110, 7.8): whoever offers HTTP/2 is served as they came. */
const OPEN_WEBSOCKETS_ONLY: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
  shouldUpgradeCallback: ({ method, headers }) => method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
};

function addHeaders(app: FastifyInstance, stopping: AbortSignal | undefined): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  });
  app.addHook('onSend', async (_request, reply) => {
    // A connection that is kept would be waited for.
    if (stopping?.aborted) reply.header('connection', 'close');
  });
}

/** Refuses what needs no body to be refused, after the headers that let a browser read the refusal. */
function refuseEarly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // "a server MUST respond with a 400 to any HTTP/1.1 request message that lacks a Host header field" (RFC 9112, 3.2)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw badRequest('The request has no Host header.');
    if ((request.raw.headersDistinct.authorization?.length ?? 0) > 1)
      throw badRequest('The request has several Authorization headers.');
    refuseCodings(request, reply);
    // Before a body is read: nobody waits for it here.
    if (request.is404) throw notFound('There is nothing at this address.');
  });
}

function refuseCodings({ headers }: FastifyRequest, reply: FastifyReply): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw badRequest('Bodies are read as they are: Content-Encoding is not served.');
  // "SHOULD respond with 501": the documents have no such status (RFC 9112, 6.1)
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return;
  reply.header('connection', 'close');
  throw badRequest('Bodies are read as they are: of the transfer codings only chunked is served.');
}

function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
  return path.startsWith('*') ? `/${path}` : path || '/';
}

/** Statuses of what Node's parser refuses before there is a request; 400 for the rest. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ error: `The request cannot be read: ${status.slice(4)}.` });
  socket.end(
    `HTTP/1.1 ${status}\r\nx-request-id: ${randomUUID()}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function inboundId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,64}$/.test(header) ? header : undefined;
}

/** Every body is taken for JSON whatever its content type says; none at all is no fault. */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    if (request.routeOptions.config.isRaw) return done(null, text);
    if (text.trim() === '') return done(null, undefined);
    try {
      const body = parseExactly(text);
      const fault = jsonFault(body);
      done(fault === undefined ? null : badRequest(fault), body);
    } catch {
      done(badRequest('The body is not valid JSON.'));
    }
  });
}

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { method, id: requestId, operation } = request;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const route = request.routeOptions.url ?? 'none';
  log.info({ requestId, method, route, status: reply.statusCode, ms, ...(operation && { operation }) }, 'request');
}

/** Refuses in the words of the document that the path belongs to; faults of ours are logged whole. */
function refuse(
  error: FastifyError | GraphQLError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const shown = asRefusal(error, request);
  // Also where no hook has run.
  reply.header('x-request-id', request.id).header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', EXPOSED);
  if (errorCode(shown) === 'INTERNAL') log.error({ requestId: request.id, err: error }, 'a request failed');
  if (isGraphQLPath(request.url)) {
    const answer = refusalAnswer(dialectOf('/api'), shown);
    return send(reply, { ...answer, body: { errors: [shown] } });
  }
  return send(reply, refusalAnswer(dialectOf(request.url), shown, request.routeOptions.config.route));
}

function isGraphQLPath(url: string): boolean {
  return /^\/graphql(?:[/?]|$)/.test(url);
}

function isOfCaller(status: number): boolean {
  return status >= 400 && status < 500;
}

/** What a library refuses with a status that clients act on, e.g. for a part of a static file. */
const REFUSAL_BY_STATUS: Readonly<Record<number, () => GraphQLError>> = {
  404: () => notFound('There is nothing at this address.'),
  416: () => rangeNotSatisfiable('The range is not within the file.'),
};

function asRefusal(
  error: FastifyError | GraphQLError,
  { url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>,
): GraphQLError {
  if (error instanceof GraphQLError && errorCode(error)) return error;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if ('code' in error && error.code === 'FST_ERR_BAD_URL') {
    return malformedUrl(url) as GraphQLError;
  }
  if (status === 413)
    return payloadTooLarge(`The body is larger than ${routeOptions.bodyLimit ?? MAX_BODY_BYTES} bytes.`);
  return refusalOf(status ?? 500);
}

function refusalOf(status: number): GraphQLError {
  const known = REFUSAL_BY_STATUS[status];
  if (known) return known();
  return isOfCaller(status) ? badRequest('The request is malformed.') : internal();
}
