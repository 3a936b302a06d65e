import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql';
import { badRequest, errorCode, methodNotAllowed } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { Trace } from '../../kernel/telemetry/trace.js';
import { ANONYMOUS, requireSignedIn } from '../../kernel/viewer.js';
import type { BillingBypass } from '../http/billing-bypass.js';
import { isMultipart } from '../http/bodies.js';
import type { Engine } from '../engine/engine.js';
import type { RequestContext, Variables } from '../engine/execution.js';
import { limitOperations, MAX_TOKENS } from './limits.js';
import type { PlanCache } from './plan-cache.js';
import { reportOperations, type ReportingContext } from './operation-report.js';
import { publicError, publicErrors } from '../engine/public-errors.js';
import { describeOperations } from './operation-tracing.js';
import { readOperationWithFile } from './uploads.js';
import type { ViewerQueue } from './viewer-queue.js';
import type { Viewers } from './viewer.js';

/** Sends the explorer page to a browser. Returns false for other requests. */
export type SendExplorer = (request: FastifyRequest, reply: FastifyReply) => boolean;

interface GraphQLDependencies {
  readonly engine: Engine;
  readonly plans: PlanCache;
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
}

/** Serves POST and GET /graphql with Apollo Server, which executes operations by `Engine`. Returns a function that stops it. */
export async function addGraphQL(
  app: FastifyInstance,
  dependencies: GraphQLDependencies,
): Promise<() => Promise<void>> {
  const { engine, plans, viewers, sendExplorer, log, trace } = dependencies;
  const server = new ApolloServer<ReportingContext>({
    gateway: apolloGateway(engine, plans),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    persistedQueries: false,
    // GraphQL authenticates by header only; the cookie of social sign-in is not sent to this path. See refuseSimpleRequest.
    csrfPrevention: false,
    ...(viewers && { parseOptions: { maxTokens: MAX_TOKENS }, validationRules: [limitOperations(engine.schema)] }),
    stringifyResult: JSON.stringify,
    ...(viewers && { formatError: formatPublicError }),
    logger: apolloLogger(log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      logInternalErrors(log),
      chargeInvalidDocuments(plans),
      reportOperations(),
      ...(trace ? [describeOperations(trace)] : []),
    ],
  });
  await server.start();
  const handle = fastifyApolloHandler(server, { context: async (request) => contextOf(dependencies, request) });
  await app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    scope.route({
      method: ['GET', 'POST'],
      url: '/graphql',
      onRequest: async (request, reply) => {
        if (sendExplorer?.(request, reply)) return reply;
        refuseSimpleRequest(request);
        await viewers?.admit(request);
        return undefined;
      },
      preHandler: async (request, reply) => {
        await readForm(request, reply, viewers);
        if (viewers) admitDocument(plans, request);
      },
      handler: (request, reply) => inViewerQueue(dependencies, request, async () => handle.call(scope, request, reply)),
    });
  });
  refuseMethods(app);
  return () => server.stop();
}

function contextOf({ viewers, isBillingBypassed }: GraphQLDependencies, request: FastifyRequest): ReportingContext {
  return {
    viewer: viewers?.of(request) ?? ANONYMOUS,
    requestId: request.id,
    ...(viewers && { clientAddress: request.ip }),
    ...(isBillingBypassed?.(request) && { isBillingBypassed: true }),
    report: (operation) => void (request.operation = operation),
  };
}

/** Runs the work in the queue of its viewer. Requests with a file skip the queue: they are slow and have other limits. */
function inViewerQueue<Result>(
  { viewers, viewerQueue }: GraphQLDependencies,
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const hasFile = isMultipart(request.headers['content-type']);
  return viewers && viewerQueue && !hasFile ? viewerQueue.take(viewers.of(request), work) : work();
}

/** Converts a multipart request to the JSON body of its operation, with the file as a ByteSource. */
async function readForm(request: FastifyRequest, reply: FastifyReply, viewers: Viewers | undefined): Promise<void> {
  if (!isMultipart(request.headers['content-type'])) return;
  if (!viewers) throw badRequest('Send GraphQL as application/json.');
  requireSignedIn(viewers.of(request));
  request.body = await readOperationWithFile(request, reply);
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

/** Logs internal errors with their request id. `formatPublicError` decides what clients see. */
function logInternalErrors(log: Logger): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue: { requestId }, errors }) =>
        void publicErrors(errors, (err) => log.error({ requestId, err }, 'an operation failed')),
    }),
  };
}

/** Checks the allowance of the client network before the document is parsed. */
function admitDocument(plans: PlanCache, { method, query, body, ip }: FastifyRequest): void {
  const parameters = (method === 'GET' ? query : body) as
    { query?: unknown; operationName?: unknown } | undefined | null;
  const { query: text, operationName } = parameters ?? {};
  if (typeof text === 'string')
    plans.admit(text, { name: typeof operationName === 'string' ? operationName : undefined, address: ip });
}

/** Charges invalid documents to the client network. */
function chargeInvalidDocuments(plans: PlanCache): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue: { clientAddress }, operation, source, request }) => {
        if (!operation && source !== undefined)
          plans.countRefused(source, { name: request.operationName, address: clientAddress });
      },
    }),
  };
}

function formatPublicError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions } = publicError(formatted, () => undefined);
  return { ...formatted, message, extensions };
}

/** Adapts the engine to the gateway interface of Apollo Server. */
function apolloGateway(engine: Engine, plans: PlanCache): never {
  const executor = (call: {
    document: DocumentNode;
    source: string;
    request: { variables?: Variables; operationName?: string };
    contextValue: ReportingContext;
    context: ReportingContext;
  }) => {
    const operation = getOperationAST(call.document, call.request.operationName);
    if (!operation) return { errors: [operationNotFound()] };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) return { errors: [subscriptionNeedsWebsocket()] };
    const { report: _report, ...requestContext } = call.contextValue ?? call.context;
    const plan = { name: call.request.operationName, address: requestContext.clientAddress };
    try {
      const planned = plans.of(call.source, call.document, plan);
      return engine.execute(planned, call.request.variables ?? {}, requestContext);
    } catch (error) {
      if (errorCode(error) === 'RATE_LIMITED') return { errors: [error] };
      throw error;
    }
  };
  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate: (listener: (schema: object) => void) => {
      listener({ apiSchema: engine.schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  } as never;
}

/** The error when `operationName` does not select one operation of the document. */
export function operationNotFound(): GraphQLError {
  return unresolved('Name one of the operations in the document with operationName.');
}

function subscriptionNeedsWebsocket(): GraphQLError {
  return unresolved('Use a websocket at this address with the protocol graphql-transport-ws for subscriptions.');
}

function unresolved(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } });
}

function apolloLogger(log: Logger) {
  return {
    debug: (message?: string) => log.debug(message),
    info: (message?: string) => log.debug(message),
    warn: (message?: string) => log.warn(message),
    error: (message?: string) => log.error(message),
  };
}
