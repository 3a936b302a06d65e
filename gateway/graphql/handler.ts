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
import type { RequestContext, Engine, Variables } from '../engine/engine.js';
import { limitOperations, MAX_TOKENS } from './limits.js';
import type { Plans } from './plan-cache.js';
import { reportOperations, type ReportingContext } from './operation-report.js';
import { publicError, publicErrors } from '../engine/public-errors.js';
import { describeOperations } from './operation-tracing.js';
import { readOperationWithFile } from './uploads.js';
import type { ViewerQueue } from './viewer-queue.js';
import type { Viewers } from './viewer.js';

/** Answers a browser with the explorer page. Returns false for other requests. */
export type SendExplorer = (request: FastifyRequest, reply: FastifyReply) => boolean;

interface GraphQLDependencies {
  readonly engine: Engine;
  readonly plans: Plans;
  /** Who asks; undefined: anyone may, and documents are not held to our limits, as the gateway alone knows neither. */
  readonly viewers: Viewers | undefined;
  /** Where operations wait for others of their viewer; undefined: they do not. */
  readonly turns?: ViewerQueue;
  /** Which requests need not be paid for; none unless it is given. */
  readonly isBillingBypassed?: BillingBypass;
  /** How a browser is answered; undefined: like anyone else. */
  readonly sendExplorer?: SendExplorer;
  readonly trace?: Trace | undefined;
  readonly log: Logger;
}

/** Serves POST and GET /graphql by Apollo Server: its parsing, validation and HTTP rules, our engine. Returns how to stop it. */
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
    // Nobody is signed in by a cookie, so a foreign page can do nothing in a user's name; see refuseSimpleRequest.
    csrfPrevention: false,
    ...(viewers && { parseOptions: { maxTokens: MAX_TOKENS }, validationRules: [limitOperations(engine.schema)] }),
    stringifyResult: JSON.stringify,
    ...(viewers && { formatError: shownError }),
    logger: apolloLogger(log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      reportFaults(log),
      countRefused(plans),
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
      handler: (request, reply) => inTurn(dependencies, request, async () => handle.call(scope, request, reply)),
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

/** What comes with a file takes as long as that does to be read, and has limits of its own. */
function inTurn<Result>(
  { viewers, turns }: GraphQLDependencies,
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const hasFile = isMultipart(request.headers['content-type']);
  return viewers && turns && !hasFile ? turns.take(viewers.of(request), work) : work();
}

/** An operation that comes as a form becomes the body that it would be as JSON, its file a ByteSource. */
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

/** Refuses a POST that a foreign page could make a browser send without asking first. Source: Fetch, CORS-preflight */
function refuseSimpleRequest({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' || headers['apollo-require-preflight'] !== undefined) return;
  if (!/^application\/(?:json|graphql-response\+json)\b/i.test(headers['content-type'] ?? ''))
    throw badRequest('Send GraphQL as application/json, or forms with the header Apollo-Require-Preflight.');
}

/** Logs faults of ours where the request is known; what callers see of them is decided by `shownError`. */
function reportFaults(log: Logger): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue: { requestId }, errors }) =>
        void publicErrors(errors, (err) => log.error({ requestId, err }, 'an operation failed')),
    }),
  };
}

/** Refuses what an exhausted client address sends before it is read. */
function admitDocument(plans: Plans, { method, query, body, ip }: FastifyRequest): void {
  const asked = (method === 'GET' ? query : body) as { query?: unknown; operationName?: unknown } | undefined | null;
  const { query: text, operationName } = asked ?? {};
  if (typeof text === 'string')
    plans.admit(text, { name: typeof operationName === 'string' ? operationName : undefined, address: ip });
}

/** Counts documents that are not executed. */
function countRefused(plans: Plans): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue: { clientAddress }, operation, source, request }) => {
        if (!operation && source !== undefined)
          plans.countRefused(source, { name: request.operationName, address: clientAddress });
      },
    }),
  };
}

function shownError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions } = publicError(formatted, () => undefined);
  return { ...formatted, message, extensions };
}

/** Our engine in the place where Apollo Server expects its gateway. */
function apolloGateway(engine: Engine, plans: Plans): never {
  const executor = (call: {
    document: DocumentNode;
    source: string;
    request: { variables?: Variables; operationName?: string };
    contextValue: ReportingContext;
    context: ReportingContext;
  }) => {
    const asked = getOperationAST(call.document, call.request.operationName);
    if (!asked) return { errors: [noOperationNamed()] };
    if (asked.operation === OperationTypeNode.SUBSCRIPTION) return { errors: [belongsOnTheSocket()] };
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
    onSchemaLoadOrUpdate: (tell: (schema: object) => void) => {
      tell({ apiSchema: engine.schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    stop: async () => undefined,
  } as never;
}

/** Several operations and no name, or a name that none of them has. */
export function noOperationNamed(): GraphQLError {
  return unresolved('Name one of the operations in the document with operationName.');
}

function belongsOnTheSocket(): GraphQLError {
  return unresolved('Subscriptions are served on the websocket at this address, by graphql-transport-ws.');
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
