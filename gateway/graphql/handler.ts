import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { badRequest, methodNotAllowed } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import { ANONYMOUS, requireSignedIn } from '../../kernel/security/viewer.js';
import { publicError } from '../engine/public-errors.js';
import type { BillingBypass } from '../http/billing-bypass.js';
import { clientSignal } from '../http/client-signal.js';
import { isMultipart } from '../http/bodies.js';
import { limitBody, MAX_REQUEST_BYTES, refuseLargeBody } from './body-limit.js';
import { createApolloServer, type FormatError } from './apollo-server.js';
import type { CurrentGraph } from './current-graph.js';
import { EventStreams } from './streams/event-streams.js';
import { operationReporter, type Report, type ReportingContext } from './operation-report.js';
import { findPlannedRequest, writeResult } from './planned-request.js';
import { readDocument } from './documents/request-document.js';
import { readOperationWithFile } from './uploads.js';
import type { Revocations } from './token-watch/revocations.js';
import type { ViewerQueue } from './viewer-queue.js';
import type { Viewers } from './viewer.js';
import { userAgentOf } from '../http/client-address.js';

/** Sends the explorer page to a browser. Returns false for other requests. */
export type SendExplorer = (request: FastifyRequest, reply: FastifyReply) => boolean;

interface GraphQLDependencies {
  readonly graph: CurrentGraph;
  /** Ends subscriptions whose token ends. */
  readonly revocations?: Revocations;
  /** Undefined in the standalone gateway: every viewer is anonymous, and documents have no limits. */
  readonly viewers: Viewers | undefined;
  /** Undefined: the operations of a viewer are not limited. */
  readonly viewerQueue?: ViewerQueue;
  /** Undefined: no request is exempt from billing. */
  readonly isBillingBypassed?: BillingBypass;
  /** Undefined: browsers get no explorer page. */
  readonly sendExplorer?: SendExplorer;
  readonly trace?: Trace | undefined;
  readonly log: Logger;
  /** Time for all parts of an answer; default: two minutes. */
  readonly maxPartsMs?: number;
}

/** Serves POST and GET /graphql with Apollo Server, which executes operations by `Engine`. Returns a function that stops it. */
export async function addGraphQL(
  app: FastifyInstance,
  dependencies: GraphQLDependencies,
): Promise<() => Promise<void>> {
  const { graph, viewers, sendExplorer } = dependencies;
  const formatError: FormatError = viewers ? formatPublicError : (error) => error;
  const report = operationReporter(dependencies);
  const server = createApolloServer({ ...dependencies, isLimited: viewers !== undefined, formatError, report });
  await server.start();
  const queueing = { ...dependencies, withFile: new WeakSet<FastifyRequest>() };
  const streams = new EventStreams({ ...dependencies, formatError, report });
  app.addHook('preClose', async () => streams.close());
  const handle = fastifyApolloHandler(server, {
    context: async (request, reply) => contextOf(dependencies, request, reply),
  });
  await app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      bodyLimit: MAX_REQUEST_BYTES,
      onRequest: async (request, reply) => {
        if (sendExplorer?.(request, reply)) return reply;
        await admit(request, viewers);
        return undefined;
      },
      preParsing: async (request, _reply, body) => limitBody(request, viewers?.of(request) ?? ANONYMOUS, body),
      preHandler: async (request, reply) => {
        if (await readForm(request, reply, viewers)) queueing.withFile.add(request);
        return refuseDocument({ ...dependencies, formatError, report }, request, reply);
      },
      handler: async (request, reply) => {
        const contextOfRequest = () => contextOf(dependencies, request, reply);
        const queue = <Result>(work: () => Promise<Result>) => inViewerQueue(queueing, request, work);
        if (await streams.serve({ request, reply, contextOf: contextOfRequest, queue })) return reply;
        return queue(async () => {
          const { engine, plans } = graph.get();
          const planned = findPlannedRequest(plans, request);
          if (!planned) return handle.call(scope, request, reply);
          const context = contextOfRequest();
          const result = await engine.execute(planned.operation, planned.variables, context);
          report(context, planned.operation.operation, result.errors ?? []);
          return writeResult(reply, result, formatError);
        });
      },
    });
  });
  refuseMethods(app);
  return () => server.stop();
}

/** Checks a request before its body is read, and finds its viewer. */
async function admit(request: FastifyRequest, viewers: Viewers | undefined): Promise<void> {
  refuseSimpleRequest(request);
  refuseLargeBody(request, (await viewers?.admit(request)) ?? ANONYMOUS);
}

/** Answers a request whose document may not be executed. Returns undefined for other requests. */
function refuseDocument(
  dependencies: GraphQLDependencies & { readonly formatError: FormatError; readonly report: Report },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { graph, viewers, formatError, report } = dependencies;
  const refusal = readDocument(graph.get().plans, request, viewers && request.ip);
  if (!refusal) return undefined;
  report(contextOf(dependencies, request, reply), undefined, [refusal]);
  return reply.send(writeResult(reply, { errors: [refusal] }, formatError));
}

function contextOf(
  { viewers, isBillingBypassed }: GraphQLDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): ReportingContext {
  return {
    viewer: viewers?.of(request) ?? ANONYMOUS,
    requestId: request.id,
    ...(viewers && { clientAddress: request.ip, userAgent: userAgentOf(request) }),
    ...(isBillingBypassed?.(request) && { isBillingBypassed: true }),
    signal: clientSignal(reply.raw),
    report: (operation) => void (request.operation = operation),
  };
}

/** Runs the work in the queue of its viewer. Operations with a file skip the queue: they are slow and have other limits. */
function inViewerQueue<Result>(
  { viewers, viewerQueue, withFile }: GraphQLDependencies & { readonly withFile: WeakSet<FastifyRequest> },
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!viewers) return work();
  const run = () => viewers.run(request, work);
  return viewerQueue && !withFile.has(request) ? viewerQueue.take(viewers.of(request), run) : run();
}

/** Converts a multipart request to the JSON body of its operation, with the file as a ByteSource. Returns whether it has one. */
async function readForm(request: FastifyRequest, reply: FastifyReply, viewers: Viewers | undefined): Promise<boolean> {
  if (!isMultipart(request.headers['content-type'])) return false;
  if (!viewers) throw badRequest('Send GraphQL as application/json.');
  requireSignedIn(viewers.of(request));
  const { operation, hasFile } = await readOperationWithFile(request, reply);
  request.body = operation;
  return hasFile;
}

function refuseMethods(app: FastifyInstance): void {
  app.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: '/graphql',
    handler: (request, reply) => {
      reply.header('allow', 'GET, POST');
      throw methodNotAllowed(`${request.method} is not served here; try POST.`);
    },
  });
}

/** Refuses a POST that another origin could send without a CORS preflight. Source: Fetch, CORS-preflight */
function refuseSimpleRequest({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' || headers['apollo-require-preflight'] !== undefined) return;
  if (!/^application\/(?:json|graphql-response\+json)\b/i.test(headers['content-type'] ?? ''))
    throw badRequest('Send GraphQL as application/json, or forms with the header Apollo-Require-Preflight.');
}

function formatPublicError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions } = publicError(formatted, () => undefined);
  return { ...formatted, message, extensions };
}
