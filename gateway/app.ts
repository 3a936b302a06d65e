import cors from '@fastify/cors';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { BODY_TIMES, type BodyTimes } from '../kernel/http/body-times.js';
import {
  badRequest,
  errorCode,
  internal,
  notFound,
  payloadTooLarge,
  preconditionFailed,
  rangeNotSatisfiable,
} from '../kernel/errors.js';
import type { Logger } from '../kernel/telemetry/log.js';
import type { Trace } from '../kernel/telemetry/trace.js';
import { parseExactly } from '../kernel/scalars/exact-json.js';
import { jsonFault, parseFault } from '../kernel/scalars/text.js';
import { MAX_BODY_BYTES, timeBodies } from './http/bodies.js';
import { limitConnections } from './http/connection-limit.js';
import { connectionOptions, sendParserError, type HeaderTimes } from './http/connections.js';
import { checkHost, pathOf } from './http/host.js';
import type { OperationReport } from './http/metrics.js';
import { ROUTES } from './rest/contract.js';
import { malformedUrl } from './rest/interpreter/path-errors.js';
import { PLATFORM_DIALECT, refusalAnswer } from './rest/interpreter/answers.js';
import type { Route } from './rest/route.js';
import { dialectAt, isGraphQLPath, unreadRefusal } from './rest/interpreter/dialects.js';
import { send } from './rest/interpreter/router.js';
import { addTracing } from './http/tracing.js';
import { closeSlowReaders } from './http/slow-readers.js';
import { limitUnread } from './http/unread-answers.js';

/** Limit of a path parameter in characters. Node limits the request line to as many, so each route applies its own rule. */
const MAX_PARAMETER_LENGTH = 16 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The result of a GraphQL request; set when it is answered. */
    operation: OperationReport | undefined;
    /** The id of the trace, if it is recorded. */
    traceId: string | undefined;
  }
  interface FastifyContextConfig {
    /** The body is passed on as text, not parsed as JSON. */
    readonly isRaw?: boolean;
    /** The entry of the REST table, for routes that have one. */
    readonly route?: Route;
  }
}

/** Characters of a text that is sent as bytes. */
const LONG_TEXT = 1024 * 1024;

const GENERAL_HEADERS = 'X-Request-Id, Retry-After, ETag, Accept-Ranges, Content-Range, Content-Disposition';
const DOWNLOAD_HEADERS = ROUTES.flatMap(({ download }) => Object.keys(download?.headers ?? {}));

/** Response headers that scripts of other origins may read (Access-Control-Expose-Headers). */
const EXPOSED_HEADERS = [...new Set([...GENERAL_HEADERS.split(', '), ...DOWNLOAD_HEADERS])].join(', ');

interface AppOptions {
  readonly bodyTimes?: BodyTimes;
  readonly headerTimes?: HeaderTimes;
  readonly maxConnections?: number;
  readonly slowReaderTimeoutMs?: number;
  readonly maxUnreadBytes?: number;
  readonly stopping?: AbortSignal;
  readonly trace?: Trace | undefined;
  /** Browsers use this host by HTTPS only, for a year. Set it only if clients reach the server by HTTPS. */
  readonly isHttpsOnly?: boolean;
  /** Runs first for each request; what it throws is the answer. */
  readonly admit?: (request: FastifyRequest) => void;
}

/** Creates the HTTP server without routes: request ids, body limits, CORS, request log, error responses. */
export async function createApp(
  log: Logger,
  isTrustedProxy?: (address: string) => boolean,
  options: AppOptions = {},
): Promise<FastifyInstance> {
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    void replyWithError(error as FastifyError, request, reply, log);
  const app = fastify({
    logger: false,
    ...(isTrustedProxy && { trustProxy: isTrustedProxy }),
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => clientRequestId(request.headers['x-request-id']) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors: (error, request, reply) => sendError(error, request as FastifyRequest, reply as FastifyReply),
    rewriteUrl: ({ url = '/' }) => pathOf(url),
    clientErrorHandler: (error, socket) => sendParserError(error, socket, unreadRefusal),
    return503OnClosing: false,
    http: connectionOptions(options.headerTimes),
    forceCloseConnections: 'idle',
    // `timeBodies` limits the time of a body; the limit depends on the kind of body.
    requestTimeout: 0,
    connectionTimeout: 0,
  });
  for (const name of ['operation', 'traceId']) app.decorateRequest(name);
  limitConnections(app.server, options.maxConnections);
  closeSlowReaders(app.server, options.slowReaderTimeoutMs);
  limitUnread(app.server, options.maxUnreadBytes);
  if (options.trace) addTracing(app, options.trace);
  addHeaders(app, options);
  await app.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
  });
  checkHeaders(app);
  timeBodies(app, options.bodyTimes ?? BODY_TIMES, sendError);
  readJsonBodies(app);
  app.addHook('onResponse', async (request, reply) => logRequest(log, request, reply));
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    // An unknown Expect header is ignored and the request is served (RFC 9110, 10.1.1).
    app.server.emit('request', request, response);
  });
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalAnswer(dialectAt(request), notFound('There is nothing at this address.'))),
  );
  app.setErrorHandler(sendError);
  return app;
}

