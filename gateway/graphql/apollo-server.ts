import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import { badRequest, errorCode } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { RequestContext, Variables } from '../engine/execution.js';
import { requestError, retryHeaders } from '../engine/public-errors.js';
import { acceptsAnswer } from './answer-types.js';
import type { CurrentGraph } from './current-graph.js';
import { checkDefer } from './documents/defer-rule.js';
import { OPERATION_RESOLUTION_FAILURE, operationNotFound } from './documents/documents.js';
import { limitOperations, MAX_TOKENS } from './limits/limits.js';
import type { Report, ReportingContext } from './operation-report.js';

/** Decides what clients see of an error. */
export type FormatError = (error: GraphQLFormattedError) => GraphQLFormattedError;

interface ApolloDependencies {
  readonly graph: CurrentGraph;
  /** Whether documents have limits. */
  readonly isLimited: boolean;
  readonly formatError: FormatError;
  readonly report: Report;
  readonly log: Logger;
}

/** Creates the server of all requests whose operation is not planned yet: it reads, parses and validates them. */
export function createApolloServer(dependencies: ApolloDependencies): ApolloServer<ReportingContext> {
  const { graph, isLimited, formatError, report, log } = dependencies;
  const { engine } = graph.get();
  return new ApolloServer<ReportingContext>({
    gateway: apolloGateway(graph),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    persistedQueries: { cache: cacheOf(graph) },
    // GraphQL authenticates by header only; the cookie of social sign-in is not sent to this path. See refuseSimpleRequest.
    csrfPrevention: false,
    validationRules: [checkDefer, ...(isLimited ? [limitOperations(engine.schema)] : [])],
    ...(isLimited && { parseOptions: { maxTokens: MAX_TOKENS } }),
    stringifyResult: JSON.stringify,
    formatError,
    logger: apolloLogger(log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      chargeInvalidDocuments(graph),
      reportOperations(report),
      REFUSE_UNREADABLE,
      SEND_RETRY_AFTER,
    ],
  });
}

/** Apollo Server puts this before each hash. */
const CACHE_PREFIX = 'apq:';

/** The cache of Apollo Server, which keeps valid documents and reads those of GET requests. */
function cacheOf(graph: CurrentGraph) {
  const hashOf = (key: string) => key.slice(CACHE_PREFIX.length);
  return {
    get: async (key: string) => graph.get().plans.documents.find(hashOf(key)),
    set: async (key: string, text: string) => graph.get().plans.documents.keep(hashOf(key), text),
    delete: async () => undefined,
  };
}

/** Apollo Server answers 406 when the client does not accept JSON, but executes the operation before: a mutation would take effect. */
const REFUSE_UNREADABLE: ApolloServerPlugin<ReportingContext> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ request }) => {
      if (!acceptsAnswer(request.http?.headers.get('accept'))) throw badRequest('The client does not accept JSON.');
    },
  }),
};

/** Without `data` nothing was executed: the request can be sent again. */
const SEND_RETRY_AFTER: ApolloServerPlugin<ReportingContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body, http }, errors }) => {
      if (body.kind !== 'single' || body.singleResult.data !== undefined) return;
      for (const [name, value] of Object.entries(retryHeaders(errors))) http.headers.set(name, value);
    },
  }),
};

function reportOperations(report: Report): ApolloServerPlugin<ReportingContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue, operation, errors = [] }) => report(contextValue, operation, errors),
    }),
  };
}

/** Charges invalid documents to the client network. */
function chargeInvalidDocuments(graph: CurrentGraph): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue: { clientAddress }, operation, source }) => {
        if (!operation && source !== undefined) graph.get().plans.chargeInvalid(source, clientAddress);
      },
    }),
  };
}

/** Adapts the engine to the gateway interface of Apollo Server. */
function apolloGateway(graph: CurrentGraph): never {
  const executor = (call: {
    schema: GraphQLSchema;
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
    const { engine, plans } = graph.of(call.schema);
    const plan = { name: call.request.operationName, address: requestContext.clientAddress };
    try {
      const planned = plans.planOrGet(call.source, call.document, plan);
      return engine.execute(planned, call.request.variables ?? {}, requestContext);
    } catch (error) {
      if (error instanceof GraphQLError && (error.extensions.http || errorCode(error))) return { errors: [error] };
      throw error;
    }
  };
  return {
    load: async () => ({ executor }),
    onSchemaLoadOrUpdate: (listener: (schema: object) => void) => {
      graph.onSchema((apiSchema) => listener({ apiSchema, coreSupergraphSdl: '' }));
      return () => undefined;
    },
    stop: async () => undefined,
  } as never;
}

function subscriptionNeedsWebsocket(): GraphQLError {
  return requestError(
    OPERATION_RESOLUTION_FAILURE,
    'A subscription needs a websocket with the protocol graphql-transport-ws, or `Accept: text/event-stream` or `multipart/mixed`.',
    400,
  );
}

function apolloLogger(log: Logger) {
  return {
    debug: (message?: string) => log.debug(message),
    info: (message?: string) => log.debug(message),
    warn: (message?: string) => log.warn(message),
    error: (message?: string) => log.error(message),
  };
}