function addHeaders(app: FastifyInstance, { stopping, admit, isHttpsOnly = false }: AppOptions): void {
  const headers = {
    'x-content-type-options': 'nosniff',
    ...(isHttpsOnly && { 'strict-transport-security': 'max-age=31536000' }),
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(headers);
    admit?.(request);
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    // A stop waits for open connections, so they are closed after this response.
    if (stopping?.aborted) reply.header('connection', 'close');
    // Node reserves three bytes for each character of a text until it is read.
    return typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload;
  });
}

/** Checks the headers before the body is read. Runs after CORS, so that browsers can read the error. */
function checkHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    checkHost(request.raw);
    if ((request.raw.headersDistinct.authorization?.length ?? 0) > 1)
      throw badRequest('The request has several Authorization headers.');
    checkEncodings(request, reply);
    // No route would read the body, so do not wait for it.
    if (request.is404) throw notFound('There is nothing at this address.');
  });
}

function checkEncodings({ headers }: FastifyRequest, reply: FastifyReply): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw badRequest('Content-Encoding is not supported: send the body uncompressed.');
  // RFC 9112, 6.1: "SHOULD respond with 501". The API has no such status, so this is a 400.
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return;
  reply.header('connection', 'close');
  throw badRequest('The only supported Transfer-Encoding is chunked.');
}

function clientRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,64}$/.test(header) ? header : undefined;
}

/** Parses every body as JSON, with any Content-Type. An empty body is allowed. */
function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    if (request.routeOptions.config.isRaw) return done(null, text);
    if (text.trim() === '') return done(null, undefined);
    try {
      const body = parseExactly(text);
      const problem = jsonFault(body);
      done(problem === undefined ? null : badRequest(problem), body);
    } catch (error) {
      done(badRequest(parseFault(error, 'The body')));
    }
  });
}

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { method, id: requestId, operation } = request;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const route = request.routeOptions.url ?? 'none';
  log.info({ requestId, method, route, status: reply.statusCode, ms, ...(operation && { operation }) }, 'request');
}

/** Sends an error in the format of the API that the path belongs to. Logs internal errors in full. */
function replyWithError(
  error: FastifyError | GraphQLError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  if (reply.raw.destroyed) {
    log.info({ requestId: request.id, err: error }, 'a client left before its answer');
    return reply.hijack();
  }
  const shown = asPublicError(error, request);
  // Needed for errors that occur before the hooks run.
  reply.header('x-request-id', request.id).header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
  if (errorCode(shown) === 'INTERNAL') log.error({ requestId: request.id, err: error }, 'a request failed');
  if (isGraphQLPath(request.url)) {
    const answer = refusalAnswer(PLATFORM_DIALECT, shown);
    return send(reply, { ...answer, body: { errors: [shown] } });
  }
  return send(reply, refusalAnswer(dialectAt(request), shown, request.routeOptions.config.route));
}

/** Errors of libraries whose status clients act on, e.g. 416 of static files. */
const ERROR_BY_STATUS: Readonly<Record<number, () => GraphQLError>> = {
  404: () => notFound('There is nothing at this address.'),
  412: () => preconditionFailed('No version that `If-Match` or `If-Unmodified-Since` names is current.'),
  416: () => rangeNotSatisfiable('The range is not within the file.'),
};

function asPublicError(
  error: FastifyError | GraphQLError,
  { url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>,
): GraphQLError {
  if (error instanceof GraphQLError && errorCode(error)) return error;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_BAD_URL') return malformedUrl(url);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return badRequest('The Content-Type is not a media type; send `application/json`.');
  if (status === 413)
    return payloadTooLarge(`The body is larger than ${routeOptions.bodyLimit ?? MAX_BODY_BYTES} bytes.`);
  return errorForStatus(status ?? 500);
}

function errorForStatus(status: number): GraphQLError {
  const known = ERROR_BY_STATUS[status];
  if (known) return known();
  return status >= 400 && status < 500 ? badRequest('The request is malformed.') : internal();
}
